package web_test

import (
	"math"
	"slices"
	"testing"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/latency"
	"github.com/firedrill/firedrill/simulator/schema"
	"github.com/firedrill/firedrill/simulator/web"
)

// quiet is a configuration in which nothing is drawn.
func quiet(more schema.Args) schema.Args {
	config := schema.Args{"noise": false, "queueing": "exact"}
	for name, value := range more {
		config[name] = value
	}
	return config
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance {
		t.Errorf("%s is %g, want %g ± %g", what, got, want, tolerance)
	}
}

// TestOpening is the opening of the model's document: noon, the defaults.
func TestOpening(t *testing.T) {
	e := newEngine(t, 1, at(12, 0), quiet(nil))
	s := run(e, 1)
	near(t, "offered rate", float64(s.Minute.Offered), 1125, 1e-9)
	near(t, "hit ratio", float64(s.Minute.Hit), 0.77, 0.005)
	near(t, "database", s.Minute.DBUtilization, 0.19, 0.005)
	near(t, "cost an hour", float64(s.Minute.Cost)*60, 4, 1e-9)
	near(t, "mean age", float64(s.Minute.AnswerAge), 30, 0)
	near(t, "burn", s.Minute.Burn, 0, 0)
	if s.Minute.Serving != 10 || s.Minute.Booting != 0 {
		t.Errorf("%d serving and %d booting, want 10 and 0", s.Minute.Serving, s.Minute.Booting)
	}
}

// TestBeforeTheFirstSecond: a service that has not begun shows its opening, so
// that a paused drill can be looked at.
func TestBeforeTheFirstSecond(t *testing.T) {
	e := newEngine(t, 1, at(12, 0), quiet(nil))
	s := state(e)
	near(t, "offered rate", float64(s.Minute.Offered), 1125, 1e-9)
	if len(s.Pods) != 10 || s.Codes != [web.Codes]int64{} {
		t.Errorf("%d pods with %v answers, want 10 with none", len(s.Pods), s.Codes)
	}
}

// TestSurgeShape follows the rise, the height and the fall minute by minute.
func TestSurgeShape(t *testing.T) {
	e := newEngine(t, 1, at(6, 0), quiet(schema.Args{"daily_amplitude": 0, "base_rate": 100}))
	do(t, e, "surge", schema.Args{"factor": 3, "rise": "2m", "hold": "2m", "fall": "4m"})
	do(t, e, "surge", schema.Args{"factor": 0.5, "rise": "0m", "hold": "1m", "fall": "0m"})
	want := []float64{100, 300, 300, 300, 250, 200, 150, 100, 100} // the first is 200 · 0.5
	for m, rate := range want {
		e.Step()
		near(t, "rate", cell(t, e, "offered_rate"), rate, 1e-9)
		if n := cell(t, e, "minute"); n != float64(m) {
			t.Fatalf("minute %g, want %d", n, m)
		}
		run(e, simulator.Minute-1)
	}
}

// TestSurgesAreBounded: however many surges overlap, no counter overflows.
func TestSurgesAreBounded(t *testing.T) {
	e := newEngine(t, 1, at(12, 0), schema.Args{"queueing": "textbook", "queries_per_request": 1000})
	for range 10 {
		do(t, e, "surge", schema.Args{"factor": 100, "rise": "0m", "hold": "1h", "fall": "0m"})
	}
	before := run(e, 60)
	after := run(e, 30*simulator.Minute)
	if rate := after.Minute.Offered; rate < 3e6 || rate > 5e6 {
		t.Errorf("%g requests/s come", rate)
	}
	if after.Latency.Total() <= before.Latency.Total() || after.Codes[web.GatewayTimeout] < 0 || after.CacheHits < before.CacheHits {
		t.Errorf("counters fell: %v to %v", before.Codes, after.Codes)
	}
}

// TestCommandsWaitForTheMinute: what comes in the middle of a minute applies at
// the next one and is told so.
func TestCommandsWaitForTheMinute(t *testing.T) {
	e := newEngine(t, 1, at(12, 0), quiet(nil))
	run(e, 30)
	receipt := do(t, e, "set", schema.Args{"shed": 1})
	if receipt != (simulator.Receipt{Accepted: 30, Applies: 60}) {
		t.Fatalf("receipt %+v, want accepted 30 and applies 60", receipt)
	}
	if s := run(e, 30); s.Codes[web.TooMany] != 0 {
		t.Errorf("%d requests were shed before the minute", s.Codes[web.TooMany])
	}
	s := run(e, 60)
	shed := float64(s.Codes[web.TooMany])
	near(t, "shed requests", shed, 0.3*1125*60, 2)
}

