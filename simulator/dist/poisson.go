package dist

import (
	"math"

	"github.com/firedrill/firedrill/simulator/fmath"
	"github.com/firedrill/firedrill/simulator/rng"
)

// smallMean is the largest mean for which Poisson and Binomial are exact; above
// it they use the normal limit.
const smallMean = 30

// Poisson draws the number of independent events in a period.
//
//	mean ≤ 30: the largest k with u₁·u₂·…·uₖ > e^(−mean)
//	mean > 30: ⌊N(mean, √mean) + 1/2⌋, at least 0
//
// where
//
//	u₁, u₂ … = uniform numbers, k + 1 draws of s
//	N        = a draw of Normal
//
// Domain: mean ≥ 0; a mean of 0, below 0 or NaN gives 0 and draws nothing. The
// result has the given mean on both sides of 30; above, rounding adds 1/12 to
// the variance, and the skew of 1/√mean is lost.
// Source: Knuth, The Art of Computer Programming 2, 1969, section 3.4.1.
// Test: TestPoissonReferenceDraws, TestPoissonFits.
func Poisson(s *rng.Stream, mean float64) int64 {
	switch {
	case !(mean > 0):
		return 0
	case mean > smallMean:
		return nearestCount(Normal(s, mean, math.Sqrt(mean)), math.MaxInt64)
	}
	limit := fmath.Exp(-mean)
	count := int64(0)
	for product := s.Float64(); product > limit; count++ {
		product = float64(product * s.Float64())
	}
	return count
}

// nearestCount returns x rounded to a whole number, halves upwards, and brought
// into [0, limit].
func nearestCount(x float64, limit int64) int64 {
	x = math.Floor(x + 0.5)
	switch {
	case !(x > 0):
		return 0
	case x >= float64(limit):
		return limit
	}
	return int64(x)
}
