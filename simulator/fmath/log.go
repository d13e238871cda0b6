package fmath

import "math"

const (
	// logOffset is the pattern of 0.6875. Subtracted from that of a number it
	// leaves the exponent k and the interval of the mantissa in its high bits,
	// for a mantissa in [0.6875, 1.375).
	logOffset = 0x3FE6000000000000
	logBits   = 7
	logParts  = 1 << logBits
	// ln2High + ln2Low is ln 2; ln2High is a multiple of 2^-42, so that its
	// product with an exponent is exact, and the sum with a table entry too.
	ln2High = 0x1.62e42fefa38p-1
	ln2Low  = 0x1.ef35793c7673p-45
	// logNear is the distance from 1 within which no table is used.
	logNear = 1.0 / 16
	// exponentMask is the exponent and sign of a float64.
	exponentMask = 0xFFF << 52
	minNormal    = 0x1p-1022
)

// Log returns the natural logarithm of x.
//
//	x = 2^k·z, z in [0.6875, 1.375), c the middle of the interval of z
//	ln x = k·ln 2 + ln c + 2·artanh(s), s = (z − c)/(z + c)
//	2·artanh(s) ≈ 2s + 2s³/3 + 2s⁵/5
//
// where
//
//	k  = an integer; ln 2 and ln c are each held in two parts, the larger of
//	     which add up exactly
//	s  = at most 2^-9 in absolute value
//
// For |x − 1| < 1/16, c is 1 and the series is longer.
//
// Domain: x ≥ 0. Log(0) = -Inf, Log(x < 0) = NaN, Log(+Inf) = +Inf,
// Log(NaN) = NaN.
// Source: Tang 1990, Table-driven implementation of the logarithm function in
// IEEE floating-point arithmetic, ACM TOMS 16(4).
// Test: TestLogWithinOneULP, TestReferenceTable.
func Log(x float64) float64 {
	switch {
	case math.Abs(x-1) < logNear:
		return logSeries(x - 1)
	case x >= minNormal && x <= math.MaxFloat64:
		return logTabled(x, 0)
	case x > 0 && x < minNormal:
		return logTabled(float64(x*0x1p52), -52)
	}
	return logSpecial(x)
}

// logSpecial returns the logarithm of what is not a positive finite number.
func logSpecial(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x > 0:
		return x
	}
	return math.NaN()
}

// logTabled returns ln x + exponent·ln 2 for a normal x, far from 1.
func logTabled(x float64, exponent int) float64 {
	bits := math.Float64bits(x)
	above := bits - logOffset
	k := float64(int(int64(above)>>52) + exponent)
	part := bits - above&exponentMask
	z := math.Float64frombits(part)
	c := math.Float64frombits(part>>(52-logBits)<<(52-logBits) | 1<<(51-logBits))
	entry := logTable[above>>(52-logBits)&(logParts-1)]
	s := (z - c) / (z + c)
	square := float64(s * s)
	series := float64(float64(s*square) * (2.0/3 + float64(square*(2.0/5))))
	low := float64(k*ln2Low) + entry.low
	return (float64(k*ln2High) + entry.high) + ((float64(2*s) + series) + low)
}

// logSeries returns ln(1 + f) for |f| < 1/16.
//
//	ln(1 + f) = 2·artanh(s) = f − (f²/2 − s·(f²/2 + R)), s = f/(2 + f)
//	R = 2s²/3 + 2s⁴/5 + … + 2s¹²/13
//
// The largest part, f, is exact in this form.
func logSeries(f float64) float64 {
	s := f / (2 + f)
	s2 := float64(s * s)
	s4 := float64(s2 * s2)
	odd := 2.0/3 + float64(s4*(2.0/7+float64(s4*(2.0/11))))
	even := 2.0/5 + float64(s4*(2.0/9+float64(s4*(2.0/13))))
	rest := float64(s2 * (odd + float64(s2*even)))
	half := float64(0.5 * float64(f*f))
	return f - (half - float64(s*(half+rest)))
}
