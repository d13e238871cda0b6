package rollout

import (
	"slices"

	"github.com/firedrill/firedrill/simulator/dist"
	"github.com/firedrill/firedrill/simulator/fmath"
	"github.com/firedrill/firedrill/simulator/latency"
)

// foldAt is how many answers of one mean time are at most kept together: far
// below what dist.Apportion takes.
const foldAt = 1 << 22

// load is what a server has counted of the requests that it got.
//
// As long as the mean time of an answer stays the same only their number is
// counted. How they spread over the cells of the histogram is worked out when
// somebody looks and, for good, when the mean changes. Both give the same.
type load struct {
	answered int64 // 200
	turned   int64 // 503
	refused  int64 // connections, where nobody listened
	failing  int64 // seconds in which requests to it would fail

	run      int64 // answers of the present mean time, not yet in past
	past     latency.Histogram
	deficits []float64 // of the cells
}

func newLoad() load {
	return load{past: latency.NewHistogram(), deficits: make([]float64, latency.Cells())}
}

// spread returns the share of each cell of the histogram where times are
// exponential with a mean of T seconds:
//
//	share = e^(−a/T) − e^(−b/T)
//
// where the cell holds the times from a to b.
func spread(mean float64) []float64 {
	shares := make([]float64, latency.Cells())
	above := 1.0
	for i := range shares {
		below := 0.0
		if i < len(shares)-1 {
			below = min(above, fmath.Exp(-latency.Upper(i)/mean))
		}
		shares[i] = above - below
		above = below
	}
	return shares
}

// fold puts the answers of the present mean time into the histograms for good.
func (s *Service) fold() {
	var shares []float64
	for i := range s.servers {
		l := &s.servers[i].load
		if l.run == 0 {
			continue
		}
		if shares == nil {
			shares = spread(s.traffic.mean)
		}
		counts := make([]int64, len(shares))
		l.past.Sum = l.add(&l.past, counts, shares, s.traffic.mean)
		dist.Carry(l.deficits, shares, counts, l.run)
		l.run = 0
	}
}

// add adds the answers of the present mean time to a histogram's counts and
// returns its sum with them.
func (l *load) add(to *latency.Histogram, counts []int64, shares []float64, mean float64) float64 {
	dist.Apportion(counts, l.deficits, shares, l.run)
	for cell, n := range counts {
		to.Count[cell] += n
	}
	return to.Sum + float64(float64(l.run)*mean)
}

// latencies returns the times of the answers of every server.
func (s *Service) latencies() [Servers]latency.Histogram {
	var all [Servers]latency.Histogram
	shares := spread(s.traffic.mean)
	for i := range s.servers {
		l := &s.servers[i].load
		all[i] = latency.Histogram{Count: slices.Clone(l.past.Count), Sum: l.past.Sum}
		if l.run > 0 {
			all[i].Sum = l.add(&all[i], make([]int64, len(shares)), shares, s.traffic.mean)
		}
	}
	return all
}
