package queueing

import (
	"math"

	"github.com/firedrill/firedrill/simulator/fmath"
)

// expIntegral returns the integral of an exponential over an interval, relative
// to its value at the end where it is largest.
//
//	∫₀ᵈ e^(−|r|u) du = (1 − e^(−|r|d))/|r|, d at r = 0
//
// where
//
//	r = rate, a second, of either sign
//	d = length of the interval in seconds, d ≥ 0
//
// Test: TestExpIntegral.
func expIntegral(rate, length float64) float64 {
	rate = math.Abs(rate)
	if float64(rate*length) < smallestNormal {
		return length
	}
	return -fmath.Expm1(-float64(rate*length)) / rate
}

// smallestNormal is 2^-1022. A product below it has lost bits, and 1 − e^(−x)
// is x there to the last one.
const smallestNormal = 0x1p-1022

// firstMoment returns the mean position in an exponential density on [0, 1]
// whose largest value is 1.
//
//	x ≥ 0: ∫₀¹ u·e^(−xu) du     = (1 − (1 + x)e^(−x))/x²
//	x < 0: ∫₀¹ u·e^(−|x|(1−u)) du = (|x| − 1 + e^(−|x|))/x²
//
// Near 0 both lose their digits in a difference. The second is summed there as
// a series, and the first is (1 − e^(−x))/x less the second, by symmetry.
//
// Test: TestFirstMoment.
func firstMoment(x float64) float64 {
	size := math.Abs(x)
	switch {
	case size < 1 && x < 0:
		return risingMoment(size)
	case size < 1:
		return expIntegral(size, 1) - risingMoment(size)
	case x < 0:
		return (1 + fmath.Expm1(-size)/size) / size
	}
	return (1 - float64((1+size)*fmath.Exp(-size))) / size / size
}

// risingMoment returns (x − 1 + e^(−x))/x² for 0 ≤ x ≤ 1 by its series
// 1/2! − x/3! + x²/4! − …
func risingMoment(x float64) float64 {
	sum, term := 0.5, 0.5
	for k := 3.0; math.Abs(term) > negligible; k++ {
		term = float64(term*-x) / k
		sum += term
	}
	return sum
}
