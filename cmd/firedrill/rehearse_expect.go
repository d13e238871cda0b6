package main

import (
	"fmt"
	"slices"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/alerts/rehearsal"
	"github.com/firedrill/firedrill/simulator/scenario"
	"github.com/firedrill/firedrill/simulator/schema"
)

// expectations reads the file of --expect.
func (c *rehearseCmd) expectations(s streams) ([]rehearsal.Expectation, error) {
	if c.Expect == "" {
		return nil, nil
	}
	data, err := readFile(c.Expect, s.in)
	if err != nil {
		return nil, fmt.Errorf("read expectations: %w", err)
	}
	return rehearsal.ParseExpectations(c.Expect, data)
}

// namedIn lists the scenarios of expectations, each once; all where there are no
// expectations.
func namedIn(expected []rehearsal.Expectation) []string {
	var names []string
	for _, e := range expected {
		if !slices.Contains(names, e.Scenario) {
			names = append(names, e.Scenario)
		}
	}
	if len(names) == 0 {
		return []string{"all"}
	}
	return names
}

// unknown reports expectations of alerts that no rule has, and of scenarios and
// incidents that are not rehearsed.
func unknown(expected []rehearsal.Expectation, scenarios []*scenario.Scenario, rules []promengine.Source) error {
	if len(expected) == 0 {
		return nil
	}
	alerts, err := rehearsal.AlertNames(rules)
	if err != nil {
		return err
	}
	var names []string
	for _, s := range scenarios {
		names = append(names, s.Name)
	}
	var problems schema.Problems
	report := func(e rehearsal.Expectation, field, what, name string, valid []string) {
		if slices.Contains(valid, name) {
			return
		}
		p := schema.Unknown(field, what, name, valid)
		p.File, p.Line = e.File, e.Line
		problems = append(problems, p)
	}
	for _, e := range expected {
		report(e, "alert", "alert of the rules", e.Alert, alerts)
		report(e, "scenario", "scenario that is rehearsed", e.Scenario, names)
		if at := slices.Index(names, e.Scenario); at >= 0 && e.Incident != "" {
			report(e, "incident", "incident of "+e.Scenario, e.Incident, incidentsOf(scenarios[at]))
		}
	}
	return problems.Err()
}

func incidentsOf(s *scenario.Scenario) []string {
	var ids []string
	for _, in := range s.Incidents {
		ids = append(ids, in.ID)
	}
	return ids
}

// fulfilments compares expectations with the results there are.
func fulfilments(expected []rehearsal.Expectation, results []*rehearsal.Result) []rehearsal.Fulfilment {
	var all []rehearsal.Fulfilment
	for _, e := range expected {
		var own []*rehearsal.Result
		for _, r := range results {
			if r != nil && r.Scenario.Name == e.Scenario {
				own = append(own, r)
			}
		}
		all = append(all, e.Check(own))
	}
	return all
}

// expected returns how many expectations in a scenario are met, of how many, and
// those that are not.
func (v verdict) expected(r *rehearsal.Report) (met, all int, unmet []rehearsal.Fulfilment) {
	for _, f := range v.fulfilments {
		switch {
		case f.Scenario != r.Scenario.Name:
			continue
		case f.OK():
			met++
		default:
			unmet = append(unmet, f)
		}
		all++
	}
	return met, all, unmet
}

// where says which expectation it is and where it stands.
func where(f rehearsal.Fulfilment) string { return fmt.Sprintf("%s (%s:%d)", f.Name(), f.File, f.Line) }

// metOrNot says in how many seeds an expectation was met, and why not in others.
func metOrNot(f rehearsal.Fulfilment) string {
	text := fmt.Sprintf("met in %d of %s", f.Met, several(f.Seeds, "seed"))
	if f.Why != "" {
		text += "; " + f.Why
	}
	return text
}
