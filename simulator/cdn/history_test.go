package cdn

import (
	"bytes"
	"testing"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

// TestHistory: counters go on from the past, sessions stay balanced, and the run
// itself is the same with a past and without.
func TestHistory(t *testing.T) {
	config := schema.Args{"demand": 1.2, "lesson_share": 0.1}
	e, s := newEngine(t, 9, small(), config)
	h, err := e.History(20 * simulator.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for h.Now() < 0 {
		h.Step()
	}
	before := h.Snapshot().Services[0].State.(*Snapshot)
	if before.Kinds[Live].Started < 500 || before.Links[0].Sent == 0 || len(before.Users) == 0 {
		t.Fatalf("nothing happened before tick 0: %+v", before.Kinds[Live].SessionCounts)
	}
	after := e.Snapshot().Services[0].State.(*Snapshot)
	for i := range after.Links {
		if after.Links[i].Sent != before.Links[i].Sent+s.links[i].counts.Sent {
			t.Errorf("%s: %d bytes, %d before", after.Links[i].ID, after.Links[i].Sent, before.Links[i].Sent)
		}
	}
	run(e, 200)
	after = e.Snapshot().Services[0].State.(*Snapshot)
	for kind, k := range after.Kinds {
		if k.Started != k.Ended+k.Lost+int64(k.Running) {
			t.Errorf("%s: %+v, %d run", Content(kind), k.SessionCounts, k.Running)
		}
		if k.Segments.Total() < before.Kinds[kind].Segments.Total() || k.Sent < before.Kinds[kind].Sent {
			t.Errorf("%s: a counter fell", Content(kind))
		}
	}
	for i := range before.Users {
		if i >= len(after.Users) || after.Users[i].Watched < before.Users[i].Watched || after.Users[i].Operator != before.Users[i].Operator {
			t.Errorf("users %d: %+v, before %+v", i, after.Users[i], before.Users[i])
		}
	}
	other, alone := newEngine(t, 9, small(), config)
	run(other, 200)
	if a, b := s.AppendTrace(nil), alone.AppendTrace(nil); !bytes.Equal(a, b) {
		t.Errorf("with a past:\n%s\nwithout:\n%s", a, b)
	}
}
