package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/alerts/rehearsal"
	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// rehearseCmd runs rule files over scenarios and judges their alerts.
type rehearseCmd struct {
	Rules              []string     `required:"" sep:"none" placeholder:"GLOB" help:"Prometheus rule files, as they are; may be repeated."`
	Scenario           []string     `sep:"none" placeholder:"NAME" help:"A built-in scenario, a YAML file, drills (all of them), suite (those that try alert rules, see firedrill scenario list --suite), or all (both); may be repeated. Without it, those of the expectations, else all."`
	Seeds              seedsFlag    `default:"1" placeholder:"N" help:"Rehearse with the seeds 1 to N."`
	Operator           operatorFlag `default:"none" placeholder:"none" help:"Who operates the services: none or scripted."`
	Page               pageFlag     `default:"severity=~\"page|critical\"" placeholder:"MATCHERS" help:"Labels of alerts that wake people: ${default}."`
	WarmUp             *warmUpFlag  `placeholder:"D" help:"How much is simulated before each scenario, to fill windows: as far as the rules look back, 3d at most."`
	ScrapeInterval     spanFlag     `default:"15s" placeholder:"15s" help:"Between scrapes."`
	EvaluationInterval spanFlag     `default:"30s" placeholder:"30s" help:"Between evaluations of groups that do not say."`
	Stagger            bool         `help:"Evaluate groups at the offsets that Prometheus gives them, not all at once."`
	Format             verdictFlag  `default:"table" placeholder:"table" help:"What is printed: table, json, junit or markdown."`
	FailOn             []failFlag   `placeholder:"WHAT" help:"Fail where an incident is missed, where one is noticed late, where a page is false: missed, late, false."`
	Expect             string       `placeholder:"FILE" help:"Hold the alerts to the expectations in this YAML file; fail where one is not met."`
	WriteExpect        string       `placeholder:"FILE" help:"Write a file of expectations that this rehearsal meets."`
	Jobs               jobsFlag     `short:"j" default:"1" placeholder:"N" help:"How many rehearsals run at once."`
}

// Help documents the verdict.
func (rehearseCmd) Help() string {
	return `An incident is detected by an alert that begins to fire while it goes on; late, by
one that does so afterwards, while a window of its rule still holds the incident.
Times count from the incident's start, resets from its end.`
}

// Run rehearses, judges and prints.
func (c *rehearseCmd) Run(ctx context.Context, s streams) error {
	rules, err := readRules(c.Rules)
	if err != nil {
		return usageError{err}
	}
	history, err := c.history(s, rules)
	if err != nil {
		return usageError{err}
	}
	expected, err := c.expectations(s)
	if err != nil {
		return usageError{err}
	}
	scenarios, err := c.scenarios(s, expected)
	if err != nil {
		return err
	}
	if err := unknown(expected, scenarios, rules); err != nil {
		return usageError{err}
	}
	plans := c.plans(scenarios, rules, history)
	bar := newRehearseProgress(s, plans)
	results, failed := rehearsal.RehearseAll(ctx, plans, int(c.Jobs))
	bar.close()
	if failed != nil && ctx.Err() == nil {
		return unplaced(failed)
	}
	reports := c.reports(scenarios, results)
	v := verdict{reports: reports, operator: string(c.Operator), fail: c.FailOn, fulfilments: fulfilments(expected, results)}
	out := bufio.NewWriter(s.out)
	if err := errors.Join(c.Format.print(out, v), out.Flush()); err != nil {
		return err
	}
	if failed != nil {
		return fmt.Errorf("interrupted: %d of %d rehearsals are done", done(results), len(results))
	}
	if c.WriteExpect != "" {
		if err := os.WriteFile(c.WriteExpect, rehearsal.WriteExpectations(reports), 0o644); err != nil {
			return fmt.Errorf("write expectations: %w", err)
		}
	}
	return v.judge()
}

