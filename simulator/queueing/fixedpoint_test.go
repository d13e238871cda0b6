package queueing

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// database returns what fails at a station whose requests wait for a database
// that answers 2x queries a second, x the answered rate, and counts the calls.
func database(servers int, offered float64, calls *int) func(x float64) float64 {
	return func(x float64) float64 {
		*calls++
		query := 0.25
		if load := x * 2 / 4000; load < 1 {
			query = min(query, 0.005/(1-load))
		}
		return Exact(Station{Servers: servers, ArrivalRate: offered, Service: 0.05 + 2*query, Patience: 2}).Failed
	}
}

// bisect finds the root as slowly as surely.
func bisect(offered float64, failed func(float64) float64) float64 {
	low, high := 0.0, offered
	for range 200 {
		middle := low + (high-low)/2
		if offered*(1-failed(middle)) > middle {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

func TestAnsweredRateIsTheFixedPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		servers := rapid.IntRange(1, 640).Draw(t, "servers")
		offered := rapid.Float64Range(0, 10_000).Draw(t, "offered")
		start := rapid.Float64Range(-1, 12_000).Draw(t, "start")
		calls := 0
		failed := database(servers, offered, &calls)
		x := AnsweredRate(offered, start, failed)
		used := calls
		if want := bisect(offered, failed); math.Abs(x-want) > 1e-9*want+1e-11 {
			t.Fatalf("answers %v, want %v", x, want)
		}
		if used > 45 {
			t.Fatalf("took %d calls", used)
		}
	})
}

func TestAnsweredRateWithoutFailures(t *testing.T) {
	calls := 0
	x := AnsweredRate(100, 0, func(float64) float64 { calls++; return 1e-18 })
	if x != 100 || calls != 1 {
		t.Errorf("%v after %d calls, want 100 after one", x, calls)
	}
}

func TestAnsweredRateLimits(t *testing.T) {
	for _, start := range []float64{-1, 0, 3, 100, 200, math.NaN(), math.Inf(1)} {
		if x := AnsweredRate(0, start, func(float64) float64 { return 0.5 }); x != 0 {
			t.Errorf("nothing offered, start %v: %v", start, x)
		}
		if x := AnsweredRate(100, start, func(float64) float64 { return 1 }); x > 1e-12 {
			t.Errorf("nothing answered, start %v: %v", start, x)
		}
		if x := AnsweredRate(100, start, func(float64) float64 { return 0.25 }); math.Abs(x-75) > 1e-12 {
			t.Errorf("a quarter fails, start %v: %v", start, x)
		}
	}
}

// TestAnsweredRateIsCheap follows a flushed cache by the minute: each root
// starts at the last one.
func TestAnsweredRateIsCheap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	calls, start := 0, 0.0
	const minutes = 200
	for range minutes {
		offered := 2500 * (1 + 0.02*r.NormFloat64())
		start = AnsweredRate(offered, start, database(160, offered, &calls))
	}
	if mean := float64(calls) / minutes; mean > 12 {
		t.Errorf("takes %.1f calls a minute", mean)
	}
}

// TestRootOfKnownFunctions brackets roots that are known, of shapes that mislead
// interpolation: steps, high powers, nearly flat curves.
func TestRootOfKnownFunctions(t *testing.T) {
	for _, c := range []struct {
		name       string
		f          func(float64) float64
		high, root float64
	}{
		{"line", func(x float64) float64 { return 3 - x }, 10, 3},
		{"step", func(x float64) float64 { return math.Copysign(1, 0.7-x) }, 10, 0.7},
		{"high power", func(x float64) float64 { return 1 - math.Pow(x, 19) }, 50, 1},
		{"flat at the root", func(x float64) float64 { return -math.Pow(x-2, 3) }, 10, 2},
		{"pole next to the root", func(x float64) float64 { return 1/(x+1e-9) - 100 }, 10, 0.01 - 1e-9},
		{"root at the low end", func(x float64) float64 { return -x }, 10, 0},
		{"root at the high end", func(x float64) float64 { return 10 - x }, 10, 10},
		{"no root below", func(x float64) float64 { return -1 - x }, 10, 0},
		{"no root above", func(x float64) float64 { return 11 - x }, 10, 10},
	} {
		calls := 0
		b := bracket{high: c.high, atLow: c.f(0), atHigh: c.f(c.high)}
		x := b.root(func(x float64) float64 { calls++; return c.f(x) }, rateWidth)
		tolerance := 1e-11
		if c.name == "flat at the root" {
			tolerance = 1e-6
		}
		if math.Abs(x-c.root) > tolerance || calls > 140 {
			t.Errorf("%s: %v after %d calls, want %v", c.name, x, calls, c.root)
		}
	}
}
