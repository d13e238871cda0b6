package rehearsal

import (
	"math"
	"slices"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// Spread is a value over seeds, in seconds where it is a time.
type Spread struct {
	Seeds            int // in which there is one; the others are 0 where this is
	Median, Min, Max float64
}

// SightReport is how an incident was seen over seeds.
type SightReport struct {
	Detected, Late, Missed         int // seeds
	Pending, Firing, Budget, Reset Spread
	Flaps                          int // in all seeds together
}

// Seeds is in how many seeds the incident was.
func (s SightReport) Seeds() int { return s.Detected + s.Late + s.Missed }

// IncidentReport is how the alerts that page took an incident over seeds.
type IncidentReport struct {
	scenario.Incident
	SightReport
	First []int // by rule of the report: in how many seeds it paged first
}

// RuleReport is what one alerting rule was worth over seeds.
type RuleReport struct {
	Rule
	Title   string // its name, and what tells it apart from others of that name
	Pages   bool
	Sights  []SightReport // by incident
	Firings int           // in all seeds together
	False   int           // of them
	Silent  bool          // it fired in no seed at any time
}

// Report is what the alerts of some rules were worth in one scenario, over
// seeds.
type Report struct {
	Scenario  *scenario.Scenario
	Seeds     []uint32
	Length    simulator.Tick // of each
	History   simulator.Tick // before each
	Incidents []IncidentReport
	Rules     []RuleReport // the alerting ones
	Pages     int          // firings that page, in all seeds together
	False     int          // of them
	Exposure  simulator.Tick
}

// FalsePerMonth is how many false pages 30 days outside incidents have; NaN
// where no time passed outside.
func (r *Report) FalsePerMonth() float64 {
	const month = 30 * 24 * 60 * simulator.Minute
	if r.Exposure == 0 {
		return math.NaN()
	}
	return float64(r.False) / float64(r.Exposure) * float64(month)
}

// Summarize puts rehearsals of one scenario with the same rules and several seeds
// together. There must be one at least; each has gone to its end.
func Summarize(results []*Result, page []*labels.Matcher) *Report {
	first := results[0]
	report := &Report{Scenario: first.Scenario, Length: first.Reached, History: -first.Since}
	verdicts := make([]*Verdict, len(results))
	for i, r := range results {
		v := r.Judge(page)
		verdicts[i] = v
		report.Seeds = append(report.Seeds, r.Seed)
		report.Pages += v.Pages
		report.False += v.False
		report.Exposure += v.Exposure
	}
	titles := titlesOf(first.Rules)
	for i, v := range verdicts[0].Rules {
		report.Rules = append(report.Rules, ruleReport(first.Rules[v.Rule], titles[v.Rule], i, verdicts))
	}
	for i, in := range first.Truth.Incidents {
		report.Incidents = append(report.Incidents, incidentReport(in.Incident, i, verdicts))
	}
	return report
}

// ruleReport puts the i-th rule of verdicts together.
func ruleReport(rule Rule, title string, i int, verdicts []*Verdict) RuleReport {
	report := RuleReport{Rule: rule, Title: title, Silent: true}
	for _, v := range verdicts {
		report.Pages = report.Pages || v.Rules[i].Pages
		report.Firings += v.Rules[i].Firings
		report.Silent = report.Silent && v.Rules[i].Silent
		report.False += v.Rules[i].False
	}
	for incident := range verdicts[0].Rules[i].Sights {
		report.Sights = append(report.Sights, sightReport(verdicts, incident, func(v *Verdict) []Sight { return v.Rules[i].Sights }))
	}
	return report
}

// incidentReport puts the i-th incident of verdicts together.
func incidentReport(in scenario.Incident, i int, verdicts []*Verdict) IncidentReport {
	report := IncidentReport{Incident: in, First: make([]int, len(verdicts[0].Rules))}
	report.SightReport = sightReport(verdicts, i, func(v *Verdict) []Sight {
		sights := make([]Sight, len(v.Incidents))
		for j := range sights {
			sights[j] = v.Incidents[j].Sight
		}
		return sights
	})
	for _, v := range verdicts {
		for j := range report.First {
			report.First[j] += count(slices.Contains(v.Incidents[i].First, v.Rules[j].Rule))
		}
	}
	return report
}

// sightReport puts the sights of an incident together. A seed in which it is
// still ahead does not count.
func sightReport(verdicts []*Verdict, incident int, of func(*Verdict) []Sight) SightReport {
	var s SightReport
	var pending, firing, budget, reset []float64
	for _, v := range verdicts {
		one := of(v)[incident]
		s.Detected += count(one.Outcome == Detected)
		s.Late += count(one.Outcome == Late)
		s.Missed += count(one.Outcome == Missed)
		s.Flaps += one.Flaps
		pending, firing, reset = known(pending, one.Pending), known(firing, one.Firing), known(reset, one.Reset)
		if !math.IsNaN(one.Budget) {
			budget = append(budget, one.Budget)
		}
	}
	s.Pending, s.Firing, s.Budget, s.Reset = spreadOf(pending), spreadOf(firing), spreadOf(budget), spreadOf(reset)
	return s
}

// known appends a time that there is.
func known(all []float64, t simulator.Tick) []float64 {
	if t == Never {
		return all
	}
	return append(all, float64(t))
}

// spreadOf returns the spread of values. The median of an even number is the mean
// of the two in the middle.
func spreadOf(values []float64) Spread {
	n := len(values)
	if n == 0 {
		return Spread{}
	}
	slices.Sort(values)
	return Spread{Seeds: n, Median: (values[(n-1)/2] + values[n/2]) / 2, Min: values[0], Max: values[n-1]}
}