// TestBadBuildShowsOnItsPods: the pods of the bad build carry exactly its share
// of the traffic, and its errors are theirs alone.
func TestBadBuildShowsOnItsPods(t *testing.T) {
	e := newEngine(t, 1, at(12, 0), quiet(nil))
	do(t, e, "deploy_bad_build", nil)
	s := run(e, 60)
	if s.Rollout == "" || s.Rollout == s.Version {
		t.Fatalf("version %q rolls out over %q", s.Rollout, s.Version)
	}
	var bad, all, errors int64
	pods := 0
	for _, p := range s.Pods {
		n := requests(p)
		if p.State == web.Serving {
			all += n
		}
		failed := p.Requests[web.High][web.ServerError] + p.Requests[web.Low][web.ServerError]
		if p.Version == s.Rollout {
			pods++
			bad += n
			errors += failed
		} else if failed != 0 {
			t.Errorf("%s on the good build has %d errors", p.Name, failed)
		}
	}
	if pods != 2 {
		t.Errorf("%d pods run the bad build, want 2 of 10", pods)
	}
	near(t, "share of the bad build", float64(bad)/float64(all), 0.2, 1e-4)
	near(t, "errors of the bad build", float64(errors)/float64(bad), 0.05, 1e-3)
	near(t, "slowness of the bad build", meanTime(s, s.Rollout)/meanTime(s, s.Version), (1.25*70+4.25)/74.25, 1e-3)
}

// TestSecondBadBuild: the ramp starts again, and no pod changes its version
// while it runs.
func TestSecondBadBuild(t *testing.T) {
	e := newEngine(t, 1, at(12, 0), quiet(nil))
	versions := map[string]string{}
	for m := range 12 {
		if m == 0 || m == 3 {
			do(t, e, "deploy_bad_build", nil)
		}
		s := run(e, simulator.Minute)
		for _, p := range s.Pods {
			if v, known := versions[p.Name]; known && v != p.Version && p.State == web.Serving {
				t.Errorf("minute %d: %s was on %s and is on %s", m, p.Name, v, p.Version)
			}
			if p.State == web.Serving {
				versions[p.Name] = p.Version
			}
		}
		if m == 3 {
			on := map[string]int{}
			for _, p := range s.Pods {
				if p.State == web.Serving {
					on[p.Version]++
				}
			}
			if on["v2"] != 0 || on["v3"] != 2 {
				t.Errorf("pods by version %v, want 2 on v3 and none on v2", on)
			}
		}
	}
}

// meanTime is the mean time of the answers of a version's pods.
func meanTime(s *web.Snapshot, version string) float64 {
	h := latency.NewHistogram()
	for _, p := range s.Pods {
		if p.Version == version && p.State == web.Serving {
			h.Add(p.Latency)
		}
	}
	return h.Sum / float64(h.Total())
}

// TestRollback: five minutes billed twice, then a new fleet on the good build.
func TestRollback(t *testing.T) {
	e := newEngine(t, 1, at(12, 0), quiet(schema.Args{"autoscaler": false}))
	do(t, e, "deploy_bad_build", nil)
	before := run(e, 600)
	do(t, e, "rollback", nil)
	prepared := run(e, 300)
	after := run(e, 60)
	near(t, "cost of preparing", float64(prepared.Minute.Cost-before.Minute.Cost), 2*5*10*0.40/60, 1e-9)
	near(t, "cost of a minute after", float64(after.Minute.Cost-prepared.Minute.Cost), 10*0.40/60, 1e-9)
	near(t, "errors after", float64(after.Minute.Errors), 0, 1e-9)
	if after.Rollout != "" || prepared.Minute.BadTraffic != 1 {
		t.Errorf("bad share %g while preparing; %q rolls out after", prepared.Minute.BadTraffic, after.Rollout)
	}
	old := names(before, web.Serving)
	for _, name := range names(after, web.Serving) {
		if slices.Contains(old, name) {
			t.Errorf("%s is of the old fleet", name)
		}
	}
}

func names(s *web.Snapshot, in web.PodState) []string {
	var out []string
	for _, p := range s.Pods {
		if p.State == in {
			out = append(out, p.Name)
		}
	}
	return out
}

