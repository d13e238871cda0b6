package dist

import (
	"math"

	"github.com/firedrill/firedrill/simulator/fmath"
	"github.com/firedrill/firedrill/simulator/rng"
)

const twoPi = 2 * math.Pi

// Exponential draws a waiting time with the given rate; its mean is 1/rate.
//
//	T = −ln(1 − u)/rate
//
// where
//
//	u    = a uniform number on [0, 1), one draw of s
//	rate = events a second (or any unit of time)
//
// Domain: rate > 0. The result is at least 0 and, as u has 32 bits, at most
// 32·ln(2)/rate, about 22 times the mean.
// Source: inverse of the distribution function; Devroye 1986, Non-Uniform Random
// Variate Generation, section II.2.
// Test: TestExponentialReferenceDraws, TestExponentialFits.
func Exponential(s *rng.Stream, rate float64) float64 {
	return (0 - fmath.Log(1-s.Float64())) / rate
}

// Normal draws from the normal distribution.
//
//	X = mean + sd·√(−2 ln u₁)·cos(2π·u₂)
//
// where
//
//	u₁, u₂ = uniform numbers, two draws of s; u₁ is drawn again while it is 0
//	sd     = standard deviation, in the unit of the mean
//
// Domain: finite mean, sd ≥ 0. As u₁ has 32 bits, |X − mean| is at most 6.7·sd.
// Source: Box and Muller 1958, A note on the generation of random normal
// deviates.
// Test: TestNormalReferenceDraws, TestNormalFits.
func Normal(s *rng.Stream, mean, sd float64) float64 {
	u1 := s.Float64()
	for u1 == 0 {
		u1 = s.Float64()
	}
	radius := math.Sqrt(float64(-2 * fmath.Log(u1)))
	angle := float64(twoPi * s.Float64())
	return mean + float64(sd*float64(radius*fmath.Cos(angle)))
}
