package cdn

import (
	"math"
	"testing"

	"github.com/firedrill/firedrill/simulator/schema"
)

func TestLoss(t *testing.T) {
	for load, want := range map[float64]float64{0: 0, 0.95: 0, 0.975: 0.005, 1: 0.01, 1.25: 0.21, 2: 0.51} {
		l := link{load: load}
		l.lost = l.loss()
		if got := l.loss(); math.Abs(got-want) > 1e-12 {
			t.Errorf("at %g it is %g, want %g", load, got, want)
		}
		if carried := l.carriedRatio(); carried > 1 {
			t.Errorf("at %g the link carries %g", load, carried)
		}
	}
	l := link{status: Broken, load: 0.3}
	if l.lost = l.loss(); l.lost != 1 || l.carriedRatio() != 0 {
		t.Errorf("a broken link loses %g", l.loss())
	}
}

func TestThroughput(t *testing.T) {
	const b, access = 4e6, 20e6
	for _, c := range []struct{ load, hosts, want float64 }{
		{0.5, 1, access}, {0.95, 1, access}, {0.975, 1, (access + 0.99*b) / 2}, {1, 1, 0.99 * b}, {1.25, 1, 0.79 * b},
		{0.5, 0.75, 0.75 * b}, {1.25, 0.9, 0.9 * 0.79 * b},
	} {
		l := link{load: c.load, hostShare: c.hosts}
		l.lost = l.loss()
		want := c.want
		if c.load > 1 && c.hosts < 1 {
			want = math.Min(0.79*b, c.hosts*b)
		}
		if got := l.throughput(b, access); math.Abs(got-want) > 1 {
			t.Errorf("load %g, hosts %g: %g, want %g", c.load, c.hosts, got, want)
		}
	}
	if got := (&link{load: 0.1, hostShare: 1}).throughput(b, 3e6); got != 3e6 {
		t.Errorf("a line of 3 Mbit/s gives %g", got)
	}
}

// TestLinesAreLogNormal compares the speeds with e^(σz) at the middle of each
// eighth of the normal distribution.
func TestLinesAreLogNormal(t *testing.T) {
	for i, got := range lines() {
		z := math.Sqrt2 * math.Erfinv(2*(float64(i)+0.5)/8-1)
		if want := math.Exp(0.6 * z); math.Abs(got-want) > 1e-4*want {
			t.Errorf("line %d is %g, want %g", i, got, want)
		}
	}
}

// TestBuffersRunDry: on a link with a load of 1.25 a player gets 0.79 of its
// bitrate, so that the 6 s of a live player last 6/0.21 = 28.6 s, and then the
// share 0.21 of the players stalls. With room they refill by 0.5 s a second.
func TestBuffersRunDry(t *testing.T) {
	c := newService(t, 1, nil, schema.Args{"demand": 0}).config
	l := link{load: 1.25, lost: 0.21, hostShare: 1, operators: make([]int32, Contents)}
	l.pools[Live][movable] = pool{0}
	l.asks[Live] = 4.5e6
	l.players[Live].buffer = 6
	for second := 1; second <= 28; second++ {
		l.play(&c)
		if want := 6 - 0.21*float64(second); math.Abs(l.players[Live].buffer-want) > 1e-9 || l.players[Live].stalled != 0 {
			t.Fatalf("after %d s: %+v, want a buffer of %g", second, l.players[Live], want)
		}
	}
	l.play(&c)
	if p := l.players[Live]; p.buffer != 0 || math.Abs(p.stalled-0.21) > 1e-9 {
		t.Fatalf("run dry: %+v", p)
	}
	l.load, l.lost = 0.5, 0
	l.play(&c)
	l.play(&c)
	if p := l.players[Live]; p.buffer != 1 || p.stalled != 0 {
		t.Errorf("after two seconds with room: %+v", p)
	}
}

// TestABRMakesLoadElastic: with abr players of an overloaded link watch at lower
// bitrates, which spares them most of the stalling.
func TestABRMakesLoadElastic(t *testing.T) {
	stalled := map[bool]float64{}
	for _, abr := range []bool{false, true} {
		e, s := newEngine(t, 1, nil, schema.Args{"demand": 220, "abr": abr, "slowdown_points": "0:0", "drop_points": "0:0"})
		run(e, 1200)
		stalled[abr] = s.row.StalledAll
		if abr != (s.row.Bitrate < 4.4e6) {
			t.Errorf("abr %v: a bitrate of %g", abr, s.row.Bitrate)
		}
	}
	if stalled[false] < 1e5 || stalled[true] > stalled[false]/3 {
		t.Errorf("%.0f s stalled with abr, %.0f without", stalled[true], stalled[false])
	}
}

// TestHostsAreABottleneckToo: a site whose hosts can send half of what is asked
// for stalls the players, and the link shows half the load.
func TestHostsAreABottleneckToo(t *testing.T) {
	top := TwoLinks()
	top.Sites[0].Hosts = 40
	e, s := newEngine(t, 1, top, schema.Args{"demand": 80, "abr": false})
	run(e, 121)
	if p := s.picture(); math.Abs(p.Sites[0].Load-2) > 0.05 || s.row.Stalled < 0.2 || s.row.MaxLoad > 0.32 {
		t.Errorf("hosts at %g, %g stalled, a load of %g", p.Sites[0].Load, s.row.Stalled, s.row.MaxLoad)
	}
}

func TestFarSiteCanBeFull(t *testing.T) {
	for capacity, full := range map[float64]bool{0: false, 5: true} {
		e, s := newEngine(t, 1, nil, schema.Args{"demand": 80, "slowdown_points": "0:1", "far_capacity": capacity, "abr": false})
		run(e, 1201)
		if far := s.picture().Far; (far.Load > 1) != full || s.row.Far < 0.9 || (s.row.Stalled > 0.1) != full {
			t.Errorf("capacity %g: %+v, %g on it, %g stalled", capacity, far, s.row.Far, s.row.Stalled)
		}
	}
}
