package queueing

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// bounds are those of the response time histogram, in seconds.
var bounds = []float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 2.5, 5, 10}

// models are the two ways to solve a station.
var models = []struct {
	name  string
	solve func(Station) Solution
}{{"textbook", Textbook}, {"exact", Exact}}

// drawStation draws from far more than any service has: servers 0 … 5000, loads
// 0 … 1e5 Erlang, service times 0.1 ms … a minute, often near saturation.
func drawStation(r *rand.Rand) Station {
	s := Station{
		Servers:  r.IntN(int(math.Pow(10, 3.7*r.Float64())) + 1),
		Service:  1e-4 * math.Pow(6e5, r.Float64()),
		Patience: 1e-3 * math.Pow(1e5, r.Float64()),
	}
	load := 1e-6 * math.Pow(1e11, r.Float64())
	if r.IntN(2) == 0 {
		load = float64(s.Servers) * (1 + math.Pow(10, -12*r.Float64())*(r.Float64()-0.5))
	}
	s.ArrivalRate = load / s.Service
	return s
}

func isRatio(x float64) bool { return x >= 0 && x <= 1 }

// TestSolutionsAreSound checks what holds for every station: no NaN, no
// infinity, masses that add up, a tail that starts at the answered ratio and
// falls, and a percentile inside its limits.
func TestSolutionsAreSound(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 1))
		for range 1500 {
			s := drawStation(r)
			for _, m := range models {
				if problem := unsound(s, m.solve(s), 1/s.Service*math.Exp(r.NormFloat64())); problem != "" {
					t.Fatalf("%s, %+v (seed %d): %s", m.name, s, seed, problem)
				}
			}
			if p := s.TextbookP99(); !(p > 0 && p <= s.Patience+5*s.Service) {
				t.Fatalf("%+v (seed %d): textbook p99 is %v", s, seed, p)
			}
		}
	}
}

func unsound(s Station, solution Solution, mu float64) string {
	w, answered := solution.Wait, 1-solution.Failed
	if !isRatio(solution.Failed) || !isRatio(solution.WaitProbability) {
		return "a ratio is outside 0 … 1"
	}
	if !isRatio(w.Zero) || !isRatio(w.Atom) || !(w.Peak >= 0) || math.IsInf(w.Peak, 0) {
		return "the wait is no distribution"
	}
	before := w.Tail(0, mu)
	if math.Abs(before-answered) > 1e-13 {
		return "the tail at 0 is not the answered ratio"
	}
	for _, t := range bounds {
		tail := w.Tail(t, mu)
		if !isRatio(tail) || tail > before*(1+1e-13) {
			return "the tail rises or is no ratio"
		}
		before = tail
	}
	mean, rounding := w.MeanTime(mu), 1e-13*(1/mu+s.Patience)
	if !(mean >= answered/mu-rounding && mean <= answered*(1/mu+s.Patience)+rounding) {
		return "the mean is outside its limits"
	}
	p := ExactP99(w, solution.Failed, mu, s.Servers, s.Patience)
	if !(p >= ln100/mu && p <= s.Patience+ln100/mu) {
		return "the percentile is outside its limits"
	}
	return ""
}

func TestNobodyArrives(t *testing.T) {
	for _, m := range models {
		solution := m.solve(Station{Servers: 3, Service: 0.1, Patience: 2})
		if solution.Failed != 0 || solution.WaitProbability != 0 || solution.Wait.Zero != 1 {
			t.Errorf("%s: %+v", m.name, solution)
		}
		if got, want := solution.Wait.Tail(0.2, 10), math.Exp(-2); math.Abs(got-want) > 1e-15 {
			t.Errorf("%s: tail %v, want %v", m.name, got, want)
		}
	}
}

func TestNobodyServes(t *testing.T) {
	s := Station{ArrivalRate: 10, Service: 0.1, Patience: 2}
	for _, m := range models {
		solution := m.solve(s)
		if solution.Failed != 1 || solution.WaitProbability != 1 || solution.Wait.Tail(0, 10) != 0 || solution.Wait.MeanTime(10) != 0 {
			t.Errorf("%s: %+v", m.name, solution)
		}
		if got, want := ExactP99(solution.Wait, 1, 10, 0, 2), 2+0.1*math.Log(100); math.Abs(got-want) > 1e-14 {
			t.Errorf("%s: p99 %v, want %v", m.name, got, want)
		}
	}
}

