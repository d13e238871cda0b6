package cdn

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/rng"
	"github.com/firedrill/firedrill/simulator/schema"
)

// calm is a configuration that steers nothing, with 80 Gbit/s.
func calm(more schema.Args) schema.Args {
	config := schema.Args{"demand": 80, "slowdown_points": "0:0", "drop_points": "0:0", "learn_weights": false}
	for _, name := range more.Names() {
		config[name] = more[name]
	}
	return config
}

// events runs n seconds and returns what happened in them.
func events(e *simulator.Engine, n simulator.Tick) string {
	var b strings.Builder
	for range n {
		for _, event := range e.Step() {
			if event.Kind != "command_applied" {
				fmt.Fprintf(&b, "%d %s %v\n", event.At, event.Kind, event.Fields)
			}
		}
	}
	return b.String()
}

// TestDemand: arrivals follow the demand, the wave, growth and surges.
func TestDemand(t *testing.T) {
	s := newService(t, 1, nil, calm(schema.Args{"live_share": 3, "vod_share": 1, "vod_duration": "600s"}))
	if got := s.starts(Live, 0); math.Abs(got-60e9/4.5e6/300) > 1e-9 {
		t.Errorf("%g live sessions start a second", got)
	}
	if got := s.starts(VOD, 0); math.Abs(got-20e9/4.5e6/600) > 1e-9 {
		t.Errorf("%g vod sessions start a second", got)
	}
	s.config.DailyAmp = 0.5
	if high, low := s.starts(Live, 3600), s.starts(Live, 13*3600); math.Abs(high/low-3) > 1e-9 {
		t.Errorf("at 21:00 it is %g, at 09:00 %g", high, low)
	}
	s.config.DailyGrowth = 0.1
	if ratio := s.starts(Live, 2*86400) / s.starts(Live, 0); math.Abs(ratio-1.21) > 1e-9 {
		t.Errorf("two days of 10 %% are %g", ratio)
	}
	s.config.DailyAmp, s.config.DailyGrowth = 0, 0
	s.surges = []surge{{start: 100, factor: 3, rise: 10, hold: 20, fall: 10, kind: Live}, {start: 0, factor: 100, hold: 1e6, kind: VOD}}
	base := 60e9 / 4.5e6 / 300
	for at, want := range map[simulator.Tick]float64{0: 1, 99: 1, 100: 1.2, 104: 2, 109: 3, 129: 3, 134: 2, 139: 1, 140: 1} {
		if got := s.starts(Live, at) / base; math.Abs(got-want) > 1e-9 {
			t.Errorf("at %d the surge is %g, want %g", at, got, want)
		}
	}
	if got := s.starts(VOD, 5) / (20e9 / 4.5e6 / 600); math.Abs(got-maxTraffic) > 1e-9 {
		t.Errorf("a surge of 100 is %g", got)
	}
}

// TestLittle: the number of sessions is the arrivals times the duration.
func TestLittle(t *testing.T) {
	e, s := newEngine(t, 3, nil, calm(nil))
	mean := 0.0
	for range 1200 {
		e.Step()
		for i := range s.links {
			mean += float64(s.links[i].total()) / 1200
		}
	}
	if want := 80e9 / 4.5e6; math.Abs(mean-want) > 0.02*want {
		t.Errorf("%g sessions, want %g", mean, want)
	}
	if share := s.links[0].asked() / 80e9; math.Abs(share-0.6) > 0.02 {
		t.Errorf("the first link has %g of them", share)
	}
}

func TestAliasFits(t *testing.T) {
	weights := []float64{5, 0, 1, 3, 1}
	a, p := newAlias(weights), newPicker(1, "test")
	counts := make([]float64, len(weights))
	const n = 200000
	for range n {
		counts[a.draw(p)]++
	}
	for i, w := range weights {
		if math.Abs(counts[i]/n-w/10) > 0.005 {
			t.Errorf("%d is drawn %g of the time, want %g", i, counts[i]/n, w/10)
		}
	}
}

