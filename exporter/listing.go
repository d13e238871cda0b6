package exporter

import (
	"math"

	"github.com/firedrill/firedrill/exporter/series"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/web"
)

// How long a target that has ended is kept: so many simulated seconds, or so
// many seconds outside where that is longer.
const (
	keepSimulated = 5 * simulator.Minute
	keepDown      = 15 // seconds that a killed pod stays listed
	keepRetired   = 60 // seconds that a retired pod's page answers
	beforeAll     = simulator.Tick(math.MinInt64)
	podPort       = ":8080"
	simulatorPort = ":9464"
)

// listing decides which pods are targets, and how they stand.
type listing struct {
	now     simulator.Tick
	last    simulator.Tick // of the update before
	down    simulator.Tick // how long a killed pod stays listed
	retired simulator.Tick // how long a retired pod's page answers
}

func newListing(now, last simulator.Tick, speed float64) listing {
	keep := func(seconds float64) simulator.Tick {
		return max(keepSimulated, simulator.Tick(math.Ceil(seconds*speed)))
	}
	return listing{now: now, last: last, down: keep(keepDown), retired: keep(keepRetired)}
}

// status returns how a pod's target stands and whether there is one. Known
// tells whether the update before had it: a target that has left does not come
// back, whatever happens to the speed.
func (l listing) status(p *web.Pod, gap, known bool) (series.Status, bool) {
	s := series.Status{Since: p.Started, Ended: p.Ended}
	remains := known || p.Ended > l.last
	switch p.State {
	case web.Serving:
		s.Listed, s.Answers = true, !gap
		return s, true
	case web.Down:
		s.Listed = true
		return s, remains && l.now-p.Ended < l.down
	case web.Retired:
		s.Answers = !gap
		return s, remains && l.now-p.Ended < l.retired
	}
	return s, false
}
