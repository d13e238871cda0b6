package scenario

import (
	"slices"
	"testing"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/rollout"
)

// deploys plays a built-in scenario to its end and returns the events of deploys
// that ended, and the state after each.
func deploys(t *testing.T, name string, seed uint32, scripted bool) (ended []simulator.Event, states []*rollout.Snapshot) {
	t.Helper()
	s, _ := FindBuiltin(name)
	r, err := s.NewRun(Options{Seed: &seed, Scripted: scripted})
	if err != nil {
		t.Fatalf("%s, seed %d: %v", name, seed, err)
	}
	for !r.Ended() {
		for _, e := range r.Step() {
			if e.Kind == "deploy_finished" {
				ended = append(ended, e)
				states = append(states, r.Snapshot().Services[0].State.(*rollout.Snapshot))
			}
		}
	}
	return ended, states
}

// detail returns a number of an event.
func detail(t *testing.T, e simulator.Event, name string) float64 {
	t.Helper()
	for _, f := range e.Fields {
		if f.Name == name {
			switch x := f.Value.(type) {
			case int:
				return float64(x)
			case float64:
				return x
			}
		}
	}
	t.Fatalf("%s has no number %s: %v", e.Kind, name, e.Fields)
	return 0
}

// TestThreeDeploys: the means over 200 seeds of what the three deploys report,
// and what the naive count makes of the last one. Somebody saw 10, 6 and 0; so
// does who starts the scenario as it is.
func TestThreeDeploys(t *testing.T) {
	const seeds = 200
	var bad, repairs, lost [3]float64
	for seed := range uint32(seeds) {
		ended, states := deploys(t, "three-deploys", seed, false)
		if len(ended) != 3 {
			t.Fatalf("seed %d: %d deploys", seed, len(ended))
		}
		for i, e := range ended {
			bad[i] += detail(t, e, "bad_gateways") / seeds
			repairs[i] += detail(t, e, "repairs") / seeds
			if slices.ContainsFunc(states[i].Servers[:], func(v rollout.Server) bool { return !v.File.Gateway }) {
				lost[i] += 1. / seeds
			}
		}
		if last := ended[2]; detail(t, last, "naive_broken_ratio") <= 0 || detail(t, last, "broken_ratio") != 0 {
			t.Errorf("seed %d: the last deploy: %v", seed, last.Fields)
		}
	}
	t.Logf("502s %v, repairs %v, lost gateways %v", bad, repairs, lost)
	for i, want := range []struct{ bad, repairs, lost [2]float64 }{
		{[2]float64{8, 11}, [2]float64{4.5, 5.5}, [2]float64{0.1, 0.3}},
		{[2]float64{5.5, 7}, [2]float64{0, 0.5}, [2]float64{}},
		{},
	} {
		for _, c := range []struct {
			what string
			got  float64
			in   [2]float64
		}{{"502s", bad[i], want.bad}, {"repairs", repairs[i], want.repairs}, {"lost gateways", lost[i], want.lost}} {
			if c.got < c.in[0] || c.got > c.in[1] {
				t.Errorf("deploy %d: %s %.3f, want %g to %g", i+1, c.what, c.got, c.in[0], c.in[1])
			}
		}
	}
	s, _ := FindBuiltin("three-deploys")
	ended, _ := deploys(t, "three-deploys", s.Seed, false)
	for i, want := range []float64{10, 6, 0} {
		if got := detail(t, ended[i], "bad_gateways"); got != want {
			t.Errorf("seed %d, deploy %d: %g requests failed, want %g", s.Seed, i+1, got, want)
		}
	}
}

// TestRolloutDrills plays the drills over seeds: the scripted operator meets all
// goals and ends the incidents, nobody misses one goal at least.
func TestRolloutDrills(t *testing.T) {
	for _, name := range []string{"watchdog-wins", "silent-drift", "bad-image"} {
		for seed := range uint32(20) {
			scripted, none := play(t, name, seed, true), play(t, name, seed, false)
			for _, g := range scripted.Score() {
				if !g.Met || !g.Final {
					t.Errorf("%s, seed %d: the scripted operator misses %q: %g", name, seed, g.ID, g.Value)
				}
			}
			if !slices.ContainsFunc(none.Score(), func(g GoalScore) bool { return !g.Met }) {
				t.Errorf("%s, seed %d: all goals are met without an operator", name, seed)
			}
			for _, in := range scripted.Truth().Incidents {
				if in.End == Never {
					t.Errorf("%s, seed %d: incident %s does not end", name, seed, in.ID)
				}
			}
		}
	}
}

// TestWatchdogWinsInEveryRun: the first release says success and the first
// server, and no other, has lost its gateway.
func TestWatchdogWinsInEveryRun(t *testing.T) {
	for seed := range uint32(50) {
		ended, states := deploys(t, "watchdog-wins", seed, true)
		if outcome := states[0].Last.Outcome; outcome != rollout.Success || detail(t, ended[0], "missing_containers") != 1 {
			t.Errorf("seed %d: the first release ends as %s: %v", seed, outcome, ended[0].Fields)
		}
		for i, v := range states[0].Servers {
			if v.File.Gateway == (i == 0) {
				t.Errorf("seed %d: the file of %s names a gateway: %t", seed, v.Name, v.File.Gateway)
			}
		}
		if detail(t, ended[1], "bad_gateways") != 0 {
			t.Errorf("seed %d: the second release: %v", seed, ended[1].Fields)
		}
	}
}

// TestNightCrashNeedsNobody: all goals are met and the incident is over without
// an operator, whichever server it is.
func TestNightCrashNeedsNobody(t *testing.T) {
	for seed := range uint32(20) {
		r := play(t, "night-crash", seed, false)
		for _, g := range r.Score() {
			if !g.Met {
				t.Errorf("seed %d: %q is missed: %g", seed, g.ID, g.Value)
			}
		}
		in := r.Truth().Incidents[0]
		if in.Harm == Never || in.End == Never || in.End-in.Start > 6*simulator.Minute {
			t.Errorf("seed %d: the incident is %d..%d, harm at %d", seed, in.Start, in.End, in.Harm)
		}
	}
}

// TestSilentDriftChangesEachNumber: the seed says which, and all four occur.
func TestSilentDriftChangesEachNumber(t *testing.T) {
	seen := map[rollout.Timings]int{}
	for seed := range uint32(40) {
		_, states := deploys(t, "silent-drift", seed, false)
		seen[states[0].Config.Timings]++
	}
	if len(seen) != 4 {
		t.Errorf("40 seeds give %d changes: %v", len(seen), seen)
	}
}
