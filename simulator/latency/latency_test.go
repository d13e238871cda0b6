package latency_test

import (
	"math"
	"testing"

	"github.com/firedrill/firedrill/simulator/latency"
	"pgregory.net/rapid"
)

// classicBucket is the index of the classic bucket that counts t.
func classicBucket(t float64) int {
	i := 0
	for _, bound := range latency.Classic() {
		if t > bound {
			i++
		}
	}
	return i
}

// inNative reports whether t belongs to native bucket i by the definition of
// schema 3, 2^((i−1)/8) < t ≤ 2^(i/8), up to the rounding of math.Exp2.
func inNative(i int, t float64) bool {
	const rounding = 1e-14
	return math.Exp2(float64(i-1)/8)*(1-rounding) < t && t <= math.Exp2(float64(i)/8)*(1+rounding)
}

// TestCellsSuitBothHistograms: whatever time is counted, the classic and the
// native buckets that their definitions name hold it.
func TestCellsSuitBothHistograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := latency.NewHistogram()
		time := math.Exp(rapid.Float64Range(math.Log(1e-5), math.Log(31)).Draw(t, "log"))
		h.Count[latency.CellOf(time)]++
		classic := make([]int64, len(latency.Classic())+1)
		h.ClassicCounts(classic)
		for i, n := range classic {
			if want := i >= classicBucket(time); (n == 1) != want {
				t.Fatalf("%g s: classic bucket %d counts %d", time, i, n)
			}
		}
		native := make([]int64, latency.NativeLast-latency.NativeFirst+1)
		zero := h.NativeCounts(native)
		if time <= latency.ZeroThreshold {
			if zero != 1 {
				t.Fatalf("%g s is not in the zero bucket", time)
			}
			return
		}
		for i, n := range native {
			if n == 1 && !inNative(i+latency.NativeFirst, time) {
				t.Fatalf("%g s is in native bucket %d", time, i+latency.NativeFirst)
			}
			zero += n
		}
		if zero != 1 {
			t.Fatalf("%g s is counted %d times", time, zero)
		}
	})
}

// TestBoundsAreInclusive: a time that is a bound counts in the bucket that ends
// there, in both kinds.
func TestBoundsAreInclusive(t *testing.T) {
	for i, bound := range latency.Classic() {
		h := latency.NewHistogram()
		h.Count[latency.CellOf(bound)]++
		classic := make([]int64, len(latency.Classic())+1)
		h.ClassicCounts(classic)
		if classic[i] != 1 || (i > 0 && classic[i-1] != 0) {
			t.Errorf("%g s is counted in %v", bound, classic)
		}
	}
}

// TestTotalsAgree: both kinds count what the cells count, and sums add up.
func TestTotalsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := latency.NewHistogram(), latency.NewHistogram()
		for i := range latency.Cells() {
			a.Count[i] = rapid.Int64Range(0, 9).Draw(t, "a")
			b.Count[i] = rapid.Int64Range(0, 9).Draw(t, "b")
		}
		a.Sum, b.Sum = 1.5, 2
		total := a.Total() + b.Total()
		a.Add(b)
		classic := make([]int64, len(latency.Classic())+1)
		a.ClassicCounts(classic)
		native := make([]int64, latency.NativeLast-latency.NativeFirst+1)
		sum := a.NativeCounts(native)
		for _, n := range native {
			sum += n
		}
		if a.Total() != total || classic[len(classic)-1] != total || sum != total || a.Sum != 3.5 {
			t.Fatalf("total %d, classic %d, native %d, want %d", a.Total(), classic[len(classic)-1], sum, total)
		}
	})
}
