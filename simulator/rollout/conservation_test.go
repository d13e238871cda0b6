package rollout_test

import (
	"fmt"
	"testing"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/rollout"
	"github.com/firedrill/firedrill/simulator/schema"
	"pgregory.net/rapid"
)

func newRandom(t *rapid.T, seed uint32) *simulator.Engine {
	return newEngine(t, seed, schema.Args{
		"noise":           rapid.Bool().Draw(t, "noise"),
		"rate":            rapid.SampledFrom([]float64{0, 0.16, 3, 120, 230, 400, 1e5}).Draw(t, "rate"),
		"drain_serve":     rapid.SampledFrom([]string{"0s", "5s", "15s", "60s"}).Draw(t, "drain_serve"),
		"drain_total":     rapid.SampledFrom([]string{"0s", "20s", "150s"}).Draw(t, "drain_total"),
		"interval":        rapid.SampledFrom([]string{"1s", "5s", "30s"}).Draw(t, "interval"),
		"strikes":         rapid.IntRange(1, 4).Draw(t, "strikes"),
		"lock":            rapid.Bool().Draw(t, "lock"),
		"single_source":   rapid.Bool().Draw(t, "single_source"),
		"verify":          rapid.Bool().Draw(t, "verify"),
		"deregister":      rapid.Bool().Draw(t, "deregister"),
		"jobs_per_minute": rapid.SampledFrom([]float64{0, 2, 60}).Draw(t, "jobs_per_minute"),
	})
}

// submitRandom submits any action with any arguments; what is refused must
// change nothing, which the checks after it see.
func submitRandom(t *rapid.T, e *simulator.Engine) {
	second := func(name string, low, high int) string {
		return schema.FormatSeconds(float64(rapid.IntRange(low, high).Draw(t, name)))
	}
	server := func() schema.Args { return schema.Args{"server": rapid.IntRange(1, rollout.Servers).Draw(t, "server")} }
	container := func() schema.Args {
		args := server()
		args["container"] = rollout.Container(rapid.IntRange(0, rollout.Containers-1).Draw(t, "container")).String()
		return args
	}
	actions := map[string]func() schema.Args{
		"deploy":       nil,
		"abort_deploy": nil,
		"set": func() schema.Args {
			return schema.Args{"force": true, "drain_serve": second("drain_serve", 0, 60), "drain_total": second("drain_total", 0, 60),
				"interval": second("interval", 1, 30), "unhealthy_threshold": rapid.IntRange(1, 10).Draw(t, "unhealthy_threshold"),
				"healthy_threshold": rapid.IntRange(1, 10).Draw(t, "healthy_threshold"), "strikes": rapid.IntRange(1, 5).Draw(t, "strikes"),
				"watchdog_interval": second("watchdog_interval", 1, 90), "stop_grace": second("stop_grace", 1, 90), "lock": rapid.Bool().Draw(t, "lock"),
				"single_source": rapid.Bool().Draw(t, "single_source"), "verify": rapid.Bool().Draw(t, "verify"),
				"deregister": rapid.Bool().Draw(t, "deregister"), "rate": rapid.SampledFrom([]float64{0, 0.16, 120, 1000}).Draw(t, "rate")}
		},
		"preset": func() schema.Args {
			return schema.Args{"name": rapid.SampledFrom([]string{"before", "problem-1-repaired", "both-repaired"}).Draw(t, "preset")}
		},
		"restart_container": container,
		"fix_compose":       server,
		"pause_watchdog":    nil,
		"resume_watchdog":   nil,
		"break_container":   container,
		"bad_image":         nil,
		"drift":             func() schema.Args { return schema.Args{"number": rapid.IntRange(1, 4).Draw(t, "number")} },
	}
	var names []string
	for _, a := range rollout.Kind().Actions {
		names = append(names, a.Name)
	}
	name := rapid.SampledFrom(append(names, "deploy", "deploy")).Draw(t, "action")
	arguments, known := actions[name]
	if !known {
		t.Fatalf("the test does not know the action %q", name)
	}
	var args schema.Args
	if arguments != nil {
		args = arguments()
	}
	before := fmt.Sprint(state(e))
	if err := submit(e, simulator.Operator, name, args); err != nil && fmt.Sprint(state(e)) != before {
		t.Fatalf("%s %v is refused and changes the service", name, args)
	}
}

