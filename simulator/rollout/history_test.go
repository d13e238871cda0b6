package rollout_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/rollout"
	"github.com/firedrill/firedrill/simulator/schema"
	"pgregory.net/rapid"
)

// before returns the picture of the service in its history.
func before(h *simulator.History) *rollout.Snapshot {
	return h.Snapshot().Services[0].State.(*rollout.Snapshot)
}

// withHistory lets an engine have a history of so many minutes.
func withHistory(t failer, e *simulator.Engine, minutes int) *simulator.History {
	t.Helper()
	h, err := e.History(simulator.Tick(minutes) * simulator.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestHistoryGoesOn: no count falls at tick 0 or elsewhere, and what the servers
// counted is what the load balancer has, before and after.
func TestHistoryGoesOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := newRandom(t, rapid.Uint32().Draw(t, "seed"))
		h := withHistory(t, e, rapid.IntRange(1, 2).Draw(t, "history"))
		last := before(h)
		for h.Now() < 0 {
			h.Step()
			now := before(h)
			mustBalance(t, now)
			mustGrow(t, last, now)
			last = now
		}
		for range rapid.IntRange(1, 3).Draw(t, "stretches") {
			submitRandom(t, e)
			for range rapid.IntRange(1, 30).Draw(t, "seconds") {
				e.Step()
				now := state(e)
				mustBalance(t, now)
				mustGrow(t, last, now)
				last = now
			}
		}
	})
}

// TestHistoryHoldsTheOpening: nothing fails, is repaired or deployed in it, and
// probes go on in their rhythm.
func TestHistoryHoldsTheOpening(t *testing.T) {
	e := newEngine(t, 3, nil)
	h := withHistory(t, e, 60)
	for h.Now() < 0 {
		h.Step()
	}
	s := run(e, 3600)
	if s.Codes[rollout.BadGateway] != 0 || s.Minute.Budget != 1 {
		t.Errorf("%v, budget %g", s.Codes, s.Minute.Budget)
	}
	for _, v := range s.Servers {
		if want := int64(2 * 3600 / 5 * 3); v.Probes[rollout.OK200] != want || v.Repairs != 0 {
			t.Errorf("%s: %d good probe answers in two hours, want %d", v.Name, v.Probes[rollout.OK200], want)
		}
	}
}

// TestHistoryChangesNothing: trace, rows and events are the same with a history
// and without.
func TestHistoryChangesNothing(t *testing.T) {
	record := func(past int) []byte {
		e := newEngine(t, 9, schema.Args{"rate": 60})
		if past > 0 {
			for h := withHistory(t, e, past); h.Now() < 0; {
				h.Step()
			}
		}
		do(t, e, "deploy", nil)
		var out []byte
		for range 1200 {
			for _, event := range e.Step() {
				out = append(event.AppendJSON(out, e.Start()), '\n')
			}
			model := e.Services()[0].Model
			out = append(model.AppendTrace(out), '\n')
			out = fmt.Appendln(out, model.AppendRow(nil), model.Healthy(), model.Settings())
		}
		return out
	}
	if !bytes.Equal(record(0), record(5)) {
		t.Error("the trace with a history is another")
	}
}