// TestPatienceLimits: without patience the exact queue loses what Erlang B
// loses; with endless patience it is Erlang's delay formula.
func TestPatienceLimits(t *testing.T) {
	for _, n := range []int{1, 2, 16, 160} {
		for _, ratio := range []float64{0.3, 0.8, 0.95, 1, 1.2} {
			load := ratio * float64(n)
			s := Station{Servers: n, ArrivalRate: load / 0.1, Service: 0.1, Patience: 1e-13}
			if got, want := Exact(s).Failed, ErlangB(n, load); math.Abs(got-want) > 1e-9*want {
				t.Errorf("%d servers, load %v: without patience %v fail, want %v", n, load, got, want)
			}
			if ratio >= 1 {
				continue
			}
			s.Patience = 1e4
			solution := Exact(s)
			if want := ErlangC(n, load); math.Abs(solution.WaitProbability-want) > 1e-12*want || solution.Failed > 1e-200 {
				t.Errorf("%d servers, load %v: with patience %v wait, want %v; %v fail", n, load, solution.WaitProbability, want, solution.Failed)
			}
		}
	}
}

// TestExactIsContinuousAtSaturation: from both sides of η = 0.
func TestExactIsContinuousAtSaturation(t *testing.T) {
	for _, n := range []int{1, 16, 640} {
		at := Exact(Station{Servers: n, ArrivalRate: float64(n) * 8, Service: 0.125, Patience: 2})
		for _, step := range []float64{1e-6, 1e-9, 1e-12, 1e-15} {
			for _, side := range []float64{1 - step, 1 + step} {
				near := Exact(Station{Servers: n, ArrivalRate: float64(n) * 8 * side, Service: 0.125, Patience: 2})
				tolerance := 20 * float64(n) * step
				for i, pair := range [][2]float64{
					{near.Failed, at.Failed}, {near.WaitProbability, at.WaitProbability},
					{near.Wait.Tail(0.3, 8), at.Wait.Tail(0.3, 8)}, {near.Wait.Tail(2.3, 8), at.Wait.Tail(2.3, 8)},
					{near.Wait.MeanTime(8), at.Wait.MeanTime(8)},
				} {
					if math.Abs(pair[0]-pair[1]) > tolerance*pair[1]+1e-14 {
						t.Errorf("%d servers, %v: quantity %d is %v, at saturation %v", n, side, i, pair[0], pair[1])
					}
				}
			}
		}
	}
}

func TestExactIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Station{
			Servers:     rapid.IntRange(1, 700).Draw(t, "servers"),
			ArrivalRate: rapid.Float64Range(1, 10_000).Draw(t, "rate"),
			Service:     rapid.Float64Range(0.001, 1).Draw(t, "service"),
			Patience:    rapid.Float64Range(0.01, 10).Draw(t, "patience"),
		}
		failed := Exact(s).Failed
		slower, busier, larger := s, s, s
		slower.Service *= 1.001
		busier.ArrivalRate *= 1.001
		larger.Servers++
		const rounding = 1e-14
		if Exact(slower).Failed < failed-rounding || Exact(busier).Failed < failed-rounding || Exact(larger).Failed > failed+rounding {
			t.Errorf("%+v: %v fail, slower %v, busier %v, larger %v",
				s, failed, Exact(slower).Failed, Exact(busier).Failed, Exact(larger).Failed)
		}
	})
}

// TestLittlesLaw counts the requests in the station in two ways.
func TestLittlesLaw(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	for range 300 {
		s := drawStation(r)
		s.Servers = 1 + s.Servers%300
		s.ArrivalRate = float64(s.Servers) / s.Service * (0.05 + 1.5*r.Float64())
		checkBusyServers(t, s)
		checkRequestsInside(t, s)
	}
}

