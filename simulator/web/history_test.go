package web_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
	"github.com/firedrill/firedrill/simulator/web"
	"pgregory.net/rapid"
)

// history returns the history of an engine.
func history(t failer, e *simulator.Engine, d simulator.Tick) *simulator.History {
	t.Helper()
	h, err := e.History(d)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// before returns the picture of the service in its history.
func before(h *simulator.History) *web.Snapshot {
	return h.Snapshot().Services[0].State.(*web.Snapshot)
}

// recorded simulates minutes and returns everything that determinism promises.
func recorded(e *simulator.Engine, minutes int) []byte {
	var out []byte
	for range minutes {
		for range simulator.Minute {
			for _, event := range e.Step() {
				out = append(event.AppendJSON(out, e.Start()), '\n')
			}
		}
		for _, service := range e.Services() {
			out = append(service.Model.AppendTrace(out), '\n')
			out = fmt.Appendln(out, service.Model.AppendRow(nil), service.Model.Healthy(), service.Model.Settings())
		}
	}
	return out
}

// TestHistoryGoesOn runs random services with a past under random commands and
// looks at every second of both: no count falls at tick 0 or elsewhere that is
// not restarted, and nothing is counted twice or lost.
func TestHistoryGoesOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := newRandom(t, rapid.Uint32().Draw(t, "seed"))
		h := history(t, e, simulator.Tick(rapid.IntRange(1, 3).Draw(t, "history"))*simulator.Minute)
		ledger := newLedger()
		ledger.check(t, before(h))
		for h.Now() < 0 {
			h.Step()
			ledger.check(t, before(h))
		}
		last := before(h)
		if diff := cmp.Diff(last, state(e), cmpopts.IgnoreUnexported(web.Pod{}), cmpopts.IgnoreFields(web.Snapshot{}, "Minute")); diff != "" {
			t.Fatalf("the engine does not begin where the history ends:\n%s", diff)
		}
		for range rapid.IntRange(1, 5).Draw(t, "minutes") {
			for range rapid.IntRange(0, 3).Draw(t, "commands") {
				submitRandom(t, e)
			}
			for range simulator.Minute {
				e.Step()
				ledger.check(t, state(e))
			}
		}
		if s := state(e); s.Cost < last.Cost+s.Minute.Cost {
			t.Fatalf("the cost is %g after %g and %g", s.Cost, last.Cost, s.Minute.Cost)
		}
	})
}

// TestHistoryChangesNothing: trace, rows and events are the same with a history
// and without, for random services under random commands.
func TestHistoryChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint32().Draw(t, "seed")
		with := newRandom(t, seed)
		without := newEngine(t, seed, with.Start(), config(with))
		h := history(t, with, 2*simulator.Minute)
		for h.Now() < 0 {
			h.Step()
		}
		for range rapid.IntRange(0, 6).Draw(t, "commands") {
			submitRandom(t, with)
		}
		for _, cmd := range with.Log() {
			if _, err := without.Submit(cmd); err != nil {
				t.Fatal(err)
			}
		}
		if got, want := recorded(with, 8), recorded(without, 8); !bytes.Equal(got, want) {
			line, _ := firstDifference(got, want)
			t.Fatalf("with a history the run differs: %s", line)
		}
	})
}

// config returns the configuration of an engine's service as it was given.
func config(e *simulator.Engine) schema.Args {
	c := state(e).Config
	return schema.Args{
		"noise": c.Noise, "queueing": string(c.Queueing), "base_rate": float64(c.BaseRate), "low_priority_ratio": float64(c.LowPriority),
		"shed": float64(c.Shed), "floor": c.Floor, "baseline_error_ratio": float64(c.BaselineErrors), "blips_per_day": c.BlipsPerDay,
		"autoscaler": c.Autoscaler, "boot_delay": fmt.Sprintf("%dm", c.BootDelay), "timeout": fmt.Sprintf("%gs", float64(c.Timeout)),
	}
}

// TestHistoryHoldsTheOpening: a history of a day stays what the opening minute
// is, whatever the hour, and whatever the autoscaler and the cache would do.
func TestHistoryHoldsTheOpening(t *testing.T) {
	const day = 24 * 60 * simulator.Minute
	e := newEngine(t, 3, at(6, 0), schema.Args{"queueing": "exact", "base_rate": 2000, "floor": 8, "serving": 20, "warm": 0.5, "budget_remaining": 0.2, "baseline_error_ratio": 1e-3})
	h := history(t, e, day)
	for h.Now() < 0 {
		if h.Step(); h.Now()%simulator.Minute == 0 {
			s := before(h)
			if s.Minute.Serving != 20 || s.Minute.Booting != 0 || s.Minute.Warm != 0.5 || s.Minute.Budget != 0.2 || len(s.Pods) != 20 {
				t.Fatalf("tick %d: %d pods, %+v", h.Now(), len(s.Pods), s.Minute)
			}
		}
	}
	s := before(h)
	var came int64
	for _, n := range s.Codes {
		came += n
	}
	near(t, "requests/s", float64(came)/float64(day), 2000, 2000*0.02*5/38)
	near(t, "error ratio", float64(s.Codes[web.ServerError])/float64(came), 1e-3, 1e-5)
	near(t, "cost", float64(s.Cost), 24*20*0.40, 1e-6)
	for _, p := range s.Pods {
		if p.Started != -day || p.Created != -day || p.State != web.Serving {
			t.Errorf("%s started at %d", p.Name, p.Started)
		}
	}
}

// TestHistoryAndRestarts: what starts anew counts from 0, in place and under a
// new name; the load balancer counts on; and created times tell.
func TestHistoryAndRestarts(t *testing.T) {
	e := newEngine(t, 5, at(9, 0), schema.Args{"floor": 4, "baseline_error_ratio": 1e-3})
	h := history(t, e, 10*simulator.Minute)
	for h.Now() < 0 {
		h.Step()
	}
	was := before(h)
	do(t, e, "restart_instances", schema.Args{"count": 1})
	s := run(e, 1)
	if p := s.Pods[0]; requests(p) > 1000 || p.Latency.Total() != requests(p) || p.Started != 0 || p.Created != -600 || p.Name != was.Pods[0].Name {
		t.Errorf("restarted at tick 0: %d requests since %d, created %d", requests(p), p.Started, p.Created)
	}
	if p := s.Pods[1]; requests(p) <= requests(was.Pods[1]) || p.Started != -600 {
		t.Errorf("not restarted: %d requests after %d, since %d", requests(p), requests(was.Pods[1]), p.Started)
	}
	run(e, simulator.Minute-1)
	do(t, e, "kill_instances", schema.Args{"count": 4})
	s = run(e, 5*simulator.Minute)
	for _, p := range s.Pods {
		switch {
		case p.ID > 4 && p.State == web.Serving && (requests(p) == 0 || p.Started < 60 || p.Created < 60):
			t.Errorf("%s replaces another and has %d requests since %d", p.Name, requests(p), p.Started)
		case p.ID > 1 && p.ID <= 4 && (p.State != web.Down || requests(p) <= requests(was.Pods[p.ID-1]) || p.Started != -600):
			t.Errorf("%s is %s with %d requests since %d", p.Name, p.State, requests(p), p.Started)
		}
	}
	if s.Codes[web.OK] <= was.Codes[web.OK] {
		t.Errorf("the load balancer saw %d answers after %d", s.Codes[web.OK], was.Codes[web.OK])
	}
}
