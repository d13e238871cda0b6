package dist

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawShares draws up to 40 shares over many orders of magnitude, zeros and ties
// among them, at least one above 0.
func drawShares(t *rapid.T) []float64 {
	share := rapid.OneOf(
		rapid.Just(0.0),
		rapid.SampledFrom([]float64{0.25, 0.5, 1, 1e-3, 1e-9, 1e-200, 5e-324}),
		rapid.Float64Range(0, 1),
		rapid.Custom(func(t *rapid.T) float64 { return math.Exp(-rapid.Float64Range(0, 40).Draw(t, "exponent")) }),
	)
	shares := rapid.SliceOfN(share, 1, 40).Draw(t, "shares")
	if slices.Max(shares) < 1e-9 {
		shares[len(shares)-1] = 0.3
	}
	return shares
}

// normalised returns the shares divided by their sum.
func normalised(shares []float64) []float64 {
	sum := 0.0
	for _, share := range shares {
		sum += share
	}
	shares = slices.Clone(shares)
	for b := range shares {
		shares[b] /= sum
	}
	return shares
}

func drawDeficits(t *rapid.T, cells int) []float64 {
	deficit := rapid.OneOf(rapid.SampledFrom([]float64{0, 0.5, -0.5, 1, 2.5}), rapid.Float64Range(-3, 3))
	return rapid.SliceOfN(deficit, cells, cells).Draw(t, "deficits")
}

// oneByOne is the definition, slowly: k times, the cell whose next thing is due
// first gets it.
func oneByOne(deficits, shares []float64, k int64) []int64 {
	counts := make([]int64, len(shares))
	for range k {
		first, due := -1, 0.0
		for b, share := range shares {
			at := (float64(counts[b]+1) - 0.5 - deficits[b]) / share
			if share > 0 && (first < 0 || at < due) {
				first, due = b, at
			}
		}
		counts[max(first, 0)]++
	}
	return counts
}

func TestApportionDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shares := drawShares(t)
		if rapid.Bool().Draw(t, "normalise") {
			shares = normalised(shares)
		}
		deficits := drawDeficits(t, len(shares))
		k := rapid.Int64Range(0, 300).Draw(t, "k")
		counts := make([]int64, len(shares))
		Apportion(counts, deficits, shares, k)
		if diff := cmp.Diff(oneByOne(deficits, shares, k), counts); diff != "" {
			t.Fatalf("one by one and at once differ (-want +got):\n%s", diff)
		}
	})
}

// TestApportionFormula checks the floors at a λ between the last thing that was
// handed out and the first that was not. Where ties leave no such λ, or a cell is
// within rounding of a whole number, one more or less is right.
func TestApportionFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shares := normalised(drawShares(t))
		deficits := drawDeficits(t, len(shares))
		k := rapid.Int64Range(1, 1_000_000).Draw(t, "k")
		counts := make([]int64, len(shares))
		Apportion(counts, deficits, shares, k)
		last, next := between(counts, deficits, shares)
		if last > next {
			t.Fatalf("a thing due at λ = %v was handed out, one due at %v was not", last, next)
		}
		lambda := last + (next-last)/2
		for b, share := range shares {
			x := max(0.5, deficits[b]+lambda*share+0.5)
			if share > 0 && (float64(counts[b]) < math.Floor(x-1e-9) || float64(counts[b]) > math.Floor(x+1e-9)) {
				t.Fatalf("cell %d has %d, the formula gives %v at λ = %v", b, counts[b], math.Floor(x), lambda)
			}
		}
	})
}

// between returns the λ at which the last thing handed out was due, and the
// first that was not.
func between(counts []int64, deficits, shares []float64) (last, next float64) {
	last, next = math.Inf(-1), math.Inf(1)
	for b, share := range shares {
		if share == 0 {
			continue
		}
		next = min(next, (float64(counts[b])+0.5-deficits[b])/share)
		if counts[b] > 0 {
			last = max(last, (float64(counts[b])-0.5-deficits[b])/share)
		}
	}
	return last, next
}

func TestApportionGrowsWithK(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shares := normalised(drawShares(t))
		deficits := drawDeficits(t, len(shares))
		before, after := make([]int64, len(shares)), make([]int64, len(shares))
		for k, step := range rapid.SliceOfN(rapid.Int64Range(1, 50), 1, 60).Draw(t, "steps") {
			total := sum(before) + step
			Apportion(after, deficits, shares, total)
			if total != sum(after) {
				t.Fatalf("the counts add up to %d, want %d", sum(after), total)
			}
			for b := range shares {
				if after[b] < before[b] {
					t.Fatalf("step %d: cell %d fell from %d to %d", k, b, before[b], after[b])
				}
			}
			before, after = after, before
		}
	})
}

