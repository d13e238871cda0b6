package rollout_test

import (
	"testing"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/rollout"
	"github.com/firedrill/firedrill/simulator/schema"
	"pgregory.net/rapid"
)

// timings are the parameters that the law is about.
type timings struct {
	serve, total, write, start, interval, threshold, grace int
}

func (k timings) args(phase int) schema.Args {
	second := func(n int) string { return schema.FormatSeconds(float64(n)) }
	return schema.Args{"noise": false, "rate": 3, "probe_phase": phase, "verify": false,
		"drain_serve": second(k.serve), "drain_total": second(k.total), "write_time": second(k.write), "start_time": second(k.start),
		"interval": second(k.interval), "unhealthy_threshold": k.threshold, "stop_grace": second(k.grace)}
}

// failing deploys and returns in how many seconds requests to the first server
// would fail until it has started again, where its probes come x seconds after
// the drain's start and every interval after that.
func (k timings) failing(t failer, x int) int64 {
	const quiet = 7 // seconds before the deploy, so that it does not begin at a probe of its own
	e := newEngine(t, 1, k.args((quiet+x)%k.interval))
	do(t, e, "pause_watchdog", nil)
	run(e, quiet)
	do(t, e, "deploy", nil)
	until(t, e, "server_started", simulator.Tick(k.total+k.write+k.start)+2)
	return state(e).Servers[0].FailingSeconds
}

// law is what the package documents, written down from the specification.
func (k timings) law(x int) int64 {
	notice := x + k.interval*(k.threshold-1)
	return int64(max(0, min(notice, k.total+k.write+k.start)-min(k.serve, k.total, k.grace)))
}

// check compares the model with the law at every phase of the probes.
func (k timings) check(t failer) {
	for x := range k.interval {
		if got, want := k.failing(t, x), k.law(x); got != want {
			t.Fatalf("%+v, first probe after %d s: requests fail for %d s, want %d", k, x, got, want)
		}
	}
}

// TestLaw: requests fail for exactly as long as the law says, at every phase of
// the probes, with the settings of the presets and over thousands of random
// ones. Where the drain ends, or the runtime kills, before the listener would
// close it closes then.
func TestLaw(t *testing.T) {
	for _, k := range []timings{
		{5, 150, 4, 25, 30, 2, 180},
		{15, 150, 4, 25, 5, 2, 180},
		{15, 150, 4, 25, 5, 4, 180},
		{0, 0, 1, 1, 1, 1, 1},
		{20, 10, 4, 25, 30, 2, 180},
	} {
		k.check(t)
	}
	settings := 0
	for range 30 { // rapid checks a hundred at a time
		rapid.Check(t, func(t *rapid.T) {
			settings++
			total := rapid.IntRange(0, 40).Draw(t, "drain_total")
			k := timings{
				serve: rapid.IntRange(0, total).Draw(t, "drain_serve"), total: total,
				write: rapid.IntRange(1, 6).Draw(t, "write_time"), start: rapid.IntRange(1, 12).Draw(t, "start_time"),
				interval: rapid.IntRange(1, 7).Draw(t, "interval"), threshold: rapid.IntRange(1, 9).Draw(t, "threshold"),
			}
			k.grace = rapid.IntRange(1, 60).Draw(t, "stop_grace")
			k.check(t)
		})
	}
	if settings < 3000 {
		t.Errorf("only %d settings were tried", settings)
	}
}

// TestLawIsAboutNotice: with the order of a second the load balancer routes to a
// drained server between interval·(threshold − 1) and interval·threshold − 1
// seconds.
func TestLawIsAboutNotice(t *testing.T) {
	k := timings{serve: 0, total: 600, write: 4, start: 25, interval: 30, threshold: 2, grace: 900}
	if low, high := k.failing(t, 0), k.failing(t, k.interval-1); low != 30 || high != 59 {
		t.Errorf("a drained server gets requests for %d to %d s, want 30 to 59", low, high)
	}
}

// TestDeregisteredServersFailNobody: where the deploy takes a server off the
// load balancer first, no request fails, whatever the timings.
func TestDeregisteredServersFailNobody(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := newEngine(t, rapid.Uint32().Draw(t, "seed"), schema.Args{"deregister": true,
			"drain_serve": "0s", "drain_total": schema.FormatSeconds(float64(rapid.IntRange(0, 100).Draw(t, "drain_total"))),
			"interval": schema.FormatSeconds(float64(rapid.IntRange(1, 30).Draw(t, "interval"))), "unhealthy_threshold": rapid.IntRange(1, 5).Draw(t, "unhealthy_threshold")})
		run(e, simulator.Tick(rapid.IntRange(0, 60).Draw(t, "start")))
		if r := deploy(t, e); r.Outcome != rollout.Success || r.BadGateways() != 0 {
			t.Fatalf("a deploy ends as %s with %d requests failed", r.Outcome, r.BadGateways())
		}
	})
}
