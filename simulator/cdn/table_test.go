package cdn

import (
	"fmt"
	"math"
	"testing"

	"github.com/firedrill/firedrill/simulator/schema"
)

// played are the true loads of the two links, second by second, over the second
// hour of the table, and what was on the far site, as a share of a link.
type played struct {
	loads [2][]float64
	far   []float64
}

// playTable plays the table's two hours.
func playTable(t *testing.T, seed uint32, algorithm, gauge string) played {
	e, s := newEngine(t, seed, nil, kickOff(algorithm, gauge))
	do(t, e, 600, "surge", schema.Args{"factor": 2, "rise": "5m", "hold": "5h", "fall": "0s"})
	run(e, 3600)
	var p played
	for range 3600 {
		e.Step()
		for i := range p.loads {
			p.loads[i] = append(p.loads[i], s.links[i].load)
		}
		p.far = append(p.far, s.links[s.far()].asked()/(100*gigabit))
	}
	return p
}

// moments returns mean and standard deviation.
func moments(xs []float64) (mean, deviation float64) {
	for _, x := range xs {
		mean += x / float64(len(xs))
	}
	for _, x := range xs {
		deviation += (x - mean) * (x - mean) / float64(len(xs))
	}
	return mean, math.Sqrt(deviation)
}

func correlation(xs, ys []float64) float64 {
	mx, dx := moments(xs)
	my, dy := moments(ys)
	sum := 0.0
	for i := range xs {
		sum += (xs[i] - mx) * (ys[i] - my) / float64(len(xs))
	}
	return sum / dx / dy
}

// overloaded returns the share of the values above 95 %.
func overloaded(xs []float64) float64 {
	n := 0.0
	for _, x := range xs {
		if x > 0.95 {
			n++
		}
	}
	return n / float64(len(xs))
}

// TestTable plays the table of docs/models/cdn.md over seeds. The scenario
// kick-off is the same: TestKickOffIsTheTable holds it to that.
func TestTable(t *testing.T) {
	between := func(t *testing.T, what string, x, low, high float64) {
		t.Helper()
		if !(x >= low && x <= high) {
			t.Errorf("%s is %.4f, want %g to %g", what, x, low, high)
		}
	}
	for _, c := range []struct {
		algorithm, gauge string
		check            func(t *testing.T, p played)
	}{
		{"piecewise", "device", func(t *testing.T, p played) {
			between(t, "correlation", correlation(p.loads[0], p.loads[1]), -1, -0.8)
			for i, loads := range p.loads {
				mean, deviation := moments(loads)
				between(t, fmt.Sprintf("time above 95 %% of link %d", i), overloaded(loads), 0.2, 0.45)
				between(t, "mean", mean, 0.75, 0.87)
				between(t, "deviation", deviation, 0.15, 0.25)
			}
			mean, _ := moments(p.far)
			between(t, "far site", mean, 0, 0.06)
		}},
		{"damped", "device", func(t *testing.T, p played) {
			between(t, "correlation", correlation(p.loads[0], p.loads[1]), -1, -0.2)
			for i, loads := range p.loads {
				between(t, fmt.Sprintf("time above 95 %% of link %d", i), overloaded(loads), 0, 0.01)
			}
			mean, _ := moments(p.far)
			between(t, "far site", mean, 0.10, 0.17)
		}},
		{"pid", "device", func(t *testing.T, p played) {
			first, _ := moments(p.loads[0])
			second, _ := moments(p.loads[1])
			between(t, "mean of the first", first, 0.835, 0.865)
			between(t, "mean of the second", second, 0.79, 0.83)
			between(t, "time above 95 %", overloaded(p.loads[0])+overloaded(p.loads[1]), 0, 0)
			mean, _ := moments(p.far)
			between(t, "far site", mean, 0, 0.001)
		}},
		{"pid", "senders", func(t *testing.T, p played) {
			first, _ := moments(p.loads[0])
			between(t, "mean of the first", first, 0.905, 0.945)
		}},
		{"piecewise", "senders", func(t *testing.T, p played) {
			for _, loads := range p.loads {
				_, deviation := moments(loads)
				between(t, "deviation", deviation, 0, 0.02)
			}
		}},
	} {
		t.Run(c.algorithm+" "+c.gauge, func(t *testing.T) {
			t.Parallel()
			for seed := range uint32(20) {
				t.Logf("seed %d", seed)
				c.check(t, playTable(t, seed, c.algorithm, c.gauge))
			}
		})
	}
}
