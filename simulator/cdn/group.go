package cdn

import (
	"math"
	"slices"
)

// group is a group of networks and how its sessions are routed now.
type group struct {
	Group
	prefix string // that has the group to itself, "" for a group of the topology
	ways   []way  // in order of weight, the heaviest first
	open   float64
}

// way is a candidate link of a group.
type way struct {
	Candidate
	factor float64 // what measurements have made of the weight, ½ … 2
	open   bool    // new sessions may take it
}

// weight returns the weight as it is now.
func (w *way) weight() float64 { return w.Weight * w.factor }

// newGroups makes the groups of a topology.
func newGroups(t *Topology) []group {
	groups := make([]group, len(t.Groups))
	for i := range groups {
		groups[i] = newGroup(t.Groups[i])
	}
	return groups
}

func newGroup(from Group) group {
	g := group{Group: from}
	for _, c := range from.Candidates {
		g.ways = append(g.ways, way{Candidate: c, factor: 1})
	}
	return g
}

// refresh brings what groups know of links and weights up to date.
func (s *Service) refresh() {
	for i := range s.groups {
		g := &s.groups[i]
		g.sort()
		g.open = 0
		for j := range g.ways {
			w := &g.ways[j]
			w.open = s.links[w.Link].status == Up
			if w.open {
				g.open += float64(w.weight())
			}
		}
	}
}

// sort puts the ways in order of weight; where weights are the same, in order
// of links.
func (g *group) sort() {
	slices.SortFunc(g.ways, func(a, b way) int {
		switch x, y := a.weight(), b.weight(); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return a.Link - b.Link
	})
}

// way returns the group's way over a link, nil where it has none.
func (g *group) way(link int) *way {
	for i := range g.ways {
		if g.ways[i].Link == link {
			return &g.ways[i]
		}
	}
	return nil
}

// rtt returns the round-trip time of the group's users over a link, without
// queueing.
func (s *Service) rtt(g *group, link int) float64 {
	if w := g.way(link); w != nil {
		return float64(w.RTT)
	}
	return float64(s.config.FarDelay)
}

// Improvement of weights.
const (
	learnSeconds = 600
	smoothing    = 0.3 // part of a new factor that is taken over
	leastFactor  = 0.5
	mostFactor   = 2
)

// learned gathers what is measured of a link between improvements.
type learned struct {
	seconds  int
	queueing float64 // sum of the queueing delay, seconds
	got      float64 // sum of the share of the bitrate that players could download, at most 1
}

// learn takes in a second.
func (l *link) learnSecond() {
	l.learn.seconds++
	l.learn.queueing += l.queueing()
	l.learn.got += min(1, l.players[Live].throughput/float64(Bitrate(topRung)))
}

// improve moves the weights towards what was measured since the last time.
//
//	weight = team's weight · f, f ← f + 0.3·(√(best/measured) − f), ½ ≤ f ≤ 2
//
// where measured is the round-trip time with its mean queueing, divided by the
// share of the bitrate that players could download, and best the smallest of
// the group's candidates. Test: TestWeightsFollowMeasurements.
func (s *Service) improve() {
	for i := range s.groups {
		g := &s.groups[i]
		best := math.Inf(1)
		for _, w := range g.ways {
			best = min(best, s.measured(w))
		}
		for j := range g.ways {
			w := &g.ways[j]
			better := math.Sqrt(best / s.measured(*w))
			w.factor = clamp(w.factor+float64(smoothing*(better-w.factor)), leastFactor, mostFactor)
		}
	}
	for i := range s.links {
		s.links[i].learn = learned{}
	}
	s.refresh()
}

// measured returns how good a way was, in seconds: the less the better.
func (s *Service) measured(w way) float64 {
	seen := s.links[w.Link].learn
	seconds := float64(max(1, seen.seconds))
	return max(1e-3, float64(w.RTT)+seen.queueing/seconds) / max(0.01, seen.got/seconds)
}
