package rehearsal_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/alerts/rehearsal"
	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
	"github.com/firedrill/firedrill/simulator/schema"
)

// A month takes a while: .ci/run asks for two seeds of 30 days, .ci/long for
// ten.
var (
	calmDays  = flag.Int("calm.days", 1, "days of calm that must not page")
	calmSeeds = flag.Int("calm.seeds", 1, "seeds that they are tried with")
)

// pages returns the firings of alerts that page, from tick 0 on.
func pages(r *rehearsal.Result) []string {
	var all []string
	for _, c := range r.Transitions {
		if c.Alert.State == promengine.Firing && !c.Time.Before(r.Start) && c.Alert.Labels.Get(metric.Severity) == metric.Page {
			all = append(all, fmt.Sprintf("%s at %v", identity(c.Alert), c.Time.Sub(r.Start)))
		}
	}
	return all
}

// quiet plans days of calm.
func quiet(t *testing.T, seed uint32) rehearsal.Plan {
	t.Helper()
	return rehearsal.Plan{Scenario: story(t, "calm"), Options: scenario.Options{Seed: &seed}, Rules: shipped(t), History: 6 * hour,
		Length: simulator.Tick(*calmDays) * day, Stretch: 12 * time.Hour}
}

// TestCalm: where nothing happens but baseline errors and blips nobody is paged.
func TestCalm(t *testing.T) {
	for seed := range uint32(*calmSeeds) {
		t.Run(fmt.Sprint("seed ", seed+1), func(t *testing.T) {
			t.Parallel()
			if got := pages(rehearse(t, quiet(t, seed+1))); len(got) > 0 {
				t.Errorf("seed %d: %d days of calm page: %v", seed+1, *calmDays, got)
			}
		})
	}
}

// TestFaultInCalm: two percent of errors for an hour, in the middle of it, page
// once, and in that hour.
func TestFaultInCalm(t *testing.T) {
	t.Parallel()
	plan := quiet(t, 1)
	begin := plan.Length / 2
	for at, ratio := range map[simulator.Tick]float64{begin: 0.02, begin + hour: 0.0001} {
		plan.Commands = append(plan.Commands, simulator.Command{At: at, Service: "shop", Do: "set_baseline_errors", Args: schema.Args{"ratio": ratio}})
	}
	r := rehearse(t, plan)
	got := firings(r, "AvailabilityBudgetBurn 1h")
	if len(got) != 1 || got[0].from <= begin || got[0].from >= begin+hour || len(pages(r)) != 1 {
		t.Errorf("seed 1: an hour of 2 %% errors from %d on pages %v", begin, pages(r))
	}
}
