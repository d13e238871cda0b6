package rehearsal_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prometheus/prometheus/model/labels"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/alerts/rehearsal"
	"github.com/firedrill/firedrill/simulator"
)

// TestSummarize puts four seeds together: detected twice, late, missed.
func TestSummarize(t *testing.T) {
	var results []*rehearsal.Result
	for seed := range uint32(4) {
		r := made(incident("shop", 60*minute, 120*minute))
		r.Seed = seed + 1
		results = append(results, r)
	}
	fire(results[0], 1, "shop", 65*minute, 66*minute, 130*minute)
	fire(results[1], 1, "shop", 70*minute, 72*minute, 121*minute)
	fire(results[1], 2, "shop", 71*minute, 71*minute, 73*minute)
	fire(results[2], 1, "shop", 150*minute, 150*minute, 160*minute)
	fire(results[3], 1, "api", 70*minute, 70*minute, 80*minute)
	report := rehearsal.Summarize(results, severity(t, "page"))
	want := rehearsal.SightReport{
		Detected: 2, Late: 1, Missed: 1,
		Pending: rehearsal.Spread{Seeds: 3, Median: 600, Min: 300, Max: 5400},
		Firing:  rehearsal.Spread{Seeds: 3, Median: 720, Min: 360, Max: 5400},
		Budget:  rehearsal.Spread{Seeds: 3, Median: 0.13, Min: 0.07, Max: 0.91},
		Reset:   rehearsal.Spread{Seeds: 3, Median: 600, Min: 60, Max: 2400},
	}
	near := cmpopts.EquateApprox(0, 1e-9)
	if diff := cmp.Diff(want, report.Incidents[0].SightReport, near); diff != "" {
		t.Errorf("pages:\n%s", diff)
	}
	if diff := cmp.Diff(want, report.Rules[0].Sights[0], near); diff != "" {
		t.Errorf("the rule that pages:\n%s", diff)
	}
	busy := report.Rules[1]
	if busy.Title != "Busy" || busy.Pages || busy.Firings != 1 || busy.Sights[0].Detected != 1 || busy.Sights[0].Missed != 3 || busy.Sights[0].Seeds() != 4 {
		t.Errorf("the rule that warns: %+v", busy)
	}
	if report.Rules[0].Silent || busy.Silent {
		t.Error("rules that fired are said to be silent")
	}
	if !cmp.Equal(report.Incidents[0].First, []int{3, 0}) || report.Pages != 4 || report.False != 1 || report.Rules[0].False != 1 {
		t.Errorf("first %v, %d pages, %d false", report.Incidents[0].First, report.Pages, report.False)
	}
	if got := report.FalsePerMonth(); report.Exposure != 12*hour || got != 60 || !cmp.Equal(report.Seeds, []uint32{1, 2, 3, 4}) {
		t.Errorf("%g false pages a month in %d seconds of %v", got, report.Exposure, report.Seeds)
	}
	always := made(incident("shop", 0, rehearsal.Never))
	if got := rehearsal.Summarize([]*rehearsal.Result{always}, severity(t, "page")).FalsePerMonth(); !math.IsNaN(got) {
		t.Errorf("%g false pages a month where there is no time for one", got)
	}
}

// TestMedian: of an even number it is the mean of the two in the middle.
func TestMedian(t *testing.T) {
	var results []*rehearsal.Result
	for i := range 2 {
		r := made(incident("shop", 60*minute, rehearsal.Never))
		from := 70*minute + simulator.Tick(i)*30*minute
		fire(r, 1, "shop", from, from, rehearsal.Never)
		results = append(results, r)
	}
	got := rehearsal.Summarize(results, severity(t, "page")).Incidents[0]
	if want := (rehearsal.Spread{Seeds: 2, Median: 1500, Min: 600, Max: 2400}); got.Firing != want || got.Reset != (rehearsal.Spread{}) {
		t.Errorf("%+v, reset %+v", got.Firing, got.Reset)
	}
}

// TestTitles: rules of one name are told apart by what differs.
func TestTitles(t *testing.T) {
	r := made()
	r.Rules = nil
	for _, own := range [][]string{
		{"Burn", "severity", "page", "window", "1h"}, {"Burn", "severity", "ticket", "window", "1d"},
		{"Down", "severity", "page"}, {"Down", "severity", "warning"},
		{"Lost", "slo", "a"}, {"Lost", "slo", "b", "team", "x"},
		{"Same"}, {"Same"}, {"Alone", "severity", "page", "slo", "a"},
	} {
		r.Rules = append(r.Rules, rehearsal.Rule{RuleStatus: promengine.RuleStatus{
			File: "a.yml", Group: "g", Index: len(r.Rules), Name: own[0], Alerting: true, Labels: labels.FromStrings(own[1:]...)}})
	}
	var got []string
	for _, rule := range rehearsal.Summarize([]*rehearsal.Result{r}, severity(t, "page")).Rules {
		got = append(got, rule.Title)
	}
	want := []string{"Burn 1h", "Burn 1d", "Down page", "Down warning", "Lost a", "Lost b x", "Same #1", "Same #2", "Alone"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
