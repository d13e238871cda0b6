package fmath

import "math"

const (
	// expm1Near is the distance from 0 within which the series alone is used.
	expm1Near = 1.0 / 16
	// expm1High is where −1 is no longer seen in e^x − 1, expm1Low where e^x is
	// not.
	expm1High = 40
	expm1Low  = -38
)

// Expm1 returns e^x − 1, accurate near 0 too.
//
//	|x| < 1/16: x + x²/2! + x³/3! + … + x¹⁰/10!
//	else:       (2^k·2^(j/128) − 1) + 2^k·2^(j/128)·(e^r − 1)
//
// where
//
//	k, j, r = as for Exp; the rounding error of the first difference is carried
//	          into the second term
//
// Domain: every x. Expm1(±0) = ±0, Expm1(+Inf) = +Inf, Expm1(-Inf) = -1,
// Expm1(NaN) = NaN.
// Source: Tang 1992, Table-driven implementation of the expm1 function in IEEE
// floating-point arithmetic, ACM TOMS 18(2).
// Test: TestExpm1WithinOneULP, TestReferenceTable.
func Expm1(x float64) float64 {
	switch {
	case math.Abs(x) < expm1Near:
		return expm1Series(x)
	case x > expm1High:
		return Exp(x)
	case x < expm1Low:
		return -1
	case x != x:
		return x
	}
	k, j, r := reduceExp(x)
	entry, scale := expTable[j], powerOfTwo(k)
	coarse := float64(scale * entry.high)
	fine := float64(scale * (entry.low + float64(entry.high*expSeries(r))))
	difference := coarse - 1
	return difference + (fine + differenceError(coarse, difference))
}

// differenceError returns what coarse − 1 lost when it was rounded to
// difference, for coarse > 0 (Dekker 1971, A floating-point technique for
// extending the available precision).
func differenceError(coarse, difference float64) float64 {
	if coarse < 1 {
		return coarse - (difference + 1)
	}
	return (coarse - difference) - 1
}

// expm1Series returns Taylor's polynomial of degree 10, whose remainder is
// below 2^-64 of the result for |x| < 1/16.
func expm1Series(x float64) float64 {
	if math.Abs(x) < 0x1p-54 {
		return x
	}
	square := float64(x * x)
	fourth := float64(square * square)
	low := (1.0/2 + float64(x*(1.0/6))) + float64(square*(1.0/24+float64(x*(1.0/120))))
	high := (1.0/720 + float64(x*(1.0/5040))) + float64(square*(1.0/40320+float64(x*(1.0/362880))))
	top := float64(fourth * (high + float64(fourth*(1.0/3628800))))
	return x + float64(square*(low+top))
}
