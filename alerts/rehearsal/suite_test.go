package rehearsal_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firedrill/firedrill/alerts/rehearsal"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// TestSuite: what pages of the shipped alerts, in the scenarios that try alert
// rules, behind six hours of history: the outcome, the first to page, flaps and
// false pages.
func TestSuite(t *testing.T) {
	want := map[string]string{
		"total-outage":   "detected [AvailabilityBudgetBurn 1h] flaps 0, false 0",
		"short-spike":    "missed [] flaps 0, false 0", // half a percent of the budget: nobody is woken
		"flapping":       "detected [AvailabilityBudgetBurn 1h] flaps 6, false 0",
		"one-bad-pod":    "detected [AvailabilityBudgetBurn 1h] flaps 0, false 0",
		"latency-only":   "detected [LatencyBudgetBurn 1h] flaps 0, false 0",
		"traffic-drop":   "detected [TrafficDropped] flaps 0, false 0",
		"low-traffic":    "false 0",
		"restarts":       "false 0",
		"monitoring-gap": "detected [SLIMissing availability SLIMissing latency] flaps 0, false 0",
		"slow-burn":      "missed [] flaps 0, false 0", // a ticket: nobody is woken
	}
	if got := len(scenario.SuiteNames()); got != len(want) {
		t.Errorf("%d scenarios, %d outcomes", got, len(want))
	}
	for _, name := range scenario.SuiteNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := rehearsal.Summarize([]*rehearsal.Result{play(t, name)}, severity(t, "page"))
			got := fmt.Sprintf("false %d", report.False)
			for _, in := range report.Incidents {
				got = fmt.Sprintf("%s %v flaps %d, %s", outcome(in.SightReport), pagedFirst(report, in), in.Flaps, got)
			}
			if diff := cmp.Diff(want[name], got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// outcome is the outcome in the only seed.
func outcome(s rehearsal.SightReport) rehearsal.Outcome {
	switch {
	case s.Seeds() == 0:
		return rehearsal.Ahead
	case s.Detected > 0:
		return rehearsal.Detected
	case s.Late > 0:
		return rehearsal.Late
	}
	return rehearsal.Missed
}

// pagedFirst names the rules that paged first.
func pagedFirst(report *rehearsal.Report, in rehearsal.IncidentReport) []string {
	var all []string
	for i, n := range in.First {
		if n > 0 {
			all = append(all, report.Rules[i].Title)
		}
	}
	slices.Sort(all)
	return all
}
