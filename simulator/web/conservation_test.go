package web_test

import (
	"fmt"
	"testing"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/latency"
	"github.com/firedrill/firedrill/simulator/schema"
	"github.com/firedrill/firedrill/simulator/web"
	"pgregory.net/rapid"
)

// TestConservation runs random services under random commands and looks at
// every second: nothing is counted twice or lost, and nothing falls that is not
// restarted.
func TestConservation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint32().Draw(t, "seed")
		e := newRandom(t, seed)
		ledger := newLedger()
		ledger.check(t, state(e))
		for range rapid.IntRange(1, 12).Draw(t, "minutes") {
			for range rapid.IntRange(0, 3).Draw(t, "commands") {
				submitRandom(t, e)
			}
			for range simulator.Minute {
				e.Step()
				ledger.check(t, state(e))
			}
		}
	})
}

func newRandom(t *rapid.T, seed uint32) *simulator.Engine {
	config := schema.Args{
		"noise":                rapid.Bool().Draw(t, "noise"),
		"queueing":             rapid.SampledFrom([]string{"textbook", "exact"}).Draw(t, "queueing"),
		"base_rate":            rapid.SampledFrom([]float64{0, 0.3, 7, 900, 5000, 1e5}).Draw(t, "base_rate"),
		"low_priority_ratio":   rapid.SampledFrom([]float64{0, 0.3, 1}).Draw(t, "low_priority_ratio"),
		"shed":                 rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "shed"),
		"floor":                rapid.IntRange(1, 20).Draw(t, "floor"),
		"baseline_error_ratio": rapid.SampledFrom([]float64{0, 1e-4, 0.3, 1}).Draw(t, "baseline_error_ratio"),
		"blips_per_day":        rapid.SampledFrom([]float64{0, 1440}).Draw(t, "blips_per_day"),
		"autoscaler":           rapid.Bool().Draw(t, "autoscaler"),
		"boot_delay":           rapid.SampledFrom([]string{"1m", "3m"}).Draw(t, "boot_delay"),
		"timeout":              rapid.SampledFrom([]string{"2s", "700ms", "100ms"}).Draw(t, "timeout"),
	}
	return newEngine(t, seed, at(9, 59), config)
}

func submitRandom(t *rapid.T, e *simulator.Engine) {
	minutes := func(name string) string { return fmt.Sprintf("%dm", rapid.IntRange(1, 4).Draw(t, name)) }
	ratio := func(name string) float64 { return rapid.Float64Range(0, 1).Draw(t, name) }
	count := func() schema.Args { return schema.Args{"count": rapid.IntRange(1, 30).Draw(t, "count")} }
	actions := map[string]func() schema.Args{
		"set": func() schema.Args {
			return schema.Args{"floor": rapid.IntRange(1, 40).Draw(t, "floor"), "autoscaler": rapid.Bool().Draw(t, "autoscaler"),
				"shed": ratio("shed"), "recommendations": rapid.Bool().Draw(t, "recommendations")}
		},
		"warm_cache":       nil,
		"rollback":         nil,
		"deploy_bad_build": nil,
		"flush_cache":      nil,
		"surge": func() schema.Args {
			return schema.Args{"factor": rapid.SampledFrom([]float64{0, 0.5, 3, 20}).Draw(t, "factor"), "rise": minutes("rise"), "hold": minutes("hold"), "fall": minutes("fall")}
		},
		"set_boot_delay":        func() schema.Args { return schema.Args{"delay": minutes("delay")} },
		"kill_instances":        count,
		"restart_instances":     count,
		"break_pod":             func() schema.Args { return schema.Args{"error_ratio": ratio("error_ratio"), "for": minutes("for")} },
		"slow_database":         func() schema.Args { return schema.Args{"factor": 5.0, "for": minutes("for")} },
		"set_database_capacity": func() schema.Args { return schema.Args{"rate": 1000} },
		"set_baseline_errors":   func() schema.Args { return schema.Args{"ratio": ratio("ratio")} },
		"monitoring_gap":        func() schema.Args { return schema.Args{"for": minutes("for")} },
	}
	var names []string
	for _, a := range web.Kind().Actions {
		names = append(names, a.Name)
	}
	name := rapid.SampledFrom(names).Draw(t, "action")
	make, known := actions[name]
	if !known {
		t.Fatalf("the test does not know the action %q", name)
	}
	var args schema.Args
	if make != nil {
		args = make()
	}
	if _, err := e.Submit(simulator.Command{Service: "shop", Do: name, Args: args, Source: simulator.Operator}); err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
}

// ledger follows the counters of a service from second to second.
type ledger struct {
	last *web.Snapshot
	pods map[int]web.Pod // as they were last seen
	past [web.Codes]int64
}

func newLedger() *ledger { return &ledger{pods: map[int]web.Pod{}} }

