package main

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/firedrill/firedrill/alerts/rehearsal"
	"github.com/firedrill/firedrill/simulator"
)

// verdict is what a rehearsal prints.
type verdict struct {
	reports     []*rehearsal.Report
	operator    string
	fail        []failFlag
	fulfilments []rehearsal.Fulfilment // of expectations
}

// judge returns an error where something happened that is not to happen, or an
// expectation is not met.
func (v verdict) judge() error {
	var errs []error
	for _, r := range v.reports {
		for _, one := range v.conditionsOf(r) {
			if one.fails {
				errs = append(errs, fmt.Errorf("%s: %s: %s", r.Scenario.Name, one.name, one.what))
			}
		}
	}
	return errors.Join(errs...)
}

// print writes a verdict in the format.
func (f verdictFlag) print(w *bufio.Writer, v verdict) error {
	switch f {
	case "json":
		return v.json(w)
	case "junit":
		return v.junit(w)
	case "markdown":
		return v.markdown(w)
	}
	return v.table(w)
}

// condition is something that may go wrong in a scenario, and whether it does.
type condition struct {
	name  string
	what  string // happened, in words
	fails bool
}

// conditionsOf returns what may go wrong in a scenario: for each incident that it
// is missed or late, that pages are false, both only where --fail-on says so, and
// that an expectation is not met.
func (v verdict) conditionsOf(r *rehearsal.Report) []condition {
	fail := v.fail
	var all []condition
	for _, in := range r.Incidents {
		what := fmt.Sprintf("paged in %d of %s, late in %d, missed in %d", in.Detected, several(in.Seeds(), "seed"), in.Late, in.Missed)
		fails := in.Missed > 0 && slices.Contains(fail, failMissed) || in.Late > 0 && slices.Contains(fail, failLate)
		all = append(all, condition{name: "incident " + in.ID, what: what, fails: fails})
	}
	what := falsePages(r) + " in " + brief(float64(r.Exposure))
	all = append(all, condition{name: "outside incidents", what: what, fails: r.False > 0 && slices.Contains(fail, failFalse)})
	for _, f := range v.fulfilments {
		if f.Scenario == r.Scenario.Name {
			all = append(all, condition{name: "expected " + where(f), what: metOrNot(f), fails: !f.OK()})
		}
	}
	return all
}

func falsePages(r *rehearsal.Report) string { return several(r.False, "false page") }

// several writes a number of things.
func several(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// brief writes a span of seconds in two units at most, for example 45s, 19m30s,
// 5h43m, 3d or 1d5h.
func brief(seconds float64) string {
	total := int(math.Round(seconds))
	for _, unit := range []struct {
		size, part       int
		name, fractional string
	}{{86400, 3600, "d", "h"}, {3600, 60, "h", "m"}, {60, 1, "m", "s"}} {
		if total < unit.size {
			continue
		}
		parts := (total + unit.part/2) / unit.part
		per := unit.size / unit.part
		text := strconv.Itoa(parts/per) + unit.name
		if parts%per > 0 {
			text += strconv.Itoa(parts%per) + unit.fractional
		}
		return text
	}
	return strconv.Itoa(total) + "s"
}

// briefly writes a time of a spread, a dash where no seed has one.
func briefly(s rehearsal.Spread, seconds float64) string {
	if s.Seeds == 0 {
		return "-"
	}
	return brief(seconds)
}

// percent writes the median of a share, a dash where no seed has one.
func percent(s rehearsal.Spread) string {
	if s.Seeds == 0 {
		return "-"
	}
	return decimal(100*s.Median, 1) + "%"
}

// monthly writes how many false pages a month would have.
func monthly(r *rehearsal.Report) string {
	if perMonth := r.FalsePerMonth(); !math.IsNaN(perMonth) {
		return decimal(perMonth, 1) + " in 30 days"
	}
	return "no time to tell"
}

// setting says how a scenario was rehearsed.
func (v verdict) setting(r *rehearsal.Report) string {
	seeds := fmt.Sprintf("seed %d", r.Seeds[0])
	if n := len(r.Seeds); n > 1 {
		seeds = fmt.Sprintf("%d seeds from %d to %d", n, r.Seeds[0], r.Seeds[n-1])
	}
	after := ""
	if r.History > 0 {
		after = " after " + brief(float64(r.History))
	}
	operator := "no operator"
	if v.operator != "none" {
		operator = "a " + v.operator + " operator"
	}
	return fmt.Sprintf("%s, %s each%s, %s", seeds, brief(float64(r.Length)), after, operator)
}

// firsts names the alerts that paged first, and how often.
func firsts(r *rehearsal.Report, in rehearsal.IncidentReport) []string {
	var all []string
	for i, n := range in.First {
		if n > 0 {
			all = append(all, fmt.Sprintf("%s (%d of %d)", r.Rules[i].Title, n, in.Seeds()))
		}
	}
	return all
}

// sighted returns the rules that saw the incident in one seed at least.
func sighted(r *rehearsal.Report, incident int) []rehearsal.RuleReport {
	var all []rehearsal.RuleReport
	for _, rule := range r.Rules {
		if s := rule.Sights[incident]; s.Detected+s.Late > 0 {
			all = append(all, rule)
		}
	}
	return all
}

// silent returns how many alerts fired in no seed, before the scenario neither.
func silent(r *rehearsal.Report) int {
	n := 0
	for _, rule := range r.Rules {
		if rule.Silent {
			n++
		}
	}
	return n
}

// cells are what a row about a sight shows behind its name.
func cells(s rehearsal.SightReport) []string {
	return []string{
		fmt.Sprintf("%d/%d", s.Detected, s.Seeds()), strconv.Itoa(s.Late),
		briefly(s.Firing, s.Firing.Median), briefly(s.Firing, s.Firing.Min), briefly(s.Firing, s.Firing.Max),
		percent(s.Budget), briefly(s.Reset, s.Reset.Median), strconv.Itoa(s.Flaps),
	}
}

// heads are the headings of cells.
func heads() []string {
	return []string{"seen", "late", "after", "min", "max", "budget", "reset", "flaps"}
}

// total is how many minutes plans simulate.
func total(plans []rehearsal.Plan) simulator.Tick {
	sum := simulator.Tick(0)
	for _, p := range plans {
		sum += p.History + p.Scenario.Duration
	}
	return sum / simulator.Minute
}
