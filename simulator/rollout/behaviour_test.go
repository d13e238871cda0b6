package rollout_test

import (
	"math"
	"testing"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/rollout"
	"github.com/firedrill/firedrill/simulator/schema"
)

// racing is a configuration in which the first server's watchdog checks in the
// given second after the drain's start of a deploy that begins at 600, and the
// others do not check while the file is written.
func racing(second int) schema.Args {
	return schema.Args{"noise": false, "watchdog_phase": second % 60}
}

// TestTheRace: a repair in one of the four seconds in which the deploy writes
// the compose file leaves the server without its gateway, and the deploy says
// success. A second earlier or later it does not, nor with one source for the
// file.
func TestTheRace(t *testing.T) {
	for second := 149; second <= 155; second++ {
		for _, single := range []bool{false, true} {
			e := newEngine(t, 1, racing(second))
			preset(t, e, rollout.Before)
			do(t, e, "set", schema.Args{"single_source": single})
			run(e, 600)
			r := deploy(t, e)
			lost := second >= 150 && second < 154 && !single
			s := state(e)
			v := s.Servers[0]
			missing := 0
			if lost {
				missing = 1
			}
			if v.File.Gateway == lost || r.Outcome != rollout.Success || r.MissingContainers != missing {
				t.Errorf("repair at %d, single source %t: the file names a gateway: %t; the deploy says %s with %d containers missing",
					second, single, v.File.Gateway, r.Outcome, r.MissingContainers)
			}
		}
	}
}

// TestALostGatewayStaysLost: the watchdog repairs and repairs from its broken
// copy, nobody is served by the server; the hand, the file or the next deploy
// put it right.
func TestALostGatewayStaysLost(t *testing.T) {
	repairs := map[string]func(e *simulator.Engine){
		"fix_compose": func(e *simulator.Engine) { do(t, e, "fix_compose", schema.Args{"server": 1}) },
		"restart_container": func(e *simulator.Engine) {
			do(t, e, "restart_container", schema.Args{"server": 1, "container": "gateway"})
		},
		"deploy": func(e *simulator.Engine) {
			preset(t, e, rollout.BothRepaired)
			deploy(t, e)
		},
	}
	for name, repair := range repairs {
		e := newEngine(t, 1, racing(151))
		preset(t, e, rollout.Before)
		run(e, 600)
		deploy(t, e)
		s := run(e, 1800)
		v := s.Servers[0]
		if v.Containers[rollout.Gateway] != rollout.Missing || v.Target != rollout.Unhealthy || v.Listening || v.Repairs < 25 {
			t.Fatalf("half an hour later: %+v", v)
		}
		repair(e)
		s = run(e, 300)
		v = s.Servers[0]
		if v.Containers[rollout.Gateway] != rollout.Running || v.Target != rollout.Healthy || v.File != s.Servers[1].File || v.Version != s.Servers[1].Version {
			t.Errorf("after %s: %+v", name, v)
		}
		if after := run(e, 600).Servers[0]; after.Repairs != v.Repairs {
			t.Errorf("after %s the watchdog goes on repairing", name)
		}
	}
}

// TestTheFight: unrepaired, the watchdog restarts a server that drains; it
// listens and is healthy, drain or no drain, until the deploy stops it.
func TestTheFight(t *testing.T) {
	e := newEngine(t, 1, racing(20))
	preset(t, e, rollout.Before)
	run(e, 600)
	do(t, e, "deploy", schema.Args{"version": "v2"})
	server := func(second simulator.Tick) rollout.Server { return run(e, 601+second-e.Now()).Servers[0] }
	for _, want := range []struct {
		second    simulator.Tick
		health    rollout.Answer
		listening bool
	}{
		{0, rollout.Unavailable503, true}, {4, rollout.Unavailable503, true}, {5, rollout.Unavailable503, false}, {19, rollout.Unavailable503, false},
		{20, rollout.Silent, false}, {29, rollout.Silent, false}, {30, rollout.OK200, true}, {149, rollout.OK200, true},
		{150, rollout.Silent, false}, {178, rollout.Silent, false}, {179, rollout.OK200, true},
	} {
		if v := server(want.second); v.Health != want.health || v.Listening != want.listening {
			t.Errorf("second %d: health %s, listening %t; want %s, %t", want.second, v.Health, v.Listening, want.health, want.listening)
		}
	}
	if v := state(e).Servers[0]; v.Version != "v2" || v.Repairs != 1 {
		t.Errorf("it runs %s after %d repairs", v.Version, v.Repairs)
	}
}