// checkBusyServers: λ(1 − failed)·S requests are in service, which is the mean
// of min(k, N) over the number k of requests inside; below N their
// probabilities are in the ratio aᵏ/k!.
func checkBusyServers(t *testing.T, s Station) {
	t.Helper()
	solution, a := Exact(s), s.ArrivalRate*s.Service
	mass, weighted, term := 0.0, 0.0, 1.0
	for k := s.Servers - 1; k >= 0; k-- { // relative to k = N − 1
		mass += term
		weighted += term * float64(k)
		term *= float64(k) / a
	}
	busy := weighted/mass*solution.Wait.Zero + float64(s.Servers)*solution.WaitProbability
	if want := a * (1 - solution.Failed); math.Abs(busy-want) > 1e-11*want {
		t.Errorf("%+v: %v servers are busy, by Little's law %v", s, busy, want)
	}
}

// checkRequestsInside: with endless patience, L = a + C·a/(N − a).
func checkRequestsInside(t *testing.T, s Station) {
	t.Helper()
	a, n := s.ArrivalRate*s.Service, float64(s.Servers)
	if a > 0.95*n {
		return
	}
	s.Patience = 1e5 * s.Service
	inside := a + ErlangC(s.Servers, a)*a/(n-a)
	for _, m := range models {
		if got := s.ArrivalRate * m.solve(s).Wait.MeanTime(1/s.Service); math.Abs(got-inside) > 1e-11*inside {
			t.Errorf("%s, %+v: λ·E[T] is %v, the mean number inside %v", m.name, s, got, inside)
		}
	}
}

// TestTextbookJumpsAndExactDoesNot holds the example of the model's text: 65 %
// fail just below saturation and none at it.
func TestTextbookJumpsAndExactDoesNot(t *testing.T) {
	below := Station{Servers: 160, ArrivalRate: 0.9999 * 160 / 0.075, Service: 0.075, Patience: 2}
	at := below
	at.ArrivalRate = 160 / 0.075
	if a, b := Textbook(below).Failed, Textbook(at).Failed; math.Abs(a-0.65) > 0.01 || b > 1e-12 {
		t.Errorf("textbook: %v below, %v at saturation", a, b)
	}
	if a, b := Exact(below).Failed, Exact(at).Failed; math.Abs(a-b) > 2e-4 {
		t.Errorf("exact: %v below, %v at saturation", a, b)
	}
}

// TestGolden proves that solutions are the same bits on every machine: run it
// with GOAMD64=v1 and v3, with GODEBUG=cpu.fma=off, and on other architectures.
func TestGolden(t *testing.T) {
	hash, r := fnv.New64a(), rand.New(rand.NewPCG(5, 6))
	for range 400 {
		s := Station{Servers: r.IntN(700), Service: float64(r.IntN(1000)+1) / 1024, Patience: float64(r.IntN(4000)+1) / 1024}
		s.ArrivalRate = float64(s.Servers) / s.Service * (float64(r.IntN(1500)) / 1024)
		mu := float64(r.IntN(100)+1) / 4
		for _, m := range models {
			solution := m.solve(s)
			w := solution.Wait
			results := []float64{
				solution.Failed, solution.WaitProbability, w.Zero, w.Peak, w.Decay, w.Atom,
				w.Tail(0.25, mu), w.Tail(2.5, mu), w.MeanTime(mu), s.TextbookP99(),
				ExactP99(w, solution.Failed, mu, s.Servers, s.Patience),
				AnsweredRate(s.ArrivalRate, 0, loaded(s)),
			}
			for _, x := range results {
				binary.Write(hash, binary.LittleEndian, math.Float64bits(x))
			}
		}
	}
	if got, want := hash.Sum64(), uint64(0x14f276348e6504be); got != want {
		t.Errorf("the results have the hash %#x, want %#x", got, want)
	}
}

// loaded returns the ratio that fails when x requests a second are answered and
// each slows the station down a little.
func loaded(s Station) func(x float64) float64 {
	return func(x float64) float64 {
		slower := s
		slower.Service = s.Service / 2 * (1 + x/max(s.ArrivalRate, 1))
		return Exact(slower).Failed
	}
}
