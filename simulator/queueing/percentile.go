package queueing

import "math"

// percentileAccuracy is the relative width of the bracket at which ExactP99
// stops.
const percentileAccuracy = 1e-11

// ExactP99 returns the response time in seconds that 1 % of the answered
// requests exceed.
//
//	the root t of Tail(t) = 0.01·(1 − failed);  N = 0: D + ln(100)/μ
//
// where
//
//	Tail   = w.Tail, with the service rate mu
//	failed = the ratio of requests that are not answered, Solution.Failed
//	μ      = mu, the rate of the service time, a second
//	N      = servers
//	D      = patience in seconds
//
// As 0 ≤ W ≤ D for every answered request, the root lies between ln(100)/μ and
// D + ln(100)/μ, and is bracketed to a relative 1e-11.
//
// Domain: mu > 0 and patience ≥ 0, finite; w and failed of one Solution.
// Source: definition of a quantile.
// Test: TestExactP99Reference, TestExactWideReference,
// TestSimulationAgreesWithExact.
func ExactP99(w Wait, failed, mu float64, servers int, patience float64) float64 {
	low := ln100 / mu
	high := patience + low
	if servers <= 0 {
		return high
	}
	target := float64(0.01 * (1 - failed))
	excess := func(t float64) float64 { return w.Tail(t, mu) - target }
	b := bracket{low: low, high: high, atLow: excess(low), atHigh: excess(high)}
	width := func(t float64) float64 { return float64(percentileAccuracy * math.Abs(t)) }
	return b.root(excess, width)
}