// TestTheLock: with it a check during a deploy is skipped, and a deploy waits for
// a repair that runs.
func TestTheLock(t *testing.T) {
	e := newEngine(t, 1, racing(20))
	run(e, 600)
	r := deploy(t, e)
	if s := state(e); r.Repairs != 0 || s.Servers[0].SkippedChecks == 0 || s.Servers[0].LockWait != 0 {
		t.Errorf("%d repairs, %+v", r.Repairs, s.Servers[0])
	}

	e = newEngine(t, 1, racing(0))
	do(t, e, "set", schema.Args{"strikes": 1, "force": true})
	run(e, 30)
	do(t, e, "break_container", schema.Args{"server": 1, "container": "api"})
	until(t, e, "watchdog_repaired", 60)
	if got := state(e).Servers[0].Lock; got != rollout.HeldByRepair {
		t.Errorf("the lock is held by %s", got)
	}
	do(t, e, "deploy", nil)
	until(t, e, "server_draining", 60)
	if s := state(e); s.Servers[0].LockWait != 9 || s.Servers[0].Lock != rollout.HeldByDeploy {
		t.Errorf("the deploy has waited %d s, the lock is held by %s", s.Servers[0].LockWait, s.Servers[0].Lock)
	}
}

// TestNightCrash: a container dies; its server gets no requests within ten
// seconds, and the watchdog repairs it within five minutes.
func TestNightCrash(t *testing.T) {
	for c := range rollout.Container(rollout.Containers) {
		e := newEngine(t, uint32(c), nil)
		run(e, 100)
		do(t, e, "break_container", schema.Args{"server": 2, "container": c.String()})
		s := run(e, 11)
		if v := s.Servers[1]; v.Target != rollout.Unhealthy || v.Containers[c] != rollout.Stopped {
			t.Errorf("%s: after 10 s %+v", c, v)
		}
		failed := s.Codes[rollout.BadGateway]
		if user := c == rollout.API || c == rollout.Gateway; user != (failed > 0) {
			t.Errorf("%s: %d requests failed", c, failed)
		}
		s = run(e, 300)
		if v := s.Servers[1]; v.Target != rollout.Healthy || v.Repairs != 1 || s.Codes[rollout.BadGateway] != failed {
			t.Errorf("%s: after five minutes %+v", c, v)
		}
	}
}

// TestPausedWatchdog: nobody repairs until it is resumed.
func TestPausedWatchdog(t *testing.T) {
	e := newEngine(t, 1, nil)
	do(t, e, "pause_watchdog", nil)
	do(t, e, "break_container", schema.Args{"server": 3, "container": "orchestrator"})
	if s := run(e, 1800); s.Servers[2].Repairs != 0 || !s.Paused {
		t.Errorf("%d repairs in a pause", s.Servers[2].Repairs)
	}
	do(t, e, "resume_watchdog", nil)
	if s := run(e, 330); s.Servers[2].Repairs != 1 || s.Servers[2].Target != rollout.Healthy {
		t.Errorf("%d repairs after the pause", s.Servers[2].Repairs)
	}
}

// TestBadImage: with verify one server is lost and the deploy fails after five
// minutes; without, all three are lost and the deploy says success. The watchdog
// cannot help. A file put right and the next deploy can.
func TestBadImage(t *testing.T) {
	for _, verify := range []bool{true, false} {
		e := newEngine(t, 1, schema.Args{"verify": verify, "noise": false})
		do(t, e, "bad_image", nil)
		run(e, 10)
		r := deploy(t, e)
		want, lost := rollout.Success, rollout.Servers
		if verify {
			want, lost = rollout.Failed, 1
		}
		if r.Outcome != want || r.MissingContainers != lost*rollout.Containers {
			t.Errorf("verify %t: %s with %d containers missing", verify, r.Outcome, r.MissingContainers)
		}
		if verify && r.Seconds() != 150+4+25+300 {
			t.Errorf("it gives up after %d s", r.Seconds())
		}
		s := run(e, 600)
		if s.Servers[0].Repairs == 0 || s.Servers[0].Listening || s.Servers[0].Lock == rollout.HeldByDeploy {
			t.Errorf("verify %t: %+v", verify, s.Servers[0])
		}
		do(t, e, "fix_compose", schema.Args{"server": 1})
		if v := run(e, 60).Servers[0]; v.Version != "v1" || v.Target != rollout.Healthy {
			t.Errorf("verify %t, file put right: %+v", verify, v)
		}
		if r := deploy(t, e); r.Outcome != rollout.Success || r.MissingContainers != 0 {
			t.Errorf("verify %t: the next deploy ends as %s with %d containers missing", verify, r.Outcome, r.MissingContainers)
		}
	}
}

