package alerts

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestWorkbookFactors: burn rates of The Site Reliability Workbook, chapter 5:
// table 5-8 (14.4, 6, 1), the rule above it (3), and the text of section 4: 5 %
// of 30 days in an hour are 36.
func TestWorkbookFactors(t *testing.T) {
	var got []float64
	for _, p := range Pairs() {
		got = append(got, p.Factor(DefaultPeriod))
	}
	for i, want := range []float64{14.4, 6, 3, 1} {
		if got[i] != want {
			t.Errorf("factor %d is %g, want %g", i, got[i], want)
		}
	}
	if got := (Pair{Long: time.Hour, BudgetShare: 0.05}).Factor(30 * day); got != 36 {
		t.Errorf("5 %% of 30 days in an hour are a burn rate of %g, want 36", got)
	}
	if got := Pairs()[0].Factor(28 * day); got != 13.44 {
		t.Errorf("2 %% of 28 days in an hour are a burn rate of %g, want 13.44", got)
	}
}

// TestWorkbookWindows: "make the short window 1/12 the duration of the long
// window", section 6.
func TestWorkbookWindows(t *testing.T) {
	for _, p := range Pairs() {
		if 12*p.Short != p.Long {
			t.Errorf("%v is not a twelfth of %v", p.Short, p.Long)
		}
	}
}

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
