package watch

import (
	"context"

	"github.com/firedrill/firedrill/exporter"
	"github.com/firedrill/firedrill/simulator"
)

// Simulated returns a source for a watch that lives on simulated time, where a
// second takes a second and time never stands still. run is the number of the
// run and name that of its scenario.
func Simulated(run int, name string, snapshot func() *simulator.Snapshot) exporter.Source {
	clock := exporter.Clock{Run: run, Scenario: name, Speed: 1}
	return func(context.Context) (*simulator.Snapshot, exporter.Clock, error) { return snapshot(), clock, nil }
}
