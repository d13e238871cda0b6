package rollout_test

import (
	"testing"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/rollout"
	"github.com/firedrill/firedrill/simulator/schema"
)

const seeds = 200

// figures are means over the seeds.
type figures struct{ badGateways, repairs, lostGateway float64 }

// three plays the story that the model tells: a deploy as it was before, one
// with problem 1 repaired and one with both, half an hour apart, at 0.16
// requests/s. It returns the figures of each, and every report of the last.
func three(t *testing.T, watchdog bool) (all [3]figures, last []rollout.Report) {
	for seed := range uint32(seeds) {
		e := newEngine(t, seed, schema.Args{"rate": 0.16})
		if !watchdog {
			do(t, e, "pause_watchdog", nil)
		}
		for i, p := range []rollout.Preset{rollout.Before, rollout.Problem1Repaired, rollout.BothRepaired} {
			run(e, simulator.Tick(600+1800*i)-e.Now())
			preset(t, e, p)
			r := deploy(t, e)
			if r.Outcome != rollout.Success {
				t.Fatalf("seed %d: deploy %d ends as %s", seed, i+1, r.Outcome)
			}
			all[i].badGateways += float64(r.BadGateways()) / seeds
			all[i].repairs += float64(r.Repairs) / seeds
			if lostGateway(state(e)) {
				all[i].lostGateway += 1. / seeds
			}
			if i == 2 {
				last = append(last, r)
			}
		}
	}
	return all, last
}

func lostGateway(s *rollout.Snapshot) bool {
	for _, v := range s.Servers {
		if !v.File.Gateway {
			return true
		}
	}
	return false
}

// TestThreeDeploys: a team that repaired both problems saw 10, then 6, then 0
// requests fail. The means over 200 seeds come near that, from the mechanism.
func TestThreeDeploys(t *testing.T) {
	got, last := three(t, true)
	t.Logf("with watchdog: %+v", got)
	within(t, "502s before", got[0].badGateways, 8, 11)
	within(t, "502s with problem 1 repaired", got[1].badGateways, 5.5, 7)
	within(t, "502s with both repaired", got[2].badGateways, 0, 0)
	within(t, "repairs before", got[0].repairs, 4.5, 5.5)
	within(t, "repairs with problem 1 repaired", got[1].repairs, 0, 0.5)
	within(t, "repairs with both repaired", got[2].repairs, 0, 0)
	within(t, "share of deploys with a lost gateway before", got[0].lostGateway, 0.1, 0.3)
	within(t, "the same with problem 1 repaired", got[1].lostGateway, 0, 0)
	within(t, "the same with both repaired", got[2].lostGateway, 0, 0)
	for seed, r := range last {
		if r.NaiveBrokenRatio() <= 0 || r.BrokenRatio() != 0 || r.Probes[rollout.Unavailable503] == 0 {
			t.Errorf("seed %d: a clean deploy has the naive share %g, the right one %g and %d probe 503s",
				seed, r.NaiveBrokenRatio(), r.BrokenRatio(), r.Probes[rollout.Unavailable503])
		}
	}
}

// TestWhatTheWatchdogAdds: without watchdogs the unrepaired deploy fails clearly
// fewer requests, and loses no gateway.
func TestWhatTheWatchdogAdds(t *testing.T) {
	with, _ := three(t, true)
	without, _ := three(t, false)
	t.Logf("without watchdog: %+v", without)
	within(t, "what the watchdog adds", with[0].badGateways-without[0].badGateways, 1, 4)
	within(t, "repairs without a watchdog", without[0].repairs, 0, 0)
	within(t, "lost gateways without a watchdog", without[0].lostGateway, 0, 0)
	within(t, "502s with both repaired", without[2].badGateways, 0, 0)
}

func within(t *testing.T, what string, got, low, high float64) {
	t.Helper()
	if got < low || got > high {
		t.Errorf("%s: %.3f, want %g to %g", what, got, low, high)
	}
}

// TestCleanDeployLooksBrokenToTheNaive: at 120 requests/s a deploy with the
// shipped settings fails nobody, and whoever counts every answer that is not
// 200 sees it broken.
func TestCleanDeployLooksBrokenToTheNaive(t *testing.T) {
	e := newEngine(t, 1, nil)
	run(e, 600)
	r := deploy(t, e)
	if r.BadGateways() != 0 || r.Requests[rollout.TooBusy] != 0 || r.BrokenRatio() != 0 {
		t.Errorf("requests by code: %v", r.Requests)
	}
	var answers int64
	for _, n := range r.Requests {
		answers += n
	}
	for _, n := range r.Probes {
		answers += n
	}
	failed := r.Probes[rollout.Unavailable503] + r.Probes[rollout.Silent]
	if want := float64(failed) / float64(answers); failed == 0 || r.NaiveBrokenRatio() != want {
		t.Errorf("the naive share is %g, want %g of %d failed probes", r.NaiveBrokenRatio(), want, failed)
	}
}
