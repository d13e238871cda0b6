package cdn

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
	"github.com/firedrill/firedrill/simulator/unit"
)

// small is a topology of four links, two sites and three groups, one of which
// has a single candidate.
func small() *Topology {
	link := func(id string, site, operator int, capacity unit.BitsPerSecond) Link {
		return Link{ID: id, Site: site, Operator: operator, Capacity: capacity * gigabit, Background: 0.02 * capacity * gigabit}
	}
	return &Topology{
		Sites:     []Site{{"fra", 4, gigabit}, {"ams", 3, gigabit}},
		Operators: []string{"alder", "birch"},
		Links:     []Link{link("fra-alder", 0, 0, 1), link("fra-birch", 0, 1, 0.5), link("ams-alder", 1, 0, 0.5), link("ams-birch", 1, 1, 0.25)},
		Groups: []Group{
			{0, "fra", 3, []Candidate{{0, 0.7, 0.01}, {2, 0.3, 0.02}}},
			{1, "fra", 2, []Candidate{{1, 0.5, 0.01}, {3, 0.4, 0.02}, {0, 0.1, 0.04}}},
			{1, "ams", 1, []Candidate{{3, 1, 0.01}}},
		},
		Routes: func() []Route { return prefixRoutes("10.0.0.0/8", "20.0.0.0/8", "30.0.0.0/8") },
	}
}

// TestConservation runs random services under random commands and looks at
// every second: of each kind, what has started has ended, was lost, or runs.
func TestConservation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint32().Draw(t, "seed")
		e, s := newEngine(t, seed, small(), schema.Args{
			"demand":       rapid.SampledFrom([]float64{0, 0.1, 1, 3}).Draw(t, "demand"),
			"lesson_share": 0.1, "concert_share": 0.1, "live_duration": "60s",
			"movable_ratio": rapid.SampledFrom([]float64{0, 0.5, 0.9, 1}).Draw(t, "movable"),
			"abr":           rapid.Bool().Draw(t, "abr"),
			"far_capacity":  rapid.SampledFrom([]float64{0, 0.1}).Draw(t, "far"),
			"segment":       rapid.SampledFrom([]string{"2s", "4s", "10s"}).Draw(t, "segment"),
		})
		l := ledger{}
		l.check(t, s)
		for range rapid.IntRange(1, 15).Draw(t, "rounds") {
			for range rapid.IntRange(0, 3).Draw(t, "commands") {
				submitRandom(t, e, s)
			}
			for range rapid.IntRange(1, 50).Draw(t, "seconds") {
				e.Step()
				l.check(t, s)
			}
		}
	})
}

// submitRandom submits any action with arguments that it accepts.
func submitRandom(t *rapid.T, e *simulator.Engine, s *Service) {
	link := func() string { return rapid.SampledFrom(linkIDs(s.topology)).Draw(t, "link") }
	onLink := func() schema.Args { return schema.Args{"link": link()} }
	onLinkAt := func() schema.Args {
		return schema.Args{"link": link(), "rate": rapid.SampledFrom([]float64{0.001, 0.3, 1}).Draw(t, "rate")}
	}
	actions := map[string]func() schema.Args{
		"set": func() schema.Args {
			return schema.Args{
				"algorithm": rapid.SampledFrom([]string{"piecewise", "damped", "pid"}).Draw(t, "algorithm"),
				"gauge":     rapid.SampledFrom([]string{"device", "senders"}).Draw(t, "gauge"),
				"routing":   rapid.SampledFrom([]string{"playlist", "anycast"}).Draw(t, "routing"),
				"abr":       rapid.Bool().Draw(t, "abr"), "stagger": rapid.Bool().Draw(t, "stagger"),
				"slowdown_points": rapid.SampledFrom([]string{"0:1", "0.1:0 0.2:1", "0.75:0 0.85:1"}).Draw(t, "slowdown"),
				"drop_points":     rapid.SampledFrom([]string{"0:1", "0.2:0 0.4:0.5"}).Draw(t, "drop"),
			}
		},
		"set_weight": func() schema.Args {
			args := schema.Args{"link": "fra-alder", "weight": rapid.Float64Range(0.01, 5).Draw(t, "weight")}
			if rapid.Bool().Draw(t, "by prefix") {
				args["prefix"] = fmt.Sprintf("10.%d.0.0/16", rapid.IntRange(0, 3).Draw(t, "network"))
			} else {
				args["group"] = rapid.SampledFrom([]string{"alder-fra", "birch-fra"}).Draw(t, "group")
			}
			return args
		},
		"drain_link": onLink, "restore_link": onLink, "withdraw": onLink, "announce": onLink, "break_link": onLink, "repair_link": onLink,
		"set_capacity": onLinkAt, "set_background": onLinkAt,
		"surge": func() schema.Args {
			return schema.Args{"factor": rapid.SampledFrom([]float64{0, 0.5, 3, 16}).Draw(t, "factor"), "rise": "10s", "hold": "20s", "fall": "10s",
				"kind": rapid.SampledFrom([]string{"all", "live", "lesson"}).Draw(t, "kind")}
		},
	}
	var names []string
	for _, a := range Kind().Actions {
		names = append(names, a.Name)
	}
	name := rapid.SampledFrom(names).Draw(t, "action")
	make, known := actions[name]
	if !known {
		t.Fatalf("the test does not know the action %q", name)
	}
	do(t, e, 0, name, make())
}

