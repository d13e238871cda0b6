package dist

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/firedrill/firedrill/simulator/rng"
)

func TestBinomialFits(t *testing.T) {
	for _, c := range []struct {
		n int64
		p float64
	}{
		{1, 0.3}, {5, 0.5}, {16, 0.9}, {40, 0.02}, {60, 0.5}, {1500, 1e-4}, {1500, 5e-3}, {100_000, 1e-5}, {3000, 0.995},
	} {
		for seed := range uint32(6) {
			s := rng.Named(seed, "binomial")
			checkCounts(t, seed, func(k int) float64 { return binomialMass(c.n, c.p, k) }, func() int64 { return Binomial(s, c.n, c.p) })
		}
	}
}

func binomialMass(n int64, p float64, k int) float64 {
	if int64(k) > n {
		return 0
	}
	all, _ := math.Lgamma(float64(n) + 1)
	some, _ := math.Lgamma(float64(k) + 1)
	others, _ := math.Lgamma(float64(n-int64(k)) + 1)
	return math.Exp(all - some - others + float64(k)*math.Log(p) + float64(n-int64(k))*math.Log1p(-p))
}

// TestBinomialMean compares mean and variance over the seams between the
// methods: n·q = 30 and p = 1/2.
func TestBinomialMean(t *testing.T) {
	for _, c := range []struct {
		n int64
		p float64
	}{
		{1, 1e-3}, {10, 0.5}, {59, 0.5}, {61, 0.5}, {61, 0.51}, {100, 0.29}, {100, 0.31}, {100, 0.69}, {100, 0.71},
		{1500, 1e-4}, {1500, 0.0199}, {1500, 0.0201}, {1500, 0.999}, {2_000_000_000, 1e-9}, {1 << 40, 0.25},
	} {
		mean := float64(c.n) * c.p
		variance := mean * (1 - c.p)
		if float64(c.n)*min(c.p, 1-c.p) > smallMean {
			variance += 1.0 / 12
		}
		s := rng.Named(3, "binomial mean")
		checkMoments(t, 3, mean, variance, func() int64 { return Binomial(s, c.n, c.p) })
	}
}

func TestBinomialStaysInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rng.New(rapid.Uint32().Draw(t, "seed"))
		n := rapid.Int64Range(0, 1<<40).Draw(t, "n")
		p := rapid.Float64Range(0, 1).Draw(t, "p")
		for range 20 {
			if x := Binomial(s, n, p); x < 0 || x > n {
				t.Fatalf("drew %d", x)
			}
		}
	})
}

func TestBinomialOutsideItsDomain(t *testing.T) {
	s := rng.New(1)
	for _, c := range []struct {
		n    int64
		p    float64
		want int64
	}{
		{0, 0.5, 0}, {-3, 0.5, 0}, {10, 0, 0}, {10, -1, 0}, {10, math.NaN(), 0}, {10, 1, 10}, {10, 7, 10},
	} {
		if got := Binomial(s, c.n, c.p); got != c.want {
			t.Errorf("Binomial(%d, %v) = %d, want %d", c.n, c.p, got, c.want)
		}
	}
	if *s != *rng.New(1) {
		t.Error("a certain outcome drew a number")
	}
}

func TestLogComplement(t *testing.T) {
	for q := 1e-20; q <= 0.5; q *= 1.37 {
		if got, want := logComplement(q), math.Log1p(-q); math.Abs(got-want) > 1e-15*math.Abs(want) {
			t.Errorf("ln(1 − %v) = %v, want %v", q, got, want)
		}
	}
}
