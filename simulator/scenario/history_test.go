package scenario

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firedrill/firedrill/simulator"
)

// record simulates a run for two hours, its drill at most, and returns
// everything that determinism promises.
func record(r *Run) []byte {
	var out []byte
	for r.Now() < 120*simulator.Minute && !r.Ended() {
		for _, event := range r.Step() {
			out = append(event.AppendJSON(out, r.Start()), '\n')
		}
		if r.Now()%simulator.Minute == 1 {
			for i, service := range r.Services() {
				out = append(service.Model.AppendTrace(out), '\n')
				out = fmt.Appendln(out, r.AppendRow(nil, i))
			}
		}
	}
	return fmt.Appendf(out, "%+v\n%+v\n", r.Score(), r.Truth())
}

// TestHistoryOfEveryScenario: every service of a built-in scenario has a
// history, and what happens in the drill does not depend on it.
func TestHistoryOfEveryScenario(t *testing.T) {
	for _, s := range Builtin() {
		t.Run(s.Name, func(t *testing.T) {
			with, without := mustStart(t, s), mustStart(t, s)
			h, err := with.History(60 * simulator.Minute)
			if err != nil {
				t.Fatal(err)
			}
			for h.Now() < 0 {
				h.Step()
			}
			if got := len(h.Snapshot().Services); got != len(s.Services) || !h.Start().Equal(with.Start()) {
				t.Errorf("%d of %d services have a history", got, len(s.Services))
			}
			if diff := cmp.Diff(string(record(without)), string(record(with))); diff != "" {
				t.Errorf("seed %d: the run differs with a history:\n%s", s.Seed, diff)
			}
		})
	}
}

// TestHistoryIsDeterministic: one seed, one history; another seed, another.
func TestHistoryIsDeterministic(t *testing.T) {
	s, _ := FindBuiltin("bad-deploy")
	first, again, other := past(t, s, 1), past(t, s, 1), past(t, s, 2)
	if !bytes.Equal(first, again) || bytes.Equal(first, other) {
		t.Errorf("seed 1 gave\n%s\nthen\n%s\nseed 2 gave\n%s", first, again, other)
	}
}

// past writes down the end of a history of ten minutes.
func past(t *testing.T, s *Scenario, seed uint32) []byte {
	t.Helper()
	r, err := s.NewRun(Options{Seed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	h, err := r.History(10 * simulator.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for h.Now() < 0 {
		h.Step()
	}
	return fmt.Appendf(nil, "%+v", h.Snapshot().Services[0].State)
}

func mustStart(t *testing.T, s *Scenario) *Run {
	t.Helper()
	r, err := s.NewRun(Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
