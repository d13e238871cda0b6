package queueing

import "github.com/firedrill/firedrill/simulator/fmath"

// A Wait is the distribution of the time that answered requests wait for a
// server. Its masses are ratios of all offered requests and add up to the
// answered ratio, not to 1. The zero value is that of a station that answers
// nothing.
//
//	P(W = 0)              = Zero
//	density on 0 < w < D  = Peak·e^(−Decay·w)       for Decay ≥ 0
//	                      = Peak·e^(−Decay·(w − D)) for Decay < 0
//	P(W = D)              = Atom
//
// The density is thus anchored where it is largest, and no exponential
// overflows, however steep it is.
type Wait struct {
	// Zero is the ratio of requests answered without a wait.
	Zero float64
	// Peak is the largest value of the density of the wait, a second.
	Peak float64
	// Decay is the rate at which the density falls, a second; below 0 it rises.
	Decay float64
	// Patience is the longest wait D in seconds.
	Patience float64
	// Atom is the ratio of requests answered after a wait of exactly D.
	Atom float64
}

// Tail returns the ratio of all offered requests that are answered and whose
// response time, wait and service, exceeds t.
//
//	Tail(t) = Zero·e^(−μt) + ∫₀ᵐ f(w)·e^(−μ(t−w)) dw
//	        + (t < D ? ∫ₜᴰ f(w) dw : 0) + Atom·(t < D ? 1 : e^(−μ(t−D)))
//
// where
//
//	t = time in seconds; below 0 it counts as 0
//	μ = mu, the rate of the exponential service time, a second; it may differ
//	    from the station's own, for a server that is slower than the others
//	m = min(t, D), D = Patience
//	f = the density of the wait, see Wait
//
// Domain: mu > 0, finite.
// Source: Zeltyn and Mandelbaum 2005 (wait); the sum of wait and service is
// their convolution.
// Test: TestTextbookReference, TestExactWideReference, TestTailIsItsIntegral.
func (w Wait) Tail(t, mu float64) float64 {
	t = max(t, 0)
	tail := float64(w.Zero * fmath.Exp(-float64(mu*t)))
	if t < w.Patience {
		return tail + w.served(t, t, mu) + (w.waiting(t) + w.Atom)
	}
	atom := float64(w.Atom * fmath.Exp(-float64(mu*(t-w.Patience))))
	return tail + w.served(t, w.Patience, mu) + atom
}

// served returns ∫₀ᵐ f(w)·e^(−μ(t−w)) dw: those that waited for at most m ≤ t
// and are still in service at t. The integrand is an exponential; it is
// anchored at the end where it is largest.
func (w Wait) served(t, m, mu float64) float64 {
	if w.Peak == 0 || m == 0 {
		return 0
	}
	rise := mu - w.Decay
	from := 0.0
	if rise > 0 {
		from = m
	}
	largest := fmath.Exp(-(w.depth(from) + float64(mu*(t-from))))
	return float64(w.Peak * float64(largest*expIntegral(rise, m)))
}

// waiting returns ∫ₜᴰ f(w) dw for 0 ≤ t ≤ D: those that wait for longer than t.
func (w Wait) waiting(t float64) float64 {
	if w.Peak == 0 {
		return 0
	}
	from := t
	if w.Decay < 0 {
		from = w.Patience
	}
	return float64(w.Peak * float64(fmath.Exp(-w.depth(from))*expIntegral(w.Decay, w.Patience-t)))
}

// depth returns −ln(f(t)/Peak), which is never negative on [0, D].
func (w Wait) depth(t float64) float64 {
	if w.Decay < 0 {
		t -= w.Patience
	}
	return float64(w.Decay * t)
}

// MeanTime returns the mean response time in seconds, counted over all offered
// requests with 0 for those that fail: divided by the answered ratio it is the
// mean response time of an answered request.
//
//	E[T; answered] = ∫₀^∞ Tail(t) dt = A/μ + ∫₀ᴰ w·f(w) dw + D·Atom
//
// where
//
//	A = the answered ratio: Zero + ∫₀ᴰ f(w) dw + Atom
//	μ = mu, the rate of the exponential service time, a second
//	f, D = the density of the wait and its limit, see Wait
//
// Domain: mu > 0, finite.
// Source: the mean as the integral of the tail.
// Test: TestExactWideReference, TestMeanTimeIsIntegralOfTail, TestLittlesLaw.
func (w Wait) MeanTime(mu float64) float64 {
	answered := w.Zero + (w.waiting(0) + w.Atom)
	return answered/mu + w.meanWait()
}

// meanWait returns E[W; answered] in seconds.
func (w Wait) meanWait() float64 {
	atom := float64(w.Patience * w.Atom)
	if w.Peak == 0 {
		return atom
	}
	square := float64(w.Patience * w.Patience)
	return atom + float64(float64(w.Peak*square)*firstMoment(float64(w.Decay*w.Patience)))
}
