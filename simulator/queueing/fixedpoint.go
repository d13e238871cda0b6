package queueing

import "math"

// rateAccuracy is the width in requests a second of the bracket at which
// AnsweredRate stops, unless 4 ulp of the rate are more.
const rateAccuracy = 1e-12

// AnsweredRate returns the rate x, a second, at which requests are answered
// when the station behind them is the slower the more of them it answers.
//
//	the root x in [0, λ] of x = λ·(1 − failed(x))
//
// where
//
//	λ         = offered, the rate of offered requests, a second
//	failed(x) = the ratio of requests that fail while x a second are answered;
//	            never falls with x, so that there is one root
//	start     = a rate near the root, as the last minute's; none if it is not
//	            inside (0, λ)
//
// Where λ(1 − failed(λ)) = λ in double precision the result is λ after one
// evaluation. Else the root is bracketed until the bracket is no wider than
// max(1e-12, 4 ulp of x) or has no number inside.
//
// Domain: offered ≥ 0, failed in [0, 1].
// Source: definition of the steady state; for the method see bracket.root.
// Test: TestAnsweredRateIsTheFixedPoint.
func AnsweredRate(offered, start float64, failed func(x float64) float64) float64 {
	surplus := func(x float64) float64 { return float64(offered*(1-failed(x))) - x }
	atOffered := surplus(offered)
	if atOffered >= 0 {
		return offered
	}
	b := bracket{high: offered, atHigh: atOffered}
	if start > 0 && start < offered {
		if at := surplus(start); at > 0 {
			b.low, b.atLow = start, at
		} else {
			b.high, b.atHigh = start, at
		}
	}
	if b.low == 0 {
		b.atLow = surplus(0)
	}
	return b.root(surplus, rateWidth)
}

// rateWidth returns max(1e-12, 4 ulp of x).
func rateWidth(x float64) float64 {
	return max(rateAccuracy, 4*(math.Nextafter(x, math.Inf(1))-x))
}