// TestKill: the requests in flight are 502, the pods are down, and others with
// new names replace them after the boot delay.
func TestKill(t *testing.T) {
	e := newEngine(t, 1, at(12, 0), quiet(schema.Args{"boot_delay": "2m"}))
	run(e, 60)
	do(t, e, "kill_instances", schema.Args{"count": 4})
	s := run(e, 1)
	near(t, "lost requests", float64(s.Codes[web.BadGateway]), 0.4*s.Minute.Busy, 1)
	down := names(s, web.Down)
	if len(down) != 4 || s.Minute.Serving != 6 {
		t.Fatalf("%d down and %d serving, want 4 and 6", len(down), s.Minute.Serving)
	}
	s = run(e, 59+120+1)
	if len(names(s, web.Serving)) != 10 {
		t.Fatalf("%d serve two minutes after, want 10", len(names(s, web.Serving)))
	}
	for _, name := range names(s, web.Serving) {
		if slices.Contains(down, name) {
			t.Errorf("%s was killed and serves", name)
		}
	}
}

// TestEmptyFleet: with no pod serving the load balancer answers 503 at once.
func TestEmptyFleet(t *testing.T) {
	e := newEngine(t, 1, at(12, 0), quiet(nil))
	run(e, 60)
	do(t, e, "kill_instances", schema.Args{"count": 10})
	s := run(e, 60)
	near(t, "unavailable", float64(s.Codes[web.Unavailable]+s.Codes[web.BadGateway]), 1125*60, 2)
	near(t, "errors", float64(s.Minute.Errors), 1, 0)
	near(t, "p99", cell(t, e, "p99_seconds"), 2+float64(s.Minute.ServiceTime)*math.Log(100), 1e-9)
}

// TestRestart: the same pods count from 0 again.
func TestRestart(t *testing.T) {
	e := newEngine(t, 1, at(12, 0), quiet(nil))
	before := run(e, 600)
	do(t, e, "restart_instances", schema.Args{"count": 3})
	after := run(e, 1)
	if !slices.Equal(names(before, web.Serving), names(after, web.Serving)) {
		t.Errorf("restarting changed the names")
	}
	restarted := 0
	for i, p := range after.Pods {
		if p.Started == 600 {
			restarted++
			if requests(p) >= requests(before.Pods[i]) {
				t.Errorf("%s counts on from %d", p.Name, requests(before.Pods[i]))
			}
		}
	}
	if restarted != 3 {
		t.Errorf("%d restarted, want 3", restarted)
	}
}

// TestBrokenPod: one pod answers with errors until its time is over.
func TestBrokenPod(t *testing.T) {
	e := newEngine(t, 7, at(12, 0), schema.Args{"queueing": "exact"})
	do(t, e, "break_pod", schema.Args{"error_ratio": 0.5, "for": "2m"})
	s := run(e, 120)
	var broken []string
	for _, p := range s.Pods {
		if failed := p.Requests[web.High][web.ServerError] + p.Requests[web.Low][web.ServerError]; failed > 0 {
			broken = append(broken, p.Name)
			near(t, "errors of the pod", float64(failed)/float64(requests(p)), 0.5, 0.02)
		}
	}
	if len(broken) != 1 {
		t.Fatalf("%v answer with errors, want one", broken)
	}
	near(t, "true errors", float64(s.Minute.Errors), 0.05, 0.005)
	if s = run(e, 60); s.Minute.Errors > 1e-9 {
		t.Errorf("errors are %g after the pod's time is over", s.Minute.Errors)
	}
}

// TestSlowDatabaseAndGap: both begin and end on their minutes.
func TestSlowDatabaseAndGap(t *testing.T) {
	e := newEngine(t, 1, at(12, 0), quiet(nil))
	usual := run(e, 60).Minute.QueryTime
	do(t, e, "slow_database", schema.Args{"factor": 4, "for": "2m"})
	do(t, e, "monitoring_gap", schema.Args{"for": "1m"})
	s := run(e, 1)
	near(t, "query time", float64(s.Minute.QueryTime), 4*float64(usual), 1e-6)
	if !s.MonitoringGap || !run(e, 59).MonitoringGap || run(e, 1).MonitoringGap {
		t.Errorf("the gap is not the minute it was asked for")
	}
	near(t, "query time after", float64(run(e, 60).Minute.QueryTime), float64(usual), 1e-6)
}

// TestCacheFlushSpiral: an empty cache saturates the database, which makes
// requests fail; the counters of cache and database tell it.
func TestCacheFlushSpiral(t *testing.T) {
	e := newEngine(t, 1, at(12, 0), quiet(schema.Args{"base_rate": 1500, "floor": 15}))
	before := run(e, 120)
	do(t, e, "flush_cache", nil)
	after := run(e, 120)
	if after.Minute.DBUtilization < 0.85 || after.Minute.Errors < 0.1 {
		t.Errorf("database %g, errors %g: no spiral", after.Minute.DBUtilization, after.Minute.Errors)
	}
	hits := float64(after.CacheHits - before.CacheHits)
	misses := float64(after.CacheMisses - before.CacheMisses)
	if ratio := hits / (hits + misses); ratio > 0.1 {
		t.Errorf("the counters show a hit ratio of %g", ratio)
	}
	near(t, "queries", float64(after.Queries-before.Queries), misses, 0)
}