// TestConservation runs random services under random commands and looks at
// every second: nothing is counted twice or lost, and no counter falls.
func TestConservation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := newRandom(t, rapid.Uint32().Draw(t, "seed"))
		before := state(e)
		for range rapid.IntRange(1, 5).Draw(t, "stretches") {
			for range rapid.IntRange(0, 3).Draw(t, "commands") {
				submitRandom(t, e)
			}
			for range rapid.IntRange(1, 50).Draw(t, "seconds") {
				e.Step()
				now := state(e)
				mustBalance(t, now)
				mustGrow(t, before, now)
				before = now
			}
		}
	})
}

// mustBalance: what the servers and their histograms have counted is what the
// load balancer has.
func mustBalance(t *rapid.T, s *rollout.Snapshot) {
	var answered, turned int64
	for _, v := range s.Servers {
		answered += v.Answered
		turned += v.TurnedAway
		if n := v.Latency.Total(); n != v.Answered {
			t.Fatalf("%s answers %d requests and counts %d times", v.Name, v.Answered, n)
		}
	}
	if answered != s.Codes[rollout.OK] || turned != s.Codes[rollout.TooBusy] || s.Latency.Total() != answered {
		t.Fatalf("the servers answer %d and turn %d away, the load balancer sees %v and %d times", answered, turned, s.Codes, s.Latency.Total())
	}
}

func mustGrow(t *rapid.T, before, now *rollout.Snapshot) {
	for c, n := range now.Codes {
		if n < before.Codes[c] {
			t.Fatalf("code %d falls from %d to %d", rollout.Code(c).Status(), before.Codes[c], n)
		}
	}
	for i, n := range now.Latency.Count {
		if n < before.Latency.Count[i] {
			t.Fatalf("cell %d falls from %d to %d", i, before.Latency.Count[i], n)
		}
	}
	if now.Latency.Sum < before.Latency.Sum {
		t.Fatalf("the sum of times falls from %g to %g", before.Latency.Sum, now.Latency.Sum)
	}
	for i := range now.Servers {
		b, a := counters(&before.Servers[i]), counters(&now.Servers[i])
		for k := range a {
			if a[k] < b[k] {
				t.Fatalf("server %d: counter %d falls from %d to %d", i+1, k, b[k], a[k])
			}
		}
	}
}

func counters(v *rollout.Server) []int64 {
	return append(v.Probes[:], v.Answered, v.TurnedAway, v.Refused, v.FailingSeconds, v.Repairs, v.SkippedChecks, v.LockWait, v.JobsFinished, v.JobsLost, v.JobsMoved)
}

// TestRequestsAreCountedOnce: without noise every request that comes has exactly
// one answer, at any rate, through deploys and crashes.
func TestRequestsAreCountedOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.SampledFrom([]float64{0.25, 7, 120.5, 300}).Draw(t, "rate")
		e := newEngine(t, 1, schema.Args{"noise": false, "rate": rate})
		preset(t, e, rollout.Before)
		do(t, e, "deploy", nil)
		for seconds := 0; seconds < 400; {
			n := rapid.IntRange(1, 200).Draw(t, "seconds")
			s := run(e, simulator.Tick(n))
			seconds += n
			var all int64
			for _, k := range s.Codes {
				all += k
			}
			if want := int64(rate * float64(seconds)); all != want {
				t.Fatalf("%d answers to %d requests", all, want)
			}
		}
	})
}