func sum(counts []int64) int64 {
	s := int64(0)
	for _, n := range counts {
		s += n
	}
	return s
}

// TestApportionStaysFair carries over many periods, with the same shares or with
// new ones in each, and holds every cell to the promised distance from its exact
// part.
func TestApportionStaysFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shares := normalised(drawShares(t))
		change := rapid.Float64Range(0, 1).Draw(t, "change")
		most := rapid.SampledFrom([]int64{1, 3, 20, 1000}).Draw(t, "largest k")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		checkFair(t, r, shares, change, most)
	})
}

func checkFair(t *rapid.T, r *rand.Rand, shares []float64, change float64, most int64) {
	n := len(shares)
	counts, deficits := make([]int64, n), make([]float64, n)
	given, exact, largest := make([]float64, n), make([]float64, n), make([]float64, n)
	for period := range 400 {
		if change > 0.5 {
			shares = shuffled(r, shares, change)
		}
		k := r.Int64N(most + 1)
		Apportion(counts, deficits, shares, k)
		Carry(deficits, shares, counts, k)
		for b, share := range shares {
			given[b] += float64(counts[b])
			exact[b] += float64(k) * share
			largest[b] = max(largest[b], share)
			limit := 0.5 + largest[b]*float64(n)/2 + 1e-9
			if off := exact[b] - given[b]; math.Abs(off) > limit || math.Abs(off-deficits[b]) > 1e-7 {
				t.Fatalf("period %d: cell %d was given %v, its part is %v, the deficit %v; the limit is %v",
					period, b, given[b], exact[b], deficits[b], limit)
			}
		}
	}
}

// shuffled returns the shares with some of them scaled by a random factor, 0
// included.
func shuffled(r *rand.Rand, shares []float64, change float64) []float64 {
	shares = slices.Clone(shares)
	for b := range shares[1:] {
		if r.Float64() < change {
			shares[b] *= float64(r.IntN(5)) / 2
		}
	}
	shares[len(shares)-1] += 1e-3
	return normalised(shares)
}

func TestApportionWithoutShares(t *testing.T) {
	for _, k := range []int64{0, 5, 1_000_000} {
		counts := []int64{7, 7, 7}
		Apportion(counts, []float64{0, 2, -1}, []float64{0, 0, 0}, k)
		if want := []int64{k, 0, 0}; !slices.Equal(counts, want) {
			t.Errorf("k = %d: %v, want %v", k, counts, want)
		}
	}
}

func TestApportionLeavesOutCellsWithoutShare(t *testing.T) {
	counts := make([]int64, 3)
	Apportion(counts, []float64{3, 0, 0}, []float64{0, 0.5, 0.5}, 9)
	if want := []int64{0, 5, 4}; !slices.Equal(counts, want) {
		t.Errorf("%v, want %v", counts, want)
	}
}

// TestApportionForgetsNoCell gives a cell with a millionth of the traffic its
// one in a million.
func TestApportionForgetsNoCell(t *testing.T) {
	shares := []float64{1 - 3e-6, 2e-6, 1e-6}
	counts, deficits, given := make([]int64, 3), make([]float64, 3), make([]int64, 3)
	for range 10_000 {
		Apportion(counts, deficits, shares, 1000)
		Carry(deficits, shares, counts, 1000)
		for b, n := range counts {
			given[b] += n
		}
	}
	if want := []int64{9_999_970, 20, 10}; !slices.Equal(given, want) {
		t.Errorf("%v, want %v", given, want)
	}
}

// TestApportionFarFromBalance takes shares and deficits that keep λ far from k.
func TestApportionFarFromBalance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shares := drawShares(t)
		scale := rapid.SampledFrom([]float64{1e-100, 1e-6, 1e6, 1e100}).Draw(t, "scale")
		for b := range shares {
			shares[b] *= scale
		}
		deficits := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), len(shares), len(shares)).Draw(t, "deficits")
		k := rapid.Int64Range(0, 1<<28).Draw(t, "k")
		counts := make([]int64, len(shares))
		Apportion(counts, deficits, shares, k)
		if sum(counts) != k || slices.Min(counts) < 0 {
			t.Fatalf("%v do not add up to %d", counts, k)
		}
		if last, next := between(counts, deficits, shares); last > next {
			t.Fatalf("a thing due at λ = %v was handed out, one due at %v was not", last, next)
		}
	})
}
