package queueing

import "math"

// negligible is the share of the sum below which a further term of Erlang's
// series is left out: 2^-60.
const negligible = 1.0 / (1 << 60)

// ErlangB returns the probability that all servers are busy when requests that
// find them so are lost.
//
//	B(0, a) = 1,  1/B(n, a) = 1 + (n/a)/B(n−1, a)
//
// where
//
//	n = servers, up to the given number
//	a = load, the offered load in Erlang: arrival rate times mean service time
//	B = result, a ratio
//
// Domain: servers ≥ 0, load ≥ 0. Where the probability is below about 1e-308
// the result is 0; it is never NaN.
// Source: Kleinrock, Queueing Systems I, 1975, section 3.7 (Erlang's loss
// formula).
// Test: TestErlangReference.
func ErlangB(servers int, load float64) float64 {
	return 1 / inverseErlangB(servers, load)
}

// inverseErlangB returns 1/B, which the recursion yields without a division a
// step. Written out from the last step to the first it is
//
//	1/B = 1 + n/a + n(n−1)/a² + n(n−1)(n−2)/a³ + … + n!/aⁿ
//
// a sum of positive terms that rise to one peak and fall, so that it is
// accurate, and that can stop where what follows no longer counts. It is +Inf
// where the sum overflows and where nothing is offered to a server.
func inverseErlangB(servers int, load float64) float64 {
	if servers <= 0 {
		return 1
	}
	if load <= 0 {
		return math.Inf(1)
	}
	sum, term, each := 1.0, 1.0, 1/load
	for n := float64(servers); n > 0 && term > sum*negligible; n-- {
		term = float64(term * float64(n*each))
		sum += term
	}
	return sum
}

// ErlangC returns the probability that a request has to wait when all requests
// that find the servers busy queue for as long as it takes.
//
//	C = B/(1 − (a/N)(1 − B)) = N·B/((N − a) + a·B)
//
// where
//
//	N = servers
//	a = load, the offered load in Erlang
//	B = ErlangB(servers, load)
//	C = result, a ratio
//
// Domain: servers ≥ 0, load ≥ 0. A queue without a limit has no steady state
// for load ≥ servers: the result is 1 there, and for servers = 0.
// Source: Kleinrock, Queueing Systems I, 1975, section 3.5 (Erlang's delay
// formula).
// Test: TestErlangReference.
func ErlangC(servers int, load float64) float64 {
	n := float64(servers)
	if servers <= 0 || load >= n {
		return 1
	}
	b := ErlangB(servers, load)
	return float64(n*b) / ((n - load) + float64(load*b))
}
