package dashboards_test

import (
	"testing"
	"time"

	"github.com/firedrill/firedrill/dashboards/dashtest"
)

// TestPanelsAreRight lets a Prometheus watch a scenario on simulated time and on
// a clock that is 60 times slower, and asks it every query of every dashboard.
// On simulated time it asks as well as Grafana does that knows wall times alone.
func TestPanelsAreRight(t *testing.T) {
	w := watch(t, 1)
	t.Run("simulated time", func(t *testing.T) { w.check(t, time.Time{}) })
	t.Run("simulated time, asked by wall times", func(t *testing.T) { w.check(t, time.Date(2031, 7, 1, 12, 0, 0, 0, time.UTC)) })
	t.Run("wall time at speed 60", func(t *testing.T) { watch(t, 60).check(t, time.Time{}) })
}

// check checks the dashboards, where now is not zero as if the scenario had just
// ended at that time.
func (w *watched) check(t *testing.T, now time.Time) {
	t.Helper()
	shift := time.Duration(0)
	if !now.IsZero() {
		shift = now.Sub(w.to)
	}
	sum, err := dashtest.Check(t.Context(), w.api(now), dashtest.Case{
		Boards: w.boards(t), Speed: w.speed, Truth: w.truth, Scrape: w.options.ScrapeInterval,
		From: w.from.Add(shift), To: w.to.Add(shift), End: w.paused.Add(shift), RightlyEmpty: rightlyEmpty(w.speed),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range sum.Problems {
		t.Error(problem)
	}
	t.Log(sum)
}

// rightlyEmpty are the queries that have no result, with the reason.
func rightlyEmpty(speed float64) map[string]string {
	const process = "the Prometheus in the process has the series of the simulation, not those of the process"
	all := map[string]string{
		`Simulator / panel "Processor" A`:            process,
		`Simulator / panel "Memory" A`:               process,
		`Simulator / panel "Memory" B`:               process,
		`Simulator / panel "Goroutines and files" A`: process,
		`Simulator / panel "Goroutines and files" B`: process,
		`Simulator / panel "Garbage collection" A`:   process,
		`Simulator / panel "Garbage collection" B`:   process,
	}
	if speed == 1 {
		for _, board := range []string{"On-call", "Service", "SLO", "Simulator"} {
			all[board+` / annotation "Paused"`] = "on simulated time nothing is scraped while it stands still"
		}
	}
	return all
}
