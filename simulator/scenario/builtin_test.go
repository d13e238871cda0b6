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

// TestGoalsTellAnOperatorFromNone plays every drill over seeds: the scripted
// operator meets all goals, nobody misses one at least; and what the scripted
// operator mends is over before the drill is.
func TestGoalsTellAnOperatorFromNone(t *testing.T) {
	for _, name := range []string{"bad-deploy", "cache-flush", "viral-link"} {
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
				if in.Harm == Never || in.End == Never {
					t.Errorf("%s, seed %d: incident %s is %d..%d, harm at %d", name, seed, in.ID, in.Start, in.End, in.Harm)
				}
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
