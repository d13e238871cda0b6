package simulator_test

import (
	"slices"
	"testing"

	"github.com/firedrill/firedrill/simulator"
)

// clock is a bell with a past, which counts the seconds since it began.
type clock struct {
	bell
	began simulator.Tick
}

type past struct {
	of  *clock
	now []simulator.Tick
	end int
}

func (c *clock) Past(from simulator.Tick) simulator.Past {
	return &past{of: c, now: []simulator.Tick{from}}
}
func (c *clock) Snapshot() any { return c.now - c.began }

func (p *past) Step(now simulator.Tick) { p.now = append(p.now, now+1) }
func (p *past) Snapshot() any           { return slices.Clone(p.now) }
func (p *past) End()                    { p.of.began, p.end = p.now[0], p.end+1 }

// newClock returns an engine of a service that has a history after one that has
// none.
func newClock(t *testing.T) *simulator.Engine {
	t.Helper()
	e, err := simulator.New(simulator.Config{Seed: 1, Services: []simulator.Service{
		{Name: "bell", Kind: bellKind, Model: &bell{grain: 1}},
		{Name: "clock", Kind: bellKind, Model: &clock{bell: bell{grain: 1}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestHistory: it goes from below 0 to 0 and no further; then the engine goes
// on from there. Services without a history are in the engine's pictures only.
func TestHistory(t *testing.T) {
	e := newClock(t)
	h, err := e.History(2 * simulator.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for tick := simulator.Tick(-120); tick <= 0; tick++ {
		s := h.Snapshot()
		if h.Now() != tick || s.Tick != tick || s.Since != -120 || s.Seed != 1 || len(s.Services) != 1 || s.Services[0].Name != "clock" || s.Services[0].Row == nil {
			t.Fatalf("at tick %d: %d, %+v", tick, h.Now(), s)
		}
		if now := s.Services[0].State.([]simulator.Tick); now[len(now)-1] != tick {
			t.Fatalf("at tick %d the service is at %v", tick, now)
		}
		if got := e.Snapshot(); got.Tick != 0 || got.Since != 0 && tick < 0 {
			t.Fatalf("at tick %d the engine shows %+v", tick, got)
		}
		h.Step()
	}
	h.Step()
	e.Step()
	s := e.Snapshot()
	if s.Tick != 1 || s.Since != -120 || len(s.Services) != 2 || s.Services[1].State != simulator.Tick(121) {
		t.Errorf("after the history: %+v", s)
	}
}

// TestHistoryRefuses what is no whole number of minutes, and what would not end
// where the engine begins.
func TestHistoryRefuses(t *testing.T) {
	e := newClock(t)
	for _, d := range []simulator.Tick{-60, 0, 1, 59, 61, 3601} {
		if h, err := e.History(d); err == nil {
			t.Errorf("a history of %d seconds: %+v", d, h)
		}
	}
	e.Step()
	if h, err := e.History(simulator.Minute); err == nil {
		t.Errorf("a history after the first step: %+v", h)
	}
}