// TestGaugesAreLate: the device shows the mean of the minute before, the
// senders' counters most of the steered traffic of the ten seconds before.
func TestGaugesAreLate(t *testing.T) {
	e, s := newEngine(t, 1, nil, calm(nil))
	run(e, 60)
	before := s.links[0].device.value
	do(t, e, 60, "set_background", schema.Args{"link": "fra-alder-1", "rate": 43})
	run(e, 59)
	if s.links[0].device.value != before || s.picture().Links[0].DeviceAge != 59 {
		t.Errorf("the device published within the minute: %+v", s.links[0].device)
	}
	run(e, 1)
	if rise := s.links[0].device.value - before; math.Abs(rise-0.4) > 0.03 {
		t.Errorf("the device shows %g more", rise)
	}
	if got, want := s.links[0].senders.value, 0.95*s.links[0].asked()/100e9; math.Abs(got-want) > 0.01 {
		t.Errorf("the senders show %g, want %g", got, want)
	}
	if age := s.picture().Links[0].SendersAge; age != 0 {
		t.Errorf("the senders' counters are %g s old", float64(age))
	}
}

func TestStaggerSpreadsTheDevices(t *testing.T) {
	e, s := newEngine(t, 1, nil, calm(schema.Args{"topology": "large", "demand": 10, "stagger": true}))
	run(e, 120)
	seconds := map[simulator.Tick]bool{}
	for i := range s.steered() {
		seconds[s.links[i].device.published] = true
	}
	if len(seconds) != 60 {
		t.Errorf("300 devices publish in %d different seconds", len(seconds))
	}
}

// TestBreakLink: those who can be moved are on the other link after a segment,
// the others are lost.
func TestBreakLink(t *testing.T) {
	e, s := newEngine(t, 1, nil, calm(nil))
	run(e, 10)
	fixedBefore, other := len(s.links[0].pools[Live][fixed])+len(s.links[0].pools[VOD][fixed]), s.links[1].total()
	moved := s.links[0].total() - fixedBefore
	do(t, e, 10, "break_link", schema.Args{"link": "fra-alder-1"})
	run(e, 4)
	if n := s.links[0].total(); n != 0 {
		t.Errorf("%d sessions are left after a segment", n)
	}
	if lost := float64(s.links[0].counts.Lost); math.Abs(lost/float64(fixedBefore)-1) > 0.03 {
		t.Errorf("%g were lost of %d that could not be moved", lost, fixedBefore)
	}
	if came := float64(s.links[1].total() - other); math.Abs(came/float64(moved)-1) > 0.05 {
		t.Errorf("%g came to the other link of %d that could be moved", came, moved)
	}
	run(e, 47)
	if s.Healthy() {
		t.Error("users who lose a tenth of the sessions are well")
	}
	do(t, e, e.Now(), "repair_link", schema.Args{"link": "fra-alder-1"})
	run(e, 60)
	if s.links[0].total() == 0 {
		t.Error("nobody comes back to a repaired link")
	}
}

// TestDrainLink: no session starts on the link, 3 % of the movable ones leave
// in ten seconds, and it is in maintenance when only those are left who cannot.
func TestDrainLink(t *testing.T) {
	e, s := newEngine(t, 1, nil, calm(schema.Args{"live_duration": "24h", "vod_duration": "24h"}))
	l := &s.links[0]
	n := float64(len(l.pools[Live][movable]))
	do(t, e, 0, "drain_link", schema.Args{"link": "fra-alder-1"})
	run(e, 300)
	if left, want := float64(len(l.pools[Live][movable])), n*math.Exp(-0.9); math.Abs(left/want-1) > 0.05 || l.counts.Lost != 0 {
		t.Errorf("%g of %g are left after 300 s, want %g; %d are lost", left, n, want, l.counts.Lost)
	}
	told := events(e, 3600)
	if l.status != Maintenance || len(l.pools[Live][fixed]) == 0 || !strings.Contains(told, "link_drained [{link fra-alder-1}") {
		t.Errorf("%s, %d live sessions: %s", l.status, l.total(), told)
	}
	do(t, e, e.Now(), "restore_link", schema.Args{"link": "fra-alder-1"})
	run(e, 10)
	if l.status != Up || l.total() < 100 {
		t.Errorf("restored: %s, %d sessions", l.status, l.total())
	}
}

