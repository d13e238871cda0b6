package rehearsal_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/alerts/rehearsal"
	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

const (
	objective = 0.999
	steady    = 1e-4 // share of errors before and after the fault

	// tolerance is a scrape and an evaluation.
	tolerance = 45 * time.Second
)

// crossing is how long after a constant fault has begun the error ratio over a
// window exceeds what the burn rate f allows:
//
//	T = W·(f·(1 − SLO) − b)/(e − b)
//
// where W = window, SLO = objective, b = error ratio before, e = during the
// fault, above f·(1 − SLO), with constant traffic. Source: The Site Reliability
// Workbook, chapter 5, with a baseline.
func crossing(window time.Duration, f, e float64) time.Duration {
	return time.Duration(float64(window) * (f*(1-objective) - steady) / (e - steady))
}

// fading is how long after the end of a fault that has filled a window the error
// ratio over it is down again to what the burn rate f allows:
//
//	R = W·(e − f·(1 − SLO))/(e − b)
func fading(window time.Duration, f, e float64) time.Duration {
	return time.Duration(float64(window) * (e - f*(1-objective)) / (e - steady))
}

// factor is the burn rate of a pair: its share of the budget of 30 days.
func factor(p alerts.Pair) float64 { return p.Factor(30 * 24 * time.Hour) }

// TestDetection: for constant error ratios each of the four pairs of windows
// fires when both its windows have crossed the threshold, and ends when the
// short one has fallen below, within a scrape and an evaluation; a pair whose
// threshold is not reached stays silent.
func TestDetection(t *testing.T) {
	for _, e := range []float64{0.002, 0.004, 0.008, 0.02, 0.1, 1} {
		t.Run(fmt.Sprint(e), func(t *testing.T) {
			t.Parallel()
			var longest, lasts time.Duration // of the detection, and of the fault
			for _, p := range alerts.Pairs() {
				if e > factor(p)*(1-objective) {
					longest = max(longest, crossing(p.Long, factor(p), e), crossing(p.Short, factor(p), e))
					lasts = max(lasts, longest+2*tolerance, p.Short)
				}
			}
			fault := simulator.Tick(lasts/time.Second) + 2*minute
			r := rehearse(t, constant(t, e, fault/minute*minute))
			for _, p := range alerts.Pairs() {
				checkPair(t, r, p, e, fault/minute*minute)
			}
		})
	}
}

// constant plans three quiet days, a fault of that error ratio and length that
// begins at tick 0, and what comes after.
func constant(t *testing.T, e float64, length simulator.Tick) rehearsal.Plan {
	t.Helper()
	text := fmt.Sprintf(`
name: constant
start: "10:00"
duration: %[1]dm
services:
  - {name: shop, model: web, config: {noise: false, daily_amplitude: 0, base_rate: 100, floor: 1, baseline_error_ratio: %[2]g}}
events:
  - {at: 0m, service: shop, do: set_baseline_errors, args: {ratio: %[3]g}}
  - {at: %[4]dm, service: shop, do: set_baseline_errors, args: {ratio: %[2]g}}
`, length/minute+7*60, steady, e, length/minute)
	s, err := scenario.Parse("constant.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := alerts.ForSLOs(alerts.DefaultOptions(1), "a test", alerts.Web()[:1])
	if err != nil {
		t.Fatal(err)
	}
	return rehearsal.Plan{Scenario: s, History: 3 * day, Rules: []promengine.Source{{Name: "rules.yml", Text: rules}}, Stretch: 24 * time.Hour}
}

func checkPair(t *testing.T, r *rehearsal.Result, p alerts.Pair, e float64, fault simulator.Tick) {
	t.Helper()
	window := metric.Span(p.Long)
	got := firings(r, "AvailabilityBudgetBurn "+window)
	if e <= factor(p)*(1-objective) {
		if len(got) > 0 {
			t.Errorf("window %s: %v, want none", window, got)
		}
		return
	}
	if len(got) != 1 {
		t.Errorf("window %s: %v, want one", window, got)
		return
	}
	from := max(crossing(p.Long, factor(p), e), crossing(p.Short, factor(p), e))
	if told, ever := p.Detection(alerts.Web()[0], e, steady); !ever || math.Abs(float64(told-from)) > 1 {
		t.Errorf("window %s: Detection says %v, %t, the formula %v", window, told, ever, from)
	}
	near(t, "window "+window+" fires after", got[0].from, from)
	near(t, "window "+window+" ends after", got[0].to-fault, fading(p.Short, factor(p), e))
}

func near(t *testing.T, what string, got simulator.Tick, want time.Duration) {
	t.Helper()
	span := time.Duration(got) * time.Second
	t.Logf("%s %v, formula %v", what, span, want.Round(time.Second))
	if math.Abs(float64(span-want)) > float64(tolerance) {
		t.Errorf("%s %v, want %v ± %v", what, span, want, tolerance)
	}
}