// TestNoiseScattersAroundTheMean: counts of many minutes have the mean and
// about the spread that the model's document gives them.
func TestNoiseScattersAroundTheMean(t *testing.T) {
	const minutes, rate = 2000, 900.0
	var counts []float64
	for _, seed := range []uint32{1, 2, 3} {
		e := newEngine(t, seed, at(12, 0), schema.Args{"queueing": "exact", "daily_amplitude": 0, "base_rate": rate})
		last := int64(0)
		for range minutes {
			s := run(e, simulator.Minute)
			total := s.Codes[web.OK] + s.Codes[web.ServerError] + s.Codes[web.GatewayTimeout]
			counts = append(counts, float64(total-last))
			last = total
		}
	}
	mean, variance := moments(counts)
	spread := math.Sqrt(60*rate + math.Pow(60*rate*0.02, 2)) // Poisson and the factor
	n := float64(len(counts))
	near(t, "mean of a minute", mean, 60*rate, 5*spread/math.Sqrt(n))
	near(t, "spread of a minute", math.Sqrt(variance), spread, 5*spread/math.Sqrt(2*n))
}

func moments(xs []float64) (mean, variance float64) {
	for _, x := range xs {
		mean += x / float64(len(xs))
	}
	for _, x := range xs {
		variance += (x - mean) * (x - mean) / float64(len(xs)-1)
	}
	return mean, variance
}

// TestBlips: one a day on average.
func TestBlips(t *testing.T) {
	const days = 30
	e := newEngine(t, 3, at(0, 0), schema.Args{"queueing": "exact", "blips_per_day": 1})
	blips := 0
	for range days * 24 * 60 {
		e.Step()
		if cell(t, e, "error_ratio") > 0.005 {
			blips++
		}
		run(e, simulator.Minute-1)
	}
	near(t, "blips", float64(blips), days, 5*math.Sqrt(days))
}

// TestHistogramFollowsTheTail: over an hour the cells of the fleet's histogram
// hold what the closed form says, the rarest ones too.
func TestHistogramFollowsTheTail(t *testing.T) {
	e := newEngine(t, 1, at(12, 0), quiet(schema.Args{"daily_amplitude": 0}))
	s := run(e, 3600)
	total := float64(s.Latency.Total())
	mu := 1 / float64(s.Minute.ServiceTime)
	cumulative := 0.0
	for i, n := range s.Latency.Count {
		cumulative += float64(n)
		upper := latency.Upper(i)
		if math.IsInf(upper, 1) {
			continue
		}
		// At this load nobody waits: times are exponential.
		want := total * -math.Expm1(-mu*upper)
		near(t, "answers up to a bound", cumulative, want, 2+float64(len(s.Pods)))
	}
	near(t, "mean time", s.Latency.Sum/total, 1/mu, 1e-9)
}

// TestNamesAreUnique: no two pods of a run share a name.
func TestNamesAreUnique(t *testing.T) {
	e := newEngine(t, 1, at(12, 0), quiet(schema.Args{"boot_delay": "1m"}))
	seen := map[string]int{}
	for range 300 {
		do(t, e, "rollback", nil)
		for _, p := range run(e, 6*simulator.Minute).Pods {
			if id, known := seen[p.Name]; known && id != p.ID {
				t.Fatalf("pods %d and %d are both called %s", id, p.ID, p.Name)
			}
			seen[p.Name] = p.ID
		}
	}
	if len(seen) < 3000 {
		t.Errorf("only %d pods", len(seen))
	}
}

// TestFloorAboveMaximum is refused with both numbers and changes nothing.
func TestFloorAboveMaximum(t *testing.T) {
	e := newEngine(t, 1, at(12, 0), quiet(nil))
	_, err := e.Submit(simulator.Command{Service: "shop", Do: "set", Args: schema.Args{"floor": 41, "shed": 1}})
	const want = `args.floor: "41" is above max_instances; allowed: at most 40`
	if err == nil || err.Error() != want {
		t.Fatalf("refused with %v, want %s", err, want)
	}
	if s := run(e, 61); s.Config.Shed != 0 || s.Config.Floor != 10 {
		t.Errorf("the refused command changed shed to %g and the floor to %d", s.Config.Shed, s.Config.Floor)
	}
}