// TestAnycast: sessions stay on a withdrawn link until routes have converged,
// half a minute later, and are then all on the next candidate.
func TestAnycast(t *testing.T) {
	e, s := newEngine(t, 1, nil, calm(schema.Args{"routing": "anycast"}))
	run(e, 1)
	if s.links[0].total() == 0 || s.links[1].total() != 0 {
		t.Fatalf("%d and %d sessions, want all on the first candidate", s.links[0].total(), s.links[1].total())
	}
	do(t, e, 1, "withdraw", schema.Args{"link": "fra-alder-1"})
	run(e, 29)
	if s.links[1].total() != 0 {
		t.Errorf("%d sessions moved before the routes", s.links[1].total())
	}
	run(e, 2)
	if s.links[0].total() != 0 || s.links[1].total() == 0 {
		t.Errorf("%d and %d sessions after the routes", s.links[0].total(), s.links[1].total())
	}
	do(t, e, e.Now(), "break_link", schema.Args{"link": "fra-alder-2"})
	run(e, 40)
	if s.links[s.far()].total() == 0 || s.counts.sessions[Live].Lost != 0 {
		t.Errorf("%d are on the far site, %d lost", s.links[s.far()].total(), s.counts.sessions[Live].Lost)
	}
	do(t, e, e.Now(), "announce", schema.Args{"link": "fra-alder-1"})
	run(e, 40)
	if s.links[0].total() == 0 || s.links[s.far()].total() != 0 {
		t.Errorf("%d are back, %d still far", s.links[0].total(), s.links[s.far()].total())
	}
}

// TestSetWeight: the group follows the weight, and a prefix gets a group of its
// own with its part of the demand.
func TestSetWeight(t *testing.T) {
	e, s := newEngine(t, 1, nil, calm(schema.Args{"live_duration": "20s", "vod_duration": "20s"}))
	do(t, e, 0, "set_weight", schema.Args{"group": "alder-fra", "link": "fra-alder-2", "weight": 1.4})
	run(e, 200)
	if share := s.links[1].asked() / 80e9; math.Abs(share-0.7) > 0.03 {
		t.Errorf("with weights 0.6 and 1.4 the second link has %g", share)
	}
	do(t, e, 200, "set_weight", schema.Args{"prefix": "198.18.0.0/17", "link": "fra-alder-2", "weight": 1e-6})
	run(e, 1)
	if len(s.groups) != 2 || s.groups[1].Share != 0.125 || s.groups[0].Share != 0.875 || s.groupName(&s.groups[1]) != "alder-fra/198.18.0.0/17" {
		t.Fatalf("%d groups: %+v", len(s.groups), s.groups)
	}
	do(t, e, 201, "set_weight", schema.Args{"prefix": "198.18.0.0/17", "link": "fra-alder-2", "weight": 2})
	run(e, 1)
	if len(s.groups) != 2 {
		t.Errorf("%d groups", len(s.groups))
	}
}

// TestWeightsFollowMeasurements: a candidate that is four times as far as the
// best is used half as much, in the long run, and one that is best keeps its
// weight.
func TestWeightsFollowMeasurements(t *testing.T) {
	top := TwoLinks()
	top.Groups[0].Candidates[0].RTT = 0.08
	e, s := newEngine(t, 1, top, schema.Args{"demand": 20})
	run(e, 600)
	if f := s.groups[0].way(0).factor; math.Abs(f-0.85) > 0.01 {
		t.Errorf("after one improvement the factor is %g, want 1 − 0.3·0.5", f)
	}
	run(e, 6*3600)
	if far, near := s.groups[0].way(0).factor, s.groups[0].way(1).factor; math.Abs(far-0.5) > 0.01 || near != 1 {
		t.Errorf("the factors are %g and %g", far, near)
	}
}

// TestSetBegins: a new algorithm begins without what the last one summed up, and
// a new gauge without the oscillation of the last.
func TestSetBegins(t *testing.T) {
	e, s := newEngine(t, 1, nil, schema.Args{"demand": 160, "algorithm": "pid"})
	run(e, 600)
	if s.links[0].memory.integral == 0 || s.links[0].memory.Oscillation() == 0 {
		t.Fatalf("%+v", s.links[0].memory)
	}
	do(t, e, 600, "set", schema.Args{"algorithm": "damped", "gauge": "senders"})
	run(e, 1)
	if m := s.links[0].memory; m.integral != 0 || m.Oscillation() > 0.01 {
		t.Errorf("%+v", m)
	}
}

