package dist

import (
	"math"

	"github.com/firedrill/firedrill/simulator/fmath"
	"github.com/firedrill/firedrill/simulator/rng"
)

// Binomial draws how many of n independent requests fail when each does with
// probability p.
//
//	q = min(p, 1 − p); X = the draw for q, n less that for p > 1/2
//	n·q ≤ 30: the smallest x with u < P(0) + P(1) + … + P(x),
//	          P(0) = (1 − q)ⁿ, P(x) = P(x − 1)·(n − x + 1)/x·q/(1 − q)
//	n·q > 30: ⌊N(n·q, √(n·q·(1 − q))) + 1/2⌋, brought into [0, n]
//
// where
//
//	u = a uniform number on [0, 1), one draw of s
//	N = a draw of Normal
//
// For a small mean this is the binomial distribution itself and not its Poisson
// limit: it costs no more, its variance is right for large p and small n too,
// and it never exceeds n. As u has 32 bits, no probability is resolved finer than
// 2^-32.
//
// Domain: n ≥ 0; p ≤ 0 or NaN gives 0 and p ≥ 1 gives n, both without a draw.
// Source: Kachitvichyanukul and Schmeiser 1988, Binomial random variate
// generation, CACM 31(2), algorithm BINV.
// Test: TestBinomialFits, TestBinomialMean.
func Binomial(s *rng.Stream, n int64, p float64) int64 {
	switch {
	case n <= 0 || !(p > 0):
		return 0
	case p >= 1:
		return n
	case p > 0.5:
		return n - binomial(s, n, 1-p)
	}
	return binomial(s, n, p)
}

// binomial draws for 0 < q ≤ 1/2.
func binomial(s *rng.Stream, n int64, q float64) int64 {
	mean := float64(float64(n) * q)
	if mean > smallMean {
		return nearestCount(Normal(s, mean, math.Sqrt(float64(mean*(1-q)))), n)
	}
	u := s.Float64()
	if u < 1-mean {
		return 0 // by Bernoulli's inequality (1 − q)ⁿ ≥ 1 − n·q
	}
	return inverse(u, n, q)
}

// inverse returns the smallest x at which the distribution function exceeds u.
func inverse(u float64, n int64, q float64) int64 {
	odds := q / (1 - q)
	probability := fmath.Exp(float64(float64(n) * logComplement(q)))
	x := int64(0)
	for u >= probability && x < n {
		u -= probability
		x++
		probability = float64(probability * float64(odds*(float64(n-x+1)/float64(x))))
	}
	return x
}

// logComplement returns ln(1 − q), accurate for small q too: the rounding error
// of 1 − q is made good by the ratio of q to what was subtracted in fact.
//
// Source: Higham 2002, Accuracy and Stability of Numerical Algorithms, problem
// 1.5.
func logComplement(q float64) float64 {
	rest := 1 - q
	if rest == 1 {
		return -q
	}
	return float64(fmath.Log(rest) * (q / (1 - rest)))
}