// ledger follows the counters of a service from second to second.
type ledger struct {
	last *Snapshot
}

func (l *ledger) check(t *rapid.T, s *Service) {
	now := s.picture()
	for kind, k := range now.Kinds {
		if k.Started != k.Ended+k.Lost+int64(k.Running) {
			t.Fatalf("%s: %d started, %d ended, %d lost, %d run", Content(kind), k.Started, k.Ended, k.Lost, k.Running)
		}
	}
	l.checkPlaces(t, s)
	l.checkRanges(t, now)
	if l.last != nil {
		l.checkGrowth(t, now)
	}
	l.last = now
}

// checkPlaces: the books about sessions agree with the sessions.
func (l *ledger) checkPlaces(t *rapid.T, s *Service) {
	watching := make([]int32, len(s.quality.watching))
	for i := range s.links {
		link := &s.links[i]
		byOperator := make([]int32, len(link.operators))
		for kind := range Contents {
			rungs := 0
			for _, n := range link.rungs[kind] {
				if n < 0 {
					t.Fatalf("%s has %v sessions of %s by bitrate", link.ID, link.rungs[kind], kind)
				}
				rungs += int(n)
			}
			if rungs != link.sessions(kind) {
				t.Fatalf("%s has %d sessions of %s, %d by bitrate", link.ID, link.sessions(kind), kind, rungs)
			}
			for _, p := range link.pools[kind] {
				for _, g := range p {
					byOperator[s.groups[g].Operator*int(Contents)+int(kind)]++
				}
			}
		}
		for place, n := range byOperator {
			watching[place] += n
			if n != link.operators[place] {
				t.Fatalf("%s has %d sessions at %d, the books say %d", link.ID, n, place, link.operators[place])
			}
		}
	}
	for place, n := range watching {
		if n != s.quality.watching[place] {
			t.Fatalf("%d sessions at %d, the books say %d", n, place, s.quality.watching[place])
		}
	}
}

func (l *ledger) checkRanges(t *rapid.T, now *Snapshot) {
	for i := range now.Links {
		link := &now.Links[i]
		for name, x := range map[string]float64{"loss": float64(link.Loss), "slowdown": link.Signals.Slowdown, "drop": link.Signals.Drop, "device": link.Device} {
			if !(x >= 0 && x <= 1) {
				t.Fatalf("%s: %s is %g", link.ID, name, x)
			}
		}
		if !(link.Load >= 0) {
			t.Fatalf("%s has a load of %g", link.ID, link.Load)
		}
	}
	if r := now.Row; !(r.Stalled >= 0 && r.Stalled <= 1 && r.Far >= 0 && r.Far <= 1 && r.Hits >= -1e-9 && r.Hits <= 1) {
		t.Fatalf("%+v", r)
	}
}

func (l *ledger) checkGrowth(t *rapid.T, now *Snapshot) {
	for i := range now.Links {
		a, b := &l.last.Links[i], &now.Links[i]
		if b.Sent < a.Sent || b.Received < a.Received || b.Dropped < a.Dropped || b.Started < a.Started || b.Refused < a.Refused || b.Moved < a.Moved || b.Lost < a.Lost {
			t.Fatalf("a counter of %s fell", a.ID)
		}
	}
	for kind, before := range l.last.Kinds {
		k := &now.Kinds[kind]
		if k.Sent < before.Sent || k.Hits < before.Hits || k.Segments.Sum < before.Segments.Sum || k.Hits > k.Sent {
			t.Fatalf("a counter of %s fell", Content(kind))
		}
		for i, n := range before.Segments.Count {
			if k.Segments.Count[i] < n {
				t.Fatalf("cell %d of the segments of %s fell", i, Content(kind))
			}
		}
	}
}
