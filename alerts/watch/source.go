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

// Series returns how many series a scrape of the source gives, native histograms
// included.
func Series(ctx context.Context, source exporter.Source) (int, error) {
	w, err := New(Options{Natives: true})
	if err != nil {
		return 0, err
	}
	if _, err := w.Observe(ctx, w.options.Origin, source); err != nil {
		return 0, err
	}
	return w.store.Size().Series, nil
}
