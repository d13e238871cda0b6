package scenario

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/firedrill/firedrill/simulator"
)

func TestBuiltinsAreThoseInTheFolder(t *testing.T) {
	paths, err := filepath.Glob("builtin/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		name := filepath.Base(path[:len(path)-len(".yaml")])
		s, ok := FindBuiltin(name)
		if !ok || s.Name != name || s.Title == s.Name || s.Briefing == "" {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if len(paths) != len(Builtin()) {
		t.Errorf("%d files, %d scenarios", len(paths), len(Builtin()))
	}
	if _, ok := FindBuiltin("nothing"); ok {
		t.Error("there is a scenario called nothing")
	}
}

// play runs a built-in scenario to the end of the drill.
func play(t *testing.T, name string, seed uint32, scripted bool) *Run {
	t.Helper()
	s, _ := FindBuiltin(name)
	r, err := s.NewRun(Options{Seed: &seed, Scripted: scripted})
	if err != nil {
		t.Fatalf("%s, seed %d: %v", name, seed, err)
	}
	for !r.Ended() {
		r.Step()
	}
	return r
}

// seeds says over how many seeds each drill is played: fewer where it is long.
var seeds = map[string]uint32{
	"bad-deploy": 20, "cache-flush": 20, "viral-link": 20,
	"kick-off": 2, "link-cut": 8, "maintenance": 8, "pandemic": 1, "tournament-evening": 1,
}

// TestGoalsTellAnOperatorFromNone plays every drill over seeds: the scripted
// operator meets all goals, nobody misses one at least; and what the scripted
// operator mends is over before the drill is.
func TestGoalsTellAnOperatorFromNone(t *testing.T) {
	for name, n := range seeds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range n {
				scripted, none := play(t, name, seed, true), play(t, name, seed, false)
				for _, g := range scripted.Score() {
					if !g.Met || !g.Final {
						t.Errorf("seed %d: the scripted operator misses %q: %g", seed, g.ID, g.Value)
					}
				}
				if !slices.ContainsFunc(none.Score(), func(g GoalScore) bool { return !g.Met }) {
					t.Errorf("seed %d: all goals are met without an operator", seed)
				}
				for _, in := range scripted.Truth().Incidents {
					prevented := name == "maintenance"
					if (in.Harm == Never) != prevented || in.End == Never {
						t.Errorf("seed %d: incident %s is %d..%d, harm at %d", seed, in.ID, in.Start, in.End, in.Harm)
					}
				}
			}
		})
	}
}

// TestKickOffIsTheTable: with the values of each row of the table in
// docs/models/cdn.md the scenario gives its figures, over the second hour.
func TestKickOffIsTheTable(t *testing.T) {
	s, _ := FindBuiltin("kick-off")
	for _, row := range []struct {
		algorithm, gauge string
		mean             [2]float64 // of the first link's load
		over             [2]float64 // share of the time above 95 %, of either link
	}{
		{"piecewise", "device", [2]float64{0.75, 0.87}, [2]float64{0.2, 0.45}},
		{"damped", "device", [2]float64{0.7, 0.85}, [2]float64{0, 0.01}},
		{"pid", "device", [2]float64{0.835, 0.865}, [2]float64{0, 0}},
		{"pid", "senders", [2]float64{0.905, 0.945}, [2]float64{0, 0.05}},
		{"piecewise", "senders", [2]float64{0.82, 0.86}, [2]float64{0, 0}},
	} {
		seed := uint32(3)
		r, err := s.NewRun(Options{Seed: &seed, Set: []Override{{"video", "algorithm", row.algorithm}, {"video", "gauge", row.gauge}}})
		if err != nil {
			t.Fatal(err)
		}
		mean, over := 0.0, [2]float64{}
		for !r.Ended() {
			r.Step()
			if now := r.Now() - 1; now > 60*simulator.Minute && now%simulator.Minute == 0 {
				links := r.Services()[0].Model.(simulator.Lister).Items(0)
				mean += links[0].Values[0] / 59
				for i := range over {
					over[i] += links[i].Values[1] / 59
				}
			}
		}
		within := func(x float64, of [2]float64) bool { return x >= of[0] && x <= of[1] }
		if !within(mean, row.mean) || !within(over[0], row.over) || !within(over[1], row.over) {
			t.Errorf("%s, %s: a mean of %.3f, %.2f and %.2f of the time above 95 %%", row.algorithm, row.gauge, mean, over[0], over[1])
		}
	}
}

