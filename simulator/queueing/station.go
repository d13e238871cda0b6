package queueing

import (
	"math"

	"github.com/firedrill/firedrill/simulator/fmath"
)

// ln100 is the natural logarithm of 100: of exponential times with mean S, one
// in a hundred is above S·ln 100.
const ln100 = 4.60517018598809136803598290936872842

// A Station is a queue in front of identical servers.
//
// Domain of its methods, and of Textbook and Exact: Servers ≥ 0,
// ArrivalRate ≥ 0, Service > 0, Patience > 0, all finite.
type Station struct {
	// Servers is the number N of requests that are served at the same time.
	Servers int
	// ArrivalRate is the rate λ of offered requests, a second.
	ArrivalRate float64
	// Service is the mean service time S in seconds.
	Service float64
	// Patience is the time D in seconds after which a waiting request fails.
	Patience float64
}

// A Solution describes the steady state of a Station.
type Solution struct {
	// Failed is the ratio of the offered requests that are not answered.
	Failed float64
	// WaitProbability is the ratio of the offered requests that find every
	// server busy, whether they are answered in the end or not.
	WaitProbability float64
	// Wait is the distribution of the waiting time of the answered requests.
	Wait Wait
}

// idle is the solution without anybody in the queue: nothing is offered, or so
// little that the probability to wait underflows.
var idle = Solution{Wait: Wait{Zero: 1}}

// closed is the solution of a station without servers: everything fails.
var closed = Solution{Failed: 1, WaitProbability: 1}

// load returns the offered load a = λ·S in Erlang.
func (s Station) load() float64 {
	return float64(s.ArrivalRate * s.Service)
}

// surplus returns the rate N/S − λ, a second, at which a queue drains: below 0
// it grows. Its sign agrees with that of N − a to the last bit.
func (s Station) surplus(load float64) float64 {
	return (float64(s.Servers) - load) / s.Service
}

// Textbook returns the steady state by Erlang's delay formula, cut off at the
// patience.
//
//	a < N:  P(W > t) = C·e^(−g·t),  failed = C·e^(−g·D)
//	a ≥ N:  failed = 1 − N/a, everybody else waits exactly D
//	N = 0:  failed = 1
//
// where
//
//	N, λ, S, D = Servers, ArrivalRate, Service, Patience of the station
//	a          = λ·S, the offered load in Erlang
//	C          = ErlangC(N, a), WaitProbability, a ratio
//	g          = N/S − λ, a second
//	failed     = Failed, a ratio
//
// Domain: that of Station. Failed and the wait jump at a = N; Exact does not.
// Source: Kleinrock, Queueing Systems I, 1975, section 3.5, and chapter 6 for the
// tail of the wait, which is exponential.
// Test: TestTextbookReference.
func Textbook(s Station) Solution {
	a, n := s.load(), float64(s.Servers)
	switch {
	case s.Servers <= 0:
		return closed
	case a >= n:
		return Solution{
			Failed:          (a - n) / a,
			WaitProbability: 1,
			Wait:            Wait{Atom: n / a, Patience: s.Patience},
		}
	}
	return s.textbookQueue(a, n)
}

// textbookQueue returns the textbook's steady state for 0 ≤ a < n.
func (s Station) textbookQueue(a, n float64) Solution {
	b := ErlangB(s.Servers, a)
	share := (n - a) + float64(a*b)
	c, g := float64(n*b)/share, s.surplus(a)
	return Solution{
		Failed:          float64(c * fmath.Exp(-float64(g*s.Patience))),
		WaitProbability: c,
		Wait: Wait{
			Zero:     float64((n-a)*(1-b)) / share,
			Peak:     float64(c * g),
			Decay:    g,
			Patience: s.Patience,
		},
	}
}

// TextbookP99 returns the response time in seconds that 1 % of the answered
// requests exceed, in the textbook's approximation: the 99th percentile of the
// service time plus that of the wait.
//
//	p99 = S·ln 100 + min(D, max(0, ln(C/0.01)/g))
//
// where
//
//	S, D = Service, Patience of the station, in seconds
//	C, g = as for Textbook; for a ≥ N or N = 0 the second term is D
//
// The sum of two quantiles is not the quantile of the sum: the result is too
// large by up to the smaller of the two.
//
// Domain: that of Station.
// Source: Kleinrock, Queueing Systems I, 1975, chapter 6 (the tail of the wait).
// Test: TestTextbookReference.
func (s Station) TextbookP99() float64 {
	return float64(s.Service*ln100) + s.textbookWaitP99()
}

// textbookWaitP99 returns the waiting time that 1 % of all requests exceed,
// the patience at most.
func (s Station) textbookWaitP99() float64 {
	a := s.load()
	if a >= float64(s.Servers) {
		return s.Patience
	}
	c := ErlangC(s.Servers, a)
	if c <= 0.01 {
		return 0
	}
	return min(s.Patience, fmath.Log(c/0.01)/s.surplus(a))
}

// Exact returns the steady state of the queue whose callers give up after the
// patience: M/M/N+D. One that would wait for longer fails at D; it never
// reaches a server.
//
//	I(η)  = (1 − e^(−ηD))/η, D at η = 0
//	π     = 1/(1/B(N−1, a) + λ(I(η) + e^(−ηD)/(Nμ)))
//	failed           = λπ·e^(−ηD)/(Nμ)
//	density of wait  = λπ·e^(−ηw), 0 < w < D
//	wait probability = λπ(I(η) + e^(−ηD)/(Nμ))
//	P(W = 0)         = 1 − wait probability
//
// where
//
//	N, λ, D = Servers, ArrivalRate, Patience of the station
//	μ       = 1/Service, a second
//	a       = λ/μ, the offered load in Erlang
//	η       = Nμ − λ, a second; negative where the servers are overloaded
//	B       = ErlangB
//	π       = the probability of N − 1 busy servers and nobody waiting: the
//	          density of the wait of an arrival is λπ at 0
//
// For η < 0 numerator and denominator are multiplied by e^(ηD), so that
// nothing overflows. Where B(N−1, a) is 0, nobody waits and nobody fails; for
// N = 0 everybody fails.
//
// Domain: that of Station.
// Source: Barrer 1957, Queuing with impatient customers and ordered service;
// Zeltyn and Mandelbaum 2005, Call centers with impatient customers:
// many-server asymptotics of the M/M/n+G queue, section 2.
// Test: TestExactReference, TestExactWideReference, TestSimulationAgreesWithExact.
func Exact(s Station) Solution {
	if s.Servers <= 0 {
		return closed
	}
	a := s.load()
	free := inverseErlangB(s.Servers-1, a)
	if math.IsInf(free, 1) {
		return idle
	}
	return s.exactQueue(a, free)
}

// exactQueue returns the exact steady state; free is 1/B(N−1, a), the weight of
// an arrival that finds a free server against one that finds the last taken.
func (s Station) exactQueue(a, free float64) Solution {
	eta := s.surplus(a)
	fade := fmath.Exp(-math.Abs(float64(eta * s.Patience)))
	atPatience := fade
	if eta < 0 {
		free, atPatience = float64(free*fade), 1
	}
	perServers := a / float64(s.Servers)
	queued := float64(s.ArrivalRate * expIntegral(eta, s.Patience))
	gone := float64(perServers * atPatience)
	total := free + (queued + gone)
	return Solution{
		Failed:          gone / total,
		WaitProbability: (queued + gone) / total,
		Wait: Wait{
			Zero:     free / total,
			Peak:     s.ArrivalRate / total,
			Decay:    eta,
			Patience: s.Patience,
		},
	}
}