// readRules reads the files that the patterns match, each once.
func readRules(patterns []string) ([]promengine.Source, error) {
	var rules []promengine.Source
	var errs []error
	for _, pattern := range patterns {
		names, err := filepath.Glob(pattern)
		if err == nil && len(names) == 0 {
			err = errors.New("no file is called so")
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("rules %q: %w", pattern, err))
		}
		for _, name := range names {
			if slices.ContainsFunc(rules, func(s promengine.Source) bool { return s.Name == name }) {
				continue
			}
			text, err := readFile(name, nil)
			if err != nil {
				errs = append(errs, fmt.Errorf("read rules: %w", err))
				continue
			}
			rules = append(rules, promengine.Source{Name: name, Text: text})
		}
	}
	return rules, errors.Join(errs...)
}

// longestWarmUp is how much is simulated before a scenario at most where nobody
// asks for more.
const longestWarmUp = 72 * time.Hour

// history returns how much is simulated before each scenario: what fills the
// windows of the rules.
func (c *rehearseCmd) history(s streams, rules []promengine.Source) (simulator.Tick, error) {
	longest, err := rehearsal.LooksBack(rules)
	if err != nil {
		return 0, err
	}
	if c.WarmUp != nil {
		return simulator.Tick(*c.WarmUp), nil
	}
	if longest > longestWarmUp+time.Hour {
		fmt.Fprintf(s.err, "firedrill: the rules look back %s; only the last %s before a scenario are simulated: --warm-up %s fills all windows\n",
			metric.Span(longest), metric.Span(longestWarmUp), metric.Span(longest))
	}
	return simulator.Tick(min(longest, longestWarmUp) / time.Second).NextMinute(), nil
}

// scenarios loads the scenarios, each once.
func (c *rehearseCmd) scenarios(s streams, expected []rehearsal.Expectation) ([]*scenario.Scenario, error) {
	names := c.Scenario
	if len(names) == 0 {
		names = namedIn(expected)
	}
	var all []*scenario.Scenario
	for _, name := range names {
		switch name {
		case "all":
			all = append(append(all, scenario.Builtin()...), scenario.Suite()...)
		case "drills":
			all = append(all, scenario.Builtin()...)
		case "suite":
			all = append(all, scenario.Suite()...)
		default:
			one, err := load(name, s.in)
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
	}
	var seen []string
	return slices.DeleteFunc(all, func(s *scenario.Scenario) bool {
		known := slices.Contains(seen, s.File+s.Name)
		seen = append(seen, s.File+s.Name)
		return known
	}), nil
}

// plans are the rehearsals: each scenario with each seed.
func (c *rehearseCmd) plans(scenarios []*scenario.Scenario, rules []promengine.Source, history simulator.Tick) []rehearsal.Plan {
	var plans []rehearsal.Plan
	for _, s := range scenarios {
		for i := range uint32(c.Seeds) {
			seed := i + 1
			plans = append(plans, rehearsal.Plan{
				Scenario: s, Options: scenario.Options{Seed: &seed, Scripted: c.Operator.scripted()}, Rules: rules, History: history,
				Scrape: time.Duration(c.ScrapeInterval), Interval: time.Duration(c.EvaluationInterval), Stagger: c.Stagger,
			})
		}
	}
	return plans
}

// reports puts the results of each scenario together, as far as there are any.
func (c *rehearseCmd) reports(scenarios []*scenario.Scenario, results []*rehearsal.Result) []*rehearsal.Report {
	var reports []*rehearsal.Report
	for i := range scenarios {
		own := results[i*int(c.Seeds) : (i+1)*int(c.Seeds)]
		own = slices.DeleteFunc(slices.Clone(own), func(r *rehearsal.Result) bool { return r == nil })
		if len(own) > 0 {
			reports = append(reports, rehearsal.Summarize(own, c.Page.matchers))
		}
	}
	return reports
}

func done(results []*rehearsal.Result) int {
	n := 0
	for _, r := range results {
		if r != nil {
			n++
		}
	}
	return n
}

// pageFlag are matchers of the labels of alerts that page.
type pageFlag struct{ matchers []*labels.Matcher }

// UnmarshalText reads matchers.
func (f *pageFlag) UnmarshalText(text []byte) error {
	var err error
	f.matchers, err = rehearsal.ParsePage(string(text))
	return err
}