// TestConcertNeedsNobody: what happens is no incident. The lessons lose more than
// half of their viewers while there is more traffic than before, nobody waits, and they come back.
func TestConcertNeedsNobody(t *testing.T) {
	s, _ := FindBuiltin("concert")
	if len(s.Incidents) != 0 || len(s.Operator) != 0 {
		t.Errorf("%d incidents, %d steps of an operator", len(s.Incidents), len(s.Operator))
	}
	for seed := range uint32(5) {
		r, err := s.NewRun(Options{Seed: &seed})
		if err != nil {
			t.Fatal(err)
		}
		rows := map[simulator.Tick][]float64{}
		for !r.Ended() {
			r.Step()
			if now := r.Now() - 1; now%simulator.Minute == 0 {
				rows[now/simulator.Minute] = r.AppendRow(nil, 0)
				if !r.Services()[0].Model.Healthy() {
					t.Errorf("seed %d: users suffer in minute %d", seed, now/simulator.Minute)
				}
			}
		}
		column := func(key string, minute simulator.Tick) float64 {
			return rows[minute][findColumn(s.Services[0].Kind, key)]
		}
		const lessons, demand = "lesson_bits_per_second", "demand_bits_per_second"
		if fall := column(lessons, 55) / column(lessons, 29); fall > 0.5 {
			t.Errorf("seed %d: %g of the lessons are left", seed, fall)
		}
		if column(demand, 55) <= column(demand, 29) {
			t.Errorf("seed %d: the demand falls from %g to %g", seed, column(demand, 29), column(demand, 55))
		}
		if back := column(lessons, 110) / column(lessons, 29); back < 0.85 {
			t.Errorf("seed %d: %g of the lessons are back", seed, back)
		}
		for _, g := range r.Score() {
			if !g.Met {
				t.Errorf("seed %d: %s is missed", seed, g.ID)
			}
		}
	}
}

func TestBadDeployDoesNotMendItself(t *testing.T) {
	if in := play(t, "bad-deploy", 1, false).Truth().Incidents[0]; in.Start != 600 || in.Harm != 600 || in.End != Never {
		t.Errorf("the incident is %d..%d, harm at %d", in.Start, in.End, in.Harm)
	}
	if in := play(t, "bad-deploy", 1, true).Truth().Incidents[0]; in.End != 29*60 {
		t.Errorf("rolled back at 09:24 it ends at %d, want five minutes later", in.End)
	}
}

func TestViralLinkComesAtATimeThatNobodyKnows(t *testing.T) {
	at := map[simulator.Tick]bool{}
	for seed := range uint32(20) {
		s, _ := FindBuiltin("viral-link")
		r, err := s.NewRun(Options{Seed: &seed})
		if err != nil {
			t.Fatal(err)
		}
		at[r.Truth().Events[0].Applies] = true
	}
	if len(at) < 10 {
		t.Errorf("20 seeds give %d times", len(at))
	}
}

func TestCalmHasNoIncidents(t *testing.T) {
	if s, _ := FindBuiltin("calm"); len(s.Incidents) != 0 || len(s.Events) != 0 {
		t.Errorf("calm has %d incidents and %d events", len(s.Incidents), len(s.Events))
	}
}

func TestSourceIsWhatIsParsed(t *testing.T) {
	want, err := os.ReadFile("builtin/calm.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if string(Source("calm")) != string(want) {
		t.Error("Source gives another file")
	}
}