// TestStreamsAreIndependent: what an operator does shifts no arrival.
func TestStreamsAreIndependent(t *testing.T) {
	started := func(act bool) int64 {
		e, s := newEngine(t, 5, nil, schema.Args{"demand": 160})
		if act {
			do(t, e, 50, "break_link", schema.Args{"link": "fra-alder-1"})
			do(t, e, 90, "set", schema.Args{"algorithm": "damped"})
		}
		run(e, 300)
		return s.counts.sessions[Live].Started
	}
	if a, b := started(false), started(true); a != b {
		t.Errorf("%d sessions start without an operator, %d with one", a, b)
	}
}

func TestRefusals(t *testing.T) {
	e, _ := newEngine(t, 1, small(), nil)
	for _, c := range []struct {
		do   string
		args schema.Args
		want string
	}{
		{"break_link", schema.Args{"link": "fra-aldr"}, `args.link: "fra-aldr" is no link; allowed: fra-alder, fra-birch, ams-alder, ams-birch (did you mean "fra-alder"?)`},
		{"set", schema.Args{"drop_points": "0.9:0 0.9:1"}, `args.drop_points: "0.9:0 0.9:1" has two points at one load, 0.9:0 and 0.9:1; allowed: points load:share from left to right, for example 0.75:0 0.85:1`},
		{"set_weight", schema.Args{"link": "fra-alder", "weight": 1}, "args: needs a group or a prefix; allowed: one of group, prefix"},
		{"set_weight", schema.Args{"link": "fra-alder", "weight": 1, "group": "x", "prefix": "y"}, "args: needs a group or a prefix; allowed: one of group, prefix"},
		{"set_weight", schema.Args{"link": "fra-alder", "weight": 1, "group": "birch-am"}, `args.group: "birch-am" is no group; allowed: alder-fra, birch-fra, birch-ams (did you mean "birch-ams"?)`},
		{"set_weight", schema.Args{"link": "fra-alder", "weight": 1, "group": "birch-ams"}, `args.link: "fra-alder" is no candidate of birch-ams; allowed: ams-birch`},
		{"set_weight", schema.Args{"link": "fra-alder", "weight": 1, "prefix": "10.0.0.1/8"}, `args.prefix: "10.0.0.1/8" is no prefix; allowed: an address and a length with no bits behind it, for example 198.18.7.0/24`},
		{"set_weight", schema.Args{"link": "fra-alder", "weight": 1, "prefix": "11.0.0.0/8"}, `args.prefix: "11.0.0.0/8" is outside the routing table; allowed: a prefix that one of the table covers`},
	} {
		_, err := e.Submit(simulator.Command{Service: "video", Do: c.do, Args: c.args, Source: simulator.Operator})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s %v: %v, want %s", c.do, c.args, err, c.want)
		}
	}
	for config, want := range map[string]schema.Args{
		`slowdown_points: "0.5:0 0.4:1" has the point 0.4:1 after 0.5:0: loads must rise; allowed: points load:share from left to right, for example 0.75:0 0.85:1`: {"slowdown_points": "0.5:0 0.4:1"},
		`live_share: "0" is 0, as are the shares of all other kinds; allowed: one share above 0`:                                                                    {"live_share": 0, "vod_share": 0},
		`demand: "90000" makes too many sessions; allowed: at most 4 million at once and 100000 new ones a second`:                                                  {"demand": 90000},
	} {
		values, problems := Kind().Config.Parse("configuration key", want)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if _, err := Kind().New(simulator.Setup{Name: "video"}, values); err == nil || err.Error() != config {
			t.Errorf("%v: %v, want %s", want, err, config)
		}
	}
}

func TestPickerIsFair(t *testing.T) {
	p := newPicker(rng.Derive(1, "x"), "y")
	counts := make([]int, 7)
	for range 70000 {
		counts[p.below(7)]++
	}
	for i, n := range counts {
		if n < 9500 || n > 10500 {
			t.Errorf("%d is picked %d times of 70000", i, n)
		}
	}
	if p.yes(0) || !p.yes(1) {
		t.Error("what is certain is drawn")
	}
}
