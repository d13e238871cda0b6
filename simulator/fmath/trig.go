package fmath

import "math"

const (
	// trigLimit is the largest argument, in absolute value, that Sin and Cos
	// reduce accurately.
	trigLimit = 1 << 20
	twoOverPi = 0.636619772367581343075535053490057448
	// quarter1 + quarter2 + quarter3 + quarter4 is π/2 to 2^-150; the first three
	// have 33 bits, so that their products with a 20-bit integer are exact.
	quarter1 = 0x1.921fb544p+0
	quarter2 = 0x1.0b4611a6p-34
	quarter3 = 0x1.3198a2ep-69
	quarter4 = 0x1.b839a252049c1p-104
)

// Sin returns the sine of x, in radians.
//
//	x = n·π/2 + y, |y| ≤ π/4; by n mod 4: sin y, cos y, −sin y, −cos y
//	sin y ≈ y − y³/3! + … + y¹⁷/17!
//	cos y ≈ 1 − y²/2! + … + y¹⁶/16!
//
// where
//
//	n = an integer
//	y = held in two parts; π/2 is held in four, so that y keeps its digits next
//	    to a multiple of π/2
//
// Domain: |x| ≤ 2^20. Beyond, for ±Inf and for NaN the result is NaN: an angle
// of so many turns is a mistake.
// Source: Cody and Waite 1980, Software Manual for the Elementary Functions,
// chapter 8.
// Test: TestSinWithinOneULP, TestReferenceTable.
func Sin(x float64) float64 {
	if math.Abs(x) < 0x1p-26 {
		return x
	}
	return sinQuadrant(x, 0)
}

// Cos returns the cosine of x, in radians.
//
//	cos x = sin(x + π/2), with n + 1 in place of n
//
// where
//
//	n = the quadrant, see Sin
//
// Domain, source: those of Sin.
// Test: TestCosWithinOneULP, TestReferenceTable.
func Cos(x float64) float64 {
	return sinQuadrant(x, 1)
}

// sinQuadrant returns sin(x + turn·π/2).
func sinQuadrant(x float64, turn int) float64 {
	if !(math.Abs(x) <= trigLimit) {
		return math.NaN()
	}
	n, high, low := reduceTrig(x)
	switch (n + turn) & 3 {
	case 0:
		return sinSeries(high, low)
	case 1:
		return cosSeries(high, low)
	case 2:
		return -sinSeries(high, low)
	}
	return -cosSeries(high, low)
}

// reduceTrig returns n and high + low = x − n·π/2.
func reduceTrig(x float64) (n int, high, low float64) {
	turns := (float64(x*twoOverPi) + roundShift) - roundShift
	high, low1 := subtract(x-float64(turns*quarter1), float64(turns*quarter2))
	high, low2 := subtract(high, float64(turns*quarter3))
	high, low = subtract(high, float64(turns*quarter4)-(low1+low2))
	return int(turns), high, low
}

// subtract returns a − b rounded, and what the rounding lost (Knuth 1969, The
// Art of Computer Programming 2, section 4.2.2).
func subtract(a, b float64) (difference, lost float64) {
	difference = a - b
	part := a - difference
	return difference, (a - (difference + part)) + (part - b)
}

// sinSeries returns the sine of y + low for |y| ≤ π/4; low is below half an
// ulp of y, and its product with the cosine needs few digits.
func sinSeries(y, low float64) float64 {
	z := float64(y * y)
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	p0 := -1.0/6 + float64(z*(1.0/120))
	p1 := -1.0/5040 + float64(z*(1.0/362880))
	p2 := -1.0/39916800 + float64(z*(1.0/6227020800))
	p3 := -1.0/1307674368000 + float64(z*(1.0/355687428096000))
	p := (p0 + float64(z2*p1)) + float64(z4*(p2+float64(z2*p3)))
	tail := float64(low * (1 - float64(0.5*z)))
	return y + (float64(y*float64(z*p)) + tail)
}

// cosSeries returns the cosine of y + low for |y| ≤ π/4. The rounding error of
// 1 − y²/2 is carried into the smaller terms.
func cosSeries(y, low float64) float64 {
	z := float64(y * y)
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	p0 := 1.0/24 - float64(z*(1.0/720))
	p1 := 1.0/40320 - float64(z*(1.0/3628800))
	p2 := 1.0/479001600 - float64(z*(1.0/87178291200))
	p := (p0 + float64(z2*p1)) + float64(z4*(p2+float64(z2*(1.0/20922789888000))))
	half := float64(0.5 * z)
	first := 1 - half
	return first + (((1 - first) - half) + (float64(z2*p) - float64(y*low)))
}