// TestNoDeadlock: whatever people do in whichever phase (a container that dies
// under the lock, a bad image, an abort, timings changed in mid-deploy), the job
// ends within its time, the lock is free, and the next deploy with the shipped
// settings succeeds and leaves every server well.
func TestNoDeadlock(t *testing.T) {
	const longest = 3 * (10 + 2 + 150 + 6 + 30 + 300) // of a deploy
	rapid.Check(t, func(t *rapid.T) {
		e := newRandom(t, rapid.Uint32().Draw(t, "seed"))
		for range rapid.IntRange(1, 12).Draw(t, "stretches") {
			submitRandom(t, e)
			run(e, simulator.Tick(rapid.IntRange(1, 120).Draw(t, "seconds")))
		}
		s := run(e, longest)
		if s.Deploy.Phase != rollout.Idle {
			t.Fatalf("the deploy is %s after %d s", s.Deploy.Phase, longest)
		}
		for _, v := range s.Servers {
			if v.Lock == rollout.HeldByDeploy {
				t.Fatalf("the lock of %s is still held", v.Name)
			}
		}
		recoverAll(t, e)
	})
}

// recoverAll puts the shipped settings in force and deploys.
func recoverAll(t *rapid.T, e *simulator.Engine) {
	preset(t, e, rollout.BothRepaired)
	do(t, e, "set", schema.Args{"force": true, "drain_total": "150s", "watchdog_interval": "60s", "deregister": false, "rate": 120})
	do(t, e, "resume_watchdog", nil)
	run(e, 1)
	if r := deploy(t, e); r.Outcome != rollout.Success { // an image may still be bad
		if r := deploy(t, e); r.Outcome != rollout.Success {
			t.Fatalf("the next deploy ends as %s", r.Outcome)
		}
	}
	s := run(e, 120)
	for _, v := range s.Servers {
		if v.Target != rollout.Healthy || v.Health != rollout.OK200 || !v.Listening || v.Version != s.Servers[0].Version || !v.File.Gateway || v.Lock != rollout.Free {
			t.Fatalf("after the next deploy: %+v", v)
		}
		for c, k := range v.Containers {
			if k != rollout.Running {
				t.Fatalf("%s of %s is %s", rollout.Container(c), v.Name, k)
			}
		}
	}
}

// TestAbortInEachPhase: the job ends, the lock is free and the server well.
func TestAbortInEachPhase(t *testing.T) {
	seen := map[rollout.Phase]bool{}
	for second := range simulator.Tick(210) {
		e := newEngine(t, 1, schema.Args{"noise": false, "deregister": true})
		do(t, e, "deploy", nil)
		phase := run(e, second+1).Deploy.Phase
		seen[phase] = true
		do(t, e, "abort_deploy", nil)
		until(t, e, "deploy_finished", 600)
		s := run(e, 60)
		if s.Last.Outcome != rollout.Aborted {
			t.Errorf("aborted while %s: %s", phase, s.Last.Outcome)
		}
		for _, v := range s.Servers {
			if v.Target != rollout.Healthy || v.Lock != rollout.Free {
				t.Errorf("aborted while %s: %s is %s, its lock held by %s", phase, v.Name, v.Target, v.Lock)
			}
		}
	}
	for p := rollout.Deregistering; p < rollout.Phases; p++ {
		if !seen[p] {
			t.Errorf("no deploy was aborted while %s", p)
		}
	}
}

// TestAContainerDiesUnderTheLock: the watchdog may not help, the deploy gives up,
// and then the watchdog does.
func TestAContainerDiesUnderTheLock(t *testing.T) {
	e := newEngine(t, 1, schema.Args{"noise": false})
	do(t, e, "deploy", nil)
	run(e, 150+4+25+1)
	do(t, e, "break_container", schema.Args{"server": 1, "container": "api"})
	until(t, e, "deploy_finished", 310)
	if s := state(e); s.Last.Outcome != rollout.Failed || s.Servers[0].Lock != rollout.Free || s.Servers[1].Version != "v1" || s.Last.MissingContainers != 1 {
		t.Errorf("%s, lock %s, %s, %d missing", s.Last.Outcome, s.Servers[0].Lock, s.Servers[1].Version, s.Last.MissingContainers)
	}
	if v := run(e, 360).Servers[0]; v.Target != rollout.Healthy || v.Repairs != 1 {
		t.Errorf("afterwards: %+v", v)
	}
}