// TestFailOpen: where no target is healthy, requests go to all.
func TestFailOpen(t *testing.T) {
	e := newEngine(t, 1, schema.Args{"noise": false})
	do(t, e, "pause_watchdog", nil)
	for server := 1; server <= rollout.Servers; server++ {
		do(t, e, "break_container", schema.Args{"server": server, "container": "publish-worker"})
	}
	before := run(e, 60)
	s := run(e, 60)
	for i, v := range s.Servers {
		if v.Target != rollout.Unhealthy || v.Answered-before.Servers[i].Answered != 60*40 {
			t.Errorf("%s is %s and answers %d requests in a minute", v.Name, v.Target, v.Answered-before.Servers[i].Answered)
		}
	}
}

// TestOneServerOutCostsLatency: 40 ms/(1 − load): 80 ms with three servers at 120
// requests/s, 160 ms with two; one alone is asked for more than it can serve.
func TestOneServerOutCostsLatency(t *testing.T) {
	e := newEngine(t, 1, schema.Args{"noise": false})
	do(t, e, "pause_watchdog", nil)
	for out, want := range []struct{ mean, answered float64 }{{0.080, 120}, {0.160, 120}, {2, 80}} {
		before := run(e, 60)
		s := run(e, 60)
		mean := (s.Latency.Sum - before.Latency.Sum) / float64(s.Latency.Total()-before.Latency.Total())
		answered := float64(s.Codes[rollout.OK]-before.Codes[rollout.OK]) / 60
		if math.Abs(mean-want.mean) > 1e-9 || math.Abs(answered-want.answered) > 1 {
			t.Errorf("with %d servers out answers take %g s, and %g/s are answered; want %g, %g", out, mean, answered, want.mean, want.answered)
		}
		do(t, e, "break_container", schema.Args{"server": out + 1, "container": "orchestrator"})
		run(e, 30)
	}
}

// TestLatencyIsExponential: the share of answers above a bucket's bound.
func TestLatencyIsExponential(t *testing.T) {
	e := newEngine(t, 1, schema.Args{"noise": false})
	var buckets [13]int64
	run(e, 600).Latency.ClassicCounts(buckets[:])
	const place, bound = 4, 0.1
	above := 1 - float64(buckets[place])/float64(buckets[len(buckets)-1])
	if want := math.Exp(-bound / 0.080); math.Abs(above-want) > 1e-3 {
		t.Errorf("%g of the answers take longer than 100 ms, want %g", above, want)
	}
}

// TestAbort: the current server finishes its start, then the job ends.
func TestAbort(t *testing.T) {
	e := newEngine(t, 1, nil)
	do(t, e, "deploy", schema.Args{"version": "v2"})
	run(e, 30)
	do(t, e, "abort_deploy", nil)
	until(t, e, "deploy_finished", 3600)
	s := state(e)
	if s.Last.Outcome != rollout.Aborted || s.Servers[0].Version != "v2" || s.Servers[1].Version != "v1" || s.Servers[0].Lock != rollout.Free {
		t.Errorf("%s, versions %s %s, lock %s", s.Last.Outcome, s.Servers[0].Version, s.Servers[1].Version, s.Servers[0].Lock)
	}
	if s := run(e, 60); s.Servers[0].Target != rollout.Healthy {
		t.Error("the server is not well")
	}
}

// TestOneDeployAtATime: a second one is refused while the first runs, and so is
// what the deploy is just doing to a server; an abort needs a deploy.
func TestOneDeployAtATime(t *testing.T) {
	e := newEngine(t, 1, nil)
	if err := submit(e, simulator.Operator, "abort_deploy", nil); err == nil {
		t.Error("there is nothing to abort")
	}
	for _, version := range []string{"a b", "a\nb", string(make([]byte, 65))} {
		if err := submit(e, simulator.Operator, "deploy", schema.Args{"version": version}); err == nil {
			t.Errorf("version %q is accepted", version)
		}
	}
	do(t, e, "deploy", nil)
	run(e, 1)
	if err := submit(e, simulator.Operator, "deploy", nil); err == nil {
		t.Error("a second deploy is accepted")
	}
	if _, err := e.Submit(simulator.Command{Service: "platform", Do: "deploy", At: e.Now() + 5}); err != nil {
		t.Errorf("a later deploy is refused: %v", err)
	}
	until(t, e, "command_refused", 10)
	until(t, e, "server_stopped", 200)
	for _, args := range []schema.Args{{"server": 1}, {"server": 1, "container": "gateway"}} {
		action := "fix_compose"
		if len(args) > 1 {
			action = "restart_container"
		}
		if err := submit(e, simulator.Operator, action, args); err == nil {
			t.Errorf("%s is accepted while the deploy writes the file", action)
		}
	}
}

