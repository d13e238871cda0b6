package cdn

import (
	"math"
	"slices"
	"testing"
)

// wanted returns the load of every link where each session takes the link that
// the weights draw, at so much demand in bits/s.
func wanted(t *Topology, demand float64) []float64 {
	shares := 0.0
	for _, g := range t.Groups {
		shares += g.Share
	}
	loads := make([]float64, len(t.Links))
	for i, l := range t.Links {
		loads[i] = float64(l.Background / l.Capacity)
	}
	for _, g := range t.Groups {
		sum := 0.0
		for _, c := range g.Candidates {
			sum += c.Weight
		}
		for _, c := range g.Candidates {
			loads[c.Link] += demand * g.Share / shares * c.Weight / sum / float64(t.Links[c.Link].Capacity)
		}
	}
	return loads
}

// TestLarge: the large topology has the sizes that it is said to have, and at
// 1.5 Tbit/s, without steering, the mean load is about 40 % while the most
// wanted tenth of the links is asked for more than it carries.
func TestLarge(t *testing.T) {
	for seed := range uint32(5) {
		top := Large(seed + 1)
		hosts, carried, capacity := 0, 0.0, 0.0
		for _, s := range top.Sites {
			hosts += s.Hosts
		}
		if len(top.Sites) != 30 || hosts != 5000 || len(top.Links) != 300 || len(top.Groups) != 480 {
			t.Errorf("seed %d: %d sites, %d hosts, %d links, %d groups", seed+1, len(top.Sites), hosts, len(top.Links), len(top.Groups))
		}
		loads := wanted(top, 1.5e12)
		for i, l := range top.Links {
			carried += loads[i] * float64(l.Capacity)
			capacity += float64(l.Capacity)
		}
		if capacity != 3.9e12 || math.Abs(carried/capacity-0.41) > 0.03 {
			t.Errorf("seed %d: a mean load of %.3f on %g", seed+1, carried/capacity, capacity)
		}
		slices.Sort(loads)
		if tenth := loads[len(loads)-len(loads)/10]; tenth < 1 {
			t.Errorf("seed %d: the thirtieth of the most wanted links has a load of %.3f", seed+1, tenth)
		}
		for i, g := range top.Groups {
			if n := len(g.Candidates); n < 3 || n > 6 {
				t.Errorf("seed %d: group %d has %d candidates", seed+1, i, n)
			}
		}
	}
}

func TestLargeRoutes(t *testing.T) {
	top := Large(1)
	r := newRoutes(top.Routes(), len(top.Groups))
	if r.table.Size() != 100000 {
		t.Errorf("%d prefixes", r.table.Size())
	}
	for g, n := range r.count {
		if n == 0 {
			t.Errorf("group %d has no prefix", g)
		}
	}
}

// TestSteeringSparesTheWanted: at its peak the large topology, steered by a pid,
// has no link that is overloaded and hardly anybody on the far site.
func TestSteeringSparesTheWanted(t *testing.T) {
	e, s := newEngine(t, 1, nil, map[string]any{"topology": "large", "demand": 1500, "algorithm": "pid"})
	run(e, 1801)
	if s.row.Overloaded > 3 || s.row.Stalled > 0.001 || s.row.Far > 0.02 {
		t.Errorf("%d overloaded links, %.4f stalled, %.4f far", s.row.Overloaded, s.row.Stalled, s.row.Far)
	}
}
