// Package latency holds histograms of response times.
//
// A histogram counts in cells so fine that both a classic Prometheus histogram
// (fixed bounds) and a native one (exponential buckets) follow from the same
// cells exactly: a cell ends at every bound of either. So the two always agree,
// whatever reads them.
package latency

import (
	"math"
	"slices"
)

// Classic returns the upper bounds of the classic buckets in seconds, without
// +Inf.
func Classic() []float64 {
	return []float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 2.5, 5, 10}
}

// The native buckets: bucket i holds times in (2^((i-1)/8), 2^(i/8)] seconds;
// times of at most ZeroThreshold are in the zero bucket.
const (
	NativeSchema  = 3
	NativeFirst   = -79         // index of the first bucket, ending at 2^(-79/8), above the zero bucket
	NativeLast    = 40          // index of the last bucket, ending at 2^5 = 32 s; longer times count in it
	ZeroThreshold = 1.0 / 1024. // seconds: 2^-10
)

// eighths are the upper bounds of the native buckets within an octave: 2^(i/8)
// for i = 0..7, correctly rounded.
var eighths = [8]float64{
	1, 1.0905077326652577, 1.189207115002721, 1.2968395546510096,
	1.4142135623730951, 1.5422108254079407, 1.681792830507429, 1.8340080864093424,
}

// nativeBound returns 2^(i/8) seconds.
func nativeBound(i int) float64 { return math.Ldexp(eighths[i&7], i>>3) }

// grid describes the cells: their upper bounds and where each counts.
type grid struct {
	upper   []float64 // upper bound of each cell in seconds; the last is +Inf
	classic []int     // index of the first classic bucket that holds the cell; len(Classic()) = +Inf
	native  []int     // index of the native bucket - NativeFirst; -1 = the zero bucket
}

var cells = newGrid()

func newGrid() grid {
	bounds := append(Classic(), ZeroThreshold)
	for i := NativeFirst; i <= NativeLast; i++ {
		bounds = append(bounds, nativeBound(i))
	}
	slices.Sort(bounds)
	g := grid{upper: append(slices.Compact(bounds), math.Inf(1))}
	classic, native := Classic(), NativeFirst
	for _, upper := range g.upper {
		at, _ := slices.BinarySearch(classic, upper)
		g.classic = append(g.classic, at)
		if upper <= ZeroThreshold {
			g.native = append(g.native, -1)
			continue
		}
		for native < NativeLast && nativeBound(native) < upper {
			native++
		}
		g.native = append(g.native, native-NativeFirst)
	}
	return g
}

// Cells is the number of cells of a histogram.
func Cells() int { return len(cells.upper) }

// Upper returns the upper bound of cell i in seconds, +Inf for the last.
func Upper(i int) float64 { return cells.upper[i] }

// CellOf returns the cell that counts a time of t seconds.
func CellOf(t float64) int {
	at, _ := slices.BinarySearch(cells.upper, t)
	return at
}

// Histogram counts response times. Its cells never fall except where the
// process that counts restarts.
type Histogram struct {
	Count []int64 // by cell; len = Cells()
	Sum   float64 // of the times in seconds
}

// NewHistogram returns an empty histogram.
func NewHistogram() Histogram { return Histogram{Count: make([]int64, Cells())} }

// Total returns the number of times counted.
func (h Histogram) Total() int64 {
	var n int64
	for _, c := range h.Count {
		n += c
	}
	return n
}

// Add counts all times of other too.
func (h *Histogram) Add(other Histogram) {
	for i, c := range other.Count {
		h.Count[i] += c
	}
	h.Sum += other.Sum
}

// ClassicCounts writes the cumulative counts of the classic buckets to dst,
// which has one place more than Classic(): the last is +Inf, the total.
func (h Histogram) ClassicCounts(dst []int64) {
	clear(dst)
	for i, c := range h.Count {
		dst[cells.classic[i]] += c
	}
	for i := 1; i < len(dst); i++ {
		dst[i] += dst[i-1]
	}
}

// NativeCounts writes the counts of the native buckets NativeFirst …
// NativeLast (not cumulative) to dst and returns the count of the zero bucket.
func (h Histogram) NativeCounts(dst []int64) (zero int64) {
	clear(dst)
	for i, c := range h.Count {
		if cells.native[i] < 0 {
			zero += c
		} else {
			dst[cells.native[i]] += c
		}
	}
	return zero
}
