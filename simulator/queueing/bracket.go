package queueing

import "math"

// A bracket is an interval with the values of a falling function at its ends.
type bracket struct {
	low, high     float64
	atLow, atHigh float64
}

// root shrinks the bracket around the root of the falling function f until it
// is no wider than width(x) or has no number inside, and returns the end where
// f is nearer to 0. Where f does not change its sign the end nearest to that is
// the result.
//
// Each step interpolates, through the last three points where they look like a
// monotone parabola and else through two, or halves; a step stays half the
// final width away from both ends, so that the bracket closes from both sides.
//
// Source: Chandrupatla 1997, A new hybrid quadratic/bisection algorithm for
// finding the zero of a nonlinear function without using derivatives, Advances
// in Engineering Software 28(3).
// Test: TestRootOfKnownFunctions.
func (b bracket) root(f func(float64) float64, width func(float64) float64) float64 {
	if b.atLow <= 0 {
		return b.low
	}
	if b.atHigh >= 0 {
		return b.high
	}
	t := b.atLow / (b.atLow - b.atHigh)
	newest, other := point{b.low, b.atLow}, point{b.high, b.atHigh}
	for {
		best := nearer(newest, other)
		span := other.x - newest.x
		margin := float64(0.5*width(best.x)) / math.Abs(span)
		if best.f == 0 || margin > 0.5 {
			return best.x
		}
		t = max(margin, min(1-margin, t))
		x := newest.x + float64(t*span)
		if x == newest.x || x == other.x {
			return best.x
		}
		before := newest
		newest = point{x, f(x)}
		if (newest.f > 0) != (before.f > 0) {
			before, other = other, before
		}
		t = step(newest, other, before)
	}
}

// A point is an argument and the value of the function there.
type point struct{ x, f float64 }

func nearer(a, b point) point {
	if math.Abs(b.f) < math.Abs(a.f) {
		return b
	}
	return a
}

// step returns where to look next, as a fraction of the way from a to b: by the
// inverse parabola through a, b and c where Chandrupatla's criterion says that
// it is monotone between them, else in the middle.
func step(a, b, c point) float64 {
	xi := (a.x - b.x) / (c.x - b.x)
	phi := (a.f - b.f) / (c.f - b.f)
	if !(float64(phi*phi) < xi && float64((1-phi)*(1-phi)) < 1-xi) {
		return 0.5
	}
	chord := float64((a.f / (b.f - a.f)) * (c.f / (b.f - c.f)))
	bend := float64((c.x - a.x) / (b.x - a.x) * (a.f / (c.f - a.f)) * (b.f / (c.f - b.f)))
	return chord + bend
}
