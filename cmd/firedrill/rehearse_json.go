package main

import (
	"bufio"
	"encoding/json"
	"math"

	"github.com/firedrill/firedrill/alerts/rehearsal"
)

// jsonReport is the verdict on a scenario.
type jsonReport struct {
	Scenario  string         `json:"scenario"`
	Title     string         `json:"title"`
	Seeds     []uint32       `json:"seeds"`
	Operator  string         `json:"operator"`
	Length    int            `json:"length_seconds"`
	History   int            `json:"history_seconds"`
	Incidents []jsonIncident `json:"incidents"`
	Rules     []jsonRule     `json:"rules"`
	Pages     int            `json:"pages"`
	False     int            `json:"false_pages"`
	Outside   int            `json:"outside_incidents_seconds"`
	PerMonth  *float64       `json:"false_pages_per_30_days"` // null where no time passed outside
	Expected  []jsonExpected `json:"expectations"`
}

// jsonExpected is how an expectation was met.
type jsonExpected struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Alert string `json:"alert"` // with its matchers
	Met   bool   `json:"met"`
	Seeds int    `json:"met_in_seeds"`
	Why   string `json:"why_not"` // in the first seed in which it was not; ""
}

// jsonIncident is how all that pages took an incident.
type jsonIncident struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Service string `json:"service"`
	Kind    string `json:"kind"`
	jsonSight
	First []jsonFirst `json:"first_to_page"`
}

type jsonFirst struct {
	Rule  string `json:"rule"`
	Seeds int    `json:"seeds"`
}

// jsonRule is what one alerting rule was worth.
type jsonRule struct {
	File   string            `json:"file"`
	Group  string            `json:"group"`
	Index  int               `json:"index"` // in its group
	Name   string            `json:"name"`
	Title  string            `json:"title"`
	Labels map[string]string `json:"labels"`
	Pages  bool              `json:"pages"`
	Sights []jsonRuleSight   `json:"incidents"`
	Fired  int               `json:"firings"`
	False  int               `json:"false_firings"`
	Silent bool              `json:"silent"` // in the time before the scenario too
}

type jsonRuleSight struct {
	ID string `json:"id"`
	jsonSight
}

// jsonSight is how an incident was seen over seeds.
type jsonSight struct {
	Detected int         `json:"detected"`
	Late     int         `json:"late"`
	Missed   int         `json:"missed"`
	Pending  *jsonSpread `json:"pending_seconds"`
	Firing   *jsonSpread `json:"firing_seconds"`
	Budget   *jsonSpread `json:"budget_spent_ratio"`
	Reset    *jsonSpread `json:"reset_seconds"`
	Flaps    int         `json:"flaps"`
}

// jsonSpread is null where no seed has a value.
type jsonSpread struct {
	Seeds  int     `json:"seeds"`
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

// json writes a verdict with everything in it, times in seconds.
func (v verdict) json(w *bufio.Writer) error {
	all := make([]jsonReport, len(v.reports))
	for i, r := range v.reports {
		all[i] = v.jsonReport(r)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Scenarios []jsonReport `json:"scenarios"`
	}{all})
}

func (v verdict) jsonReport(r *rehearsal.Report) jsonReport {
	out := jsonReport{
		Scenario: r.Scenario.Name, Title: r.Scenario.Title, Seeds: r.Seeds, Operator: v.operator, Length: int(r.Length), History: int(r.History),
		Incidents: []jsonIncident{}, Rules: []jsonRule{}, Expected: []jsonExpected{},
		Pages: r.Pages, False: r.False, Outside: int(r.Exposure),
	}
	if perMonth := r.FalsePerMonth(); !math.IsNaN(perMonth) {
		out.PerMonth = new(rounded(perMonth))
	}
	for _, f := range v.fulfilments {
		if f.Scenario == r.Scenario.Name {
			out.Expected = append(out.Expected, jsonExpected{f.File, f.Line, f.Name(), f.OK(), f.Met, f.Why})
		}
	}
	for _, in := range r.Incidents {
		one := jsonIncident{ID: in.ID, Title: in.Title, Service: in.Service, Kind: string(in.Kind), jsonSight: sightOf(in.SightReport), First: []jsonFirst{}}
		for i, n := range in.First {
			if n > 0 {
				one.First = append(one.First, jsonFirst{r.Rules[i].Title, n})
			}
		}
		out.Incidents = append(out.Incidents, one)
	}
	for _, rule := range r.Rules {
		one := jsonRule{
			File: rule.File, Group: rule.Group, Index: rule.Index, Name: rule.Name, Title: rule.Title, Labels: rule.Labels.Map(),
			Pages: rule.Pages, Sights: []jsonRuleSight{}, Fired: rule.Firings, False: rule.False, Silent: rule.Silent,
		}
		for i, s := range rule.Sights {
			one.Sights = append(one.Sights, jsonRuleSight{r.Incidents[i].ID, sightOf(s)})
		}
		out.Rules = append(out.Rules, one)
	}
	return out
}

func sightOf(s rehearsal.SightReport) jsonSight {
	return jsonSight{
		Detected: s.Detected, Late: s.Late, Missed: s.Missed, Flaps: s.Flaps,
		Pending: jsonSpreadOf(s.Pending), Firing: jsonSpreadOf(s.Firing), Budget: jsonSpreadOf(s.Budget), Reset: jsonSpreadOf(s.Reset),
	}
}

func jsonSpreadOf(s rehearsal.Spread) *jsonSpread {
	if s.Seeds == 0 {
		return nil
	}
	return &jsonSpread{s.Seeds, rounded(s.Median), rounded(s.Min), rounded(s.Max)}
}

// rounded drops the digits that no measurement has.
func rounded(x float64) float64 { return math.Round(x*1e9) / 1e9 }
