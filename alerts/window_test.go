package alerts

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestWorkbookExhaustion: table 5-4.
func TestWorkbookExhaustion(t *testing.T) {
	for rate, want := range map[float64]time.Duration{1: 30 * day, 2: 15 * day, 10: 3 * day, 1000: 43 * time.Minute} {
		if got := Exhaustion(30*day, rate); got.Truncate(time.Minute) != want {
			t.Errorf("a burn rate of %g exhausts 30 days in %v, want %v", rate, got, want)
		}
	}
}

// TestWorkbookDetection: figure 5-6: with 15 % errors the hour's mean goes over
// 1.44 % after 5 minutes (and 45 seconds).
func TestWorkbookDetection(t *testing.T) {
	s := SLO{Objective: 0.999, Period: 30 * day}
	got, ok := Pairs()[0].Detection(s, 0.15, 0)
	if want := 5*time.Minute + 45600*time.Millisecond; !ok || got.Round(time.Millisecond) != want {
		t.Errorf("15 %% errors are noticed after %v, %t; want %v", got, ok, want)
	}
	if _, ok := Pairs()[0].Detection(s, 0.0144, 0); ok {
		t.Error("errors at the threshold are noticed")
	}
}

// TestDetection compares the formula with windows that slide over a step, second
// by second.
func TestDetection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(Pairs()[:2]).Draw(t, "pair")
		s := SLO{Objective: rapid.Float64Range(0.95, 0.9999).Draw(t, "objective"), Period: 30 * day}
		threshold := p.Factor(s.Period) * (1 - s.Objective)
		before := rapid.Float64Range(0, threshold).Draw(t, "before")
		during := rapid.Float64Range(threshold*1.01, max(1, threshold*1.01)).Draw(t, "during")
		got, ok := p.Detection(s, during, before)
		if !ok {
			t.Fatalf("an error ratio of %g is not noticed above %g", during, threshold)
		}
		if want := slide(p, threshold, during, before); math.Abs(got.Seconds()-want) > 1.001 {
			t.Fatalf("noticed after %v, want %g s", got, want)
		}
	})
}

// slide returns the first second at which both windows are above the threshold.
func slide(p Pair, threshold, during, before float64) float64 {
	mean := func(window time.Duration, t float64) float64 {
		share := min(1, t/window.Seconds())
		return share*during + (1-share)*before
	}
	for t := 0.0; ; t++ {
		if mean(p.Long, t) > threshold && mean(p.Short, t) > threshold {
			return t
		}
	}
}