// TestJobs: builds come and end at their rates; a drain lets most of them end
// and hands the others over; a kill and a repair lose them.
func TestJobs(t *testing.T) {
	e := newEngine(t, 1, nil)
	s := run(e, 100_000)
	finished := 0.
	for _, v := range s.Servers {
		finished += float64(v.JobsFinished)
	}
	if want := 10_000.; math.Abs(finished-want) > 5*math.Sqrt(want) {
		t.Errorf("%g jobs have ended in 100 000 s, want about %g", finished, want)
	}
	moved := int64(0)
	for range 20 {
		deploy(t, e)
	}
	s = state(e)
	for _, v := range s.Servers {
		moved += v.JobsMoved
		if v.JobsLost != 0 {
			t.Errorf("%s has lost %d jobs", v.Name, v.JobsLost)
		}
	}
	if moved == 0 {
		t.Error("no job was handed over in 20 deploys")
	}
	do(t, e, "set", schema.Args{"stop_grace": "60s", "force": true})
	for range 5 {
		deploy(t, e)
	}
	lost := int64(0)
	for _, v := range state(e).Servers {
		lost += v.JobsLost
	}
	if lost == 0 {
		t.Error("no job is lost where the runtime kills after a minute")
	}
}

// TestInFlightRequestsAreLost: who is being served when the runtime kills or the
// watchdog restarts gets a 502, and the counts agree.
func TestInFlightRequestsAreLost(t *testing.T) {
	e := newEngine(t, 1, schema.Args{"noise": false, "drain_serve": "150s", "stop_grace": "30s"})
	do(t, e, "deploy", nil)
	s := run(e, 30)
	if s.Codes[rollout.BadGateway] != 0 {
		t.Errorf("%d 502s before the kill", s.Codes[rollout.BadGateway])
	}
	// The target is out since 10 s at the latest: nobody is on it any more.
	if s = run(e, 2); s.Codes[rollout.BadGateway] != 0 {
		t.Errorf("%d 502s though the target was out", s.Codes[rollout.BadGateway])
	}
	e = newEngine(t, 1, schema.Args{"noise": false})
	run(e, 10)
	do(t, e, "break_container", schema.Args{"server": 1, "container": "gateway"})
	if s := run(e, 1); s.Codes[rollout.BadGateway] != 40+3 {
		t.Errorf("%d 502s in the second of a crash, want 40 refused and 3 in flight (40/s of 80 ms)", s.Codes[rollout.BadGateway])
	}
}

// TestEachDriftHasASymptomOfItsOwn: what silent-drift may change shows in a
// deploy, each change in a number that the others and the shipped settings leave
// alone.
func TestEachDriftHasASymptomOfItsOwn(t *testing.T) {
	type symptoms struct{ rareProbes, manyProbesUntilOut, refusedEarly, killedInDrain bool }
	want := map[int]symptoms{0: {}, 1: {rareProbes: true}, 2: {manyProbesUntilOut: true}, 3: {refusedEarly: true}, 4: {killedInDrain: true}}
	for number, expected := range want {
		for seed := range uint32(20) {
			e := newEngine(t, seed, nil)
			if number > 0 {
				do(t, e, "drift", schema.Args{"number": number})
			}
			before := run(e, 300)
			s := run(e, 300)
			got := symptoms{rareProbes: s.Servers[0].Probes[rollout.OK200]-before.Servers[0].Probes[rollout.OK200] < 3*300/5}
			do(t, e, "deploy", nil)
			until(t, e, "server_draining", 5)
			out := until(t, e, "target_unhealthy", 100)
			at := run(e, 0)
			got.manyProbesUntilOut = at.Servers[0].Probes[rollout.Unavailable503] > 3*2
			got.killedInDrain = run(e, 149-(out.At-600)).Servers[0].Health == rollout.Silent
			got.refusedEarly = refusedBy(t, seed, number, 12)
			if got != expected {
				t.Errorf("drift %d, seed %d: %+v, want %+v", number, seed, got, expected)
			}
		}
	}
}

// refusedBy reports whether the first server of a deploy is found not to listen
// so many seconds after its drain's start.
func refusedBy(t *testing.T, seed uint32, drift int, second simulator.Tick) bool {
	e := newEngine(t, seed, nil)
	if drift > 0 {
		do(t, e, "drift", schema.Args{"number": drift})
	}
	do(t, e, "deploy", nil)
	return !run(e, 1+second).Servers[0].Listening
}

// TestDriftsThatHurtUsers: those of the load balancer and of the drain let
// requests fail in every deploy that has bad luck with the probes; the shorter
// grace never does.
func TestDriftsThatHurtUsers(t *testing.T) {
	for number, hurts := range map[int]bool{0: false, 1: true, 2: true, 3: true, 4: false} {
		failed := int64(0)
		for seed := range uint32(20) {
			e := newEngine(t, seed, nil)
			if number > 0 {
				do(t, e, "drift", schema.Args{"number": number})
			}
			r := deploy(t, e)
			failed += r.BadGateways()
		}
		if (failed > 0) != hurts {
			t.Errorf("drift %d: %d requests fail in 20 deploys", number, failed)
		}
	}
}
