package exporter

import (
	"context"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/unit"
)

// Clock is what a snapshot does not know: which run it is of and how fast that
// is meant to go.
type Clock struct {
	Run      int     // counts the runs since the start of the process; ticks compare within a run
	Scenario string  // name of the scenario that runs
	Speed    float64 // simulated seconds a second that are asked for; finite
	Paused   bool
	Lag      unit.Seconds // that the simulation is behind its speed
}

// Source returns the state of the simulation, as new as it can be had.
type Source func(ctx context.Context) (*simulator.Snapshot, Clock, error)

// Build describes the build of firedrill.
type Build struct {
	Version   string
	Revision  string // of the source
	GoVersion string
}
