package fmath

import "math"

const (
	// expParts is the number of table entries an octave.
	expParts = 1 << expBits
	expBits  = 7
	// partsPerUnit is 128/ln 2.
	partsPerUnit = 0x1.71547652b82fep+7
	// partHigh + partLow is ln(2)/128; partHigh has 35 bits, so that its product
	// with an 18-bit integer is exact.
	partHigh = 0x1.62e42fefcp-8
	partLow  = -0x1.c610ca86c3899p-44
	// roundShift rounds to an integer when it is added and subtracted, and the
	// low bits of the sum are that integer: 1.5·2^52.
	roundShift = 0x1.8p52
	// expOverflow is the largest argument with a finite result, expUnderflow the
	// smallest whose result is not 0.
	expOverflow  = 709.782712893383973096206318587
	expUnderflow = -745.133219101941108420115829
)

// Exp returns e^x.
//
//	x = (128·k + j)·ln(2)/128 + r
//	e^x = 2^k · 2^(j/128) · e^r
//	e^r ≈ 1 + r + r²/2! + r³/3! + r⁴/4! + r⁵/5!
//
// where
//
//	k, j = integers, 0 ≤ j < 128; 2^(j/128) is read from a table in two parts
//	r    = the rest of the argument, |r| ≤ ln(2)/256
//
// Domain: every x. Exp(+Inf) = +Inf, Exp(-Inf) = 0, Exp(NaN) = NaN; values too
// large are +Inf, values too small 0 or subnormal.
// Source: Tang 1989, Table-driven implementation of the exponential function in
// IEEE floating-point arithmetic, ACM TOMS 15(2).
// Test: TestExpWithinOneULP, TestReferenceTable.
func Exp(x float64) float64 {
	switch {
	case x > expOverflow:
		return math.Inf(1)
	case x < expUnderflow:
		return 0
	case x != x:
		return x
	}
	k, j, r := reduceExp(x)
	entry := expTable[j]
	y := entry.high + (entry.low + float64(entry.high*expSeries(r)))
	if k > -1022 && k < 1024 {
		return float64(y * powerOfTwo(k))
	}
	half := k >> 1
	return float64(float64(y*powerOfTwo(half)) * powerOfTwo(k-half))
}

// reduceExp returns k, j and r with x = (128k + j)·ln(2)/128 + r, for
// |x| < 2^10.
func reduceExp(x float64) (k, j int, r float64) {
	shifted := float64(x*partsPerUnit) + roundShift
	n := shifted - roundShift
	parts := int(n)
	r = (x - float64(n*partHigh)) - float64(n*partLow)
	return parts >> expBits, parts & (expParts - 1), r
}

// expSeries returns e^r − 1 for |r| ≤ ln(2)/256: Taylor's polynomial, whose
// remainder is below 2^-60.
func expSeries(r float64) float64 {
	square := float64(r * r)
	low := 1.0/2 + float64(r*(1.0/6))
	high := 1.0/24 + float64(r*(1.0/120))
	return r + float64(square*(low+float64(square*high)))
}

// powerOfTwo returns 2^k for −1022 ≤ k ≤ 1023.
func powerOfTwo(k int) float64 {
	return math.Float64frombits(uint64(k+1023) << 52)
}