func (l *ledger) check(t *rapid.T, s *web.Snapshot) {
	l.checkPods(t, s)
	l.checkBalance(t, s)
	if l.last != nil {
		l.checkGrowth(t, s)
	}
	l.last = s
}

// checkPods compares every pod with itself a second ago: it counts on, or it
// is gone for good with all it had, or it was restarted.
func (l *ledger) checkPods(t *rapid.T, s *web.Snapshot) {
	seen := map[int]bool{}
	for i, p := range s.Pods {
		if i > 0 && s.Pods[i-1].ID >= p.ID {
			t.Fatalf("pod %d follows pod %d", p.ID, s.Pods[i-1].ID)
		}
		seen[p.ID] = true
		if n := requests(p); n != p.Latency.Total() {
			t.Fatalf("%s counts %d requests and %d times", p.Name, n, p.Latency.Total())
		}
		before, known := l.pods[p.ID]
		if known && before.Started != p.Started && before.State == web.Serving {
			if requests(p) > requests(before) && requests(before) > 0 {
				t.Fatalf("%s restarted and counts on from %d", p.Name, requests(before))
			}
			l.add(before)
		} else if known {
			mustGrow(t, before, p)
		}
		if p.State == web.Down || p.State == web.Retired {
			if known && before.State == web.Serving {
				l.add(p)
			}
			if known && before.State != web.Serving && requests(before) != requests(p) {
				t.Fatalf("%s is %s and counts on", p.Name, p.State)
			}
		}
		l.pods[p.ID] = p
	}
	for id, p := range l.pods {
		if !seen[id] {
			if p.State == web.Serving {
				t.Fatalf("%s was serving and has vanished", p.Name)
			}
			delete(l.pods, id)
		}
	}
}

// add notes what a process had counted when it ended.
func (l *ledger) add(p web.Pod) {
	for _, byCode := range p.Requests {
		for code, n := range byCode {
			l.past[code] += n
		}
	}
}

// checkBalance: the load balancer's answers are those of all pods there ever
// were plus its own.
func (l *ledger) checkBalance(t *rapid.T, s *web.Snapshot) {
	pods := l.past
	for _, p := range s.Pods {
		if p.State == web.Serving {
			for _, byCode := range p.Requests {
				for code, n := range byCode {
					pods[code] += n
				}
			}
		}
	}
	var fromPods int64
	for code := range web.PodCodes {
		if pods[code] != s.Codes[code] {
			t.Fatalf("code %d: the pods answered %d, the load balancer saw %d", web.Code(code).Status(), pods[code], s.Codes[code])
		}
		fromPods += pods[code]
	}
	if n := s.Latency.Total(); n != fromPods {
		t.Fatalf("the load balancer's histogram counts %d, the pods answered %d", n, fromPods)
	}
}

func (l *ledger) checkGrowth(t *rapid.T, s *web.Snapshot) {
	for code, n := range s.Codes {
		if n < l.last.Codes[code] {
			t.Fatalf("code %d fell from %d to %d", web.Code(code).Status(), l.last.Codes[code], n)
		}
	}
	for i, n := range s.Latency.Count {
		if n < l.last.Latency.Count[i] {
			t.Fatalf("cell %d of the load balancer's histogram fell from %d to %d", i, l.last.Latency.Count[i], n)
		}
	}
	if s.Latency.Sum < l.last.Latency.Sum {
		t.Fatalf("the sum of times fell from %g to %g", l.last.Latency.Sum, s.Latency.Sum)
	}
	if s.CacheHits < l.last.CacheHits || s.CacheMisses < l.last.CacheMisses || s.Queries < l.last.Queries {
		t.Fatalf("cache or database counters fell: %d %d %d to %d %d %d", l.last.CacheHits, l.last.CacheMisses, l.last.Queries,
			s.CacheHits, s.CacheMisses, s.Queries)
	}
}

func mustGrow(t *rapid.T, before, now web.Pod) {
	for priority, byCode := range now.Requests {
		for code, n := range byCode {
			if n < before.Requests[priority][code] {
				t.Fatalf("%s: %s code %d fell from %d to %d", now.Name, web.Priority(priority), web.Code(code).Status(), before.Requests[priority][code], n)
			}
		}
	}
	for i := range latency.Cells() {
		if now.Latency.Count[i] < before.Latency.Count[i] {
			t.Fatalf("%s: cell %d fell from %d to %d", now.Name, i, before.Latency.Count[i], now.Latency.Count[i])
		}
	}
	if now.Latency.Sum < before.Latency.Sum {
		t.Fatalf("%s: the sum of times fell from %g to %g", now.Name, before.Latency.Sum, now.Latency.Sum)
	}
}

// requests is the number of answers of a pod.
func requests(p web.Pod) int64 {
	var n int64
	for _, byCode := range p.Requests {
		for _, k := range byCode {
			n += k
		}
	}
	return n
}
