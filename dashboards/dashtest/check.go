package dashtest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/firedrill/firedrill/exporter/metric"
)

// Case is what is known of a Prometheus that has watched a scenario.
type Case struct {
	Boards []Board // made for its clock
	Speed  float64 // of the simulation on its clock
	Truth  Truth
	Scrape time.Duration // between scrapes, on its clock

	From, To time.Time // when the scenario ran, on its clock
	End      time.Time // until when it watched: To or later

	// RightlyEmpty are the queries that have no result, by name, with the reason.
	RightlyEmpty map[string]string
}

// Summary is what came of a check.
type Summary struct {
	Panels, Queries int
	Compared, Close int            // values, as in Report
	Mutations       map[string]int // by name, how many queries it makes wrong
	Problems        []string
}

// String says what was tried, on one line.
func (s Summary) String() string {
	text := fmt.Sprintf("%d panels, %d queries, %d values compared, %d of them closely", s.Panels, s.Queries, s.Compared, s.Close)
	for _, name := range slices.Sorted(maps.Keys(s.Mutations)) {
		text += fmt.Sprintf("; with %s %d queries are found wrong", name, s.Mutations[name])
	}
	return text
}

// Check asks every query for a result, compares panels with the truth, and makes
// sure that wrong queries are found out. An error is that of a query that the
// source does not answer.
func Check(ctx context.Context, s Source, c Case) (Summary, error) {
	sum := Summary{Mutations: map[string]int{}}
	var queries []Query
	values := map[string]string{}
	for _, b := range c.Boards {
		sum.Panels += b.Panels
		queries = append(queries, b.Queries...)
		maps.Copy(values, b.Values)
	}
	sum.Queries = len(queries)
	empty, err := Empty(ctx, s, queries, values, Span{c.From, c.End, c.clock(30 * time.Second)})
	if err != nil {
		return sum, err
	}
	sum.compareEmpty(empty, c.RightlyEmpty)
	set, err := c.setting(values)
	if err != nil {
		return sum, err
	}
	r, err := Compare(ctx, s, queries, set)
	if err != nil {
		return sum, err
	}
	sum.Compared, sum.Close, sum.Problems = r.Compared, r.Close, append(sum.Problems, r.Problems...)
	if 2*r.Close < r.Compared {
		sum.report("only %d of %d values leave little room for being wrong", r.Close, r.Compared)
	}
	for name, mutate := range mutations(c.Speed) {
		if err := sum.mutate(ctx, s, queries, set, name, mutate); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

func (s *Summary) report(format string, args ...any) {
	s.Problems = append(s.Problems, fmt.Sprintf(format, args...))
}

// clock converts a span of simulated time to the clock of the source.
func (c Case) clock(d time.Duration) time.Duration {
	return time.Duration(float64(d) / c.Speed).Round(time.Millisecond)
}

// compareEmpty compares the queries without a result with those that may be.
func (s *Summary) compareEmpty(empty []Query, rightly map[string]string) {
	found := map[string]bool{}
	for _, q := range empty {
		found[q.String()] = true
		if rightly[q.String()] == "" {
			s.report("%s gives nothing: %s", q, q.Expr)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rightly)) {
		if !found[name] {
			s.report("%s has a result, and should not: %s", name, rightly[name])
		}
	}
}

func (c Case) setting(values map[string]string) (Setting, error) {
	window, err := time.ParseDuration(values["window"])
	return Setting{
		Truth: c.Truth, Values: values,
		Window: time.Duration(float64(window) * c.Speed), Scrape: time.Duration(float64(c.Scrape) * c.Speed),
		Span: Span{c.From, c.To, c.clock(150 * time.Second)},
	}, err
}

// mutations are mistakes that queries are easily made with. On simulated time
// nothing is wrong without the division.
func mutations(speed float64) map[string]func(string) string {
	all := map[string]func(string) string{
		"percent twice": func(expr string) string { return "100 * (" + expr + ")" },
	}
	if speed != 1 {
		all["no division by simulated seconds"] = func(expr string) string {
			return strings.ReplaceAll(expr, "scalar(rate("+metric.SimulatedSeconds.Name+"[$window]))", "1")
		}
	}
	return all
}

// mutate makes a mistake in every query, and expects each to be found wrong that
// is compared at all.
func (s *Summary) mutate(ctx context.Context, source Source, queries []Query, set Setting, name string, mistake func(string) string) error {
	wrong := slices.Clone(queries)
	for i := range wrong {
		wrong[i].Expr = mistake(wrong[i].Expr)
	}
	r, err := Compare(ctx, source, wrong, set)
	if err != nil {
		return err
	}
	for i, q := range wrong {
		right, asked := r.Right[q.String()]
		switch {
		case !asked || q.Expr == queries[i].Expr:
		case right:
			s.report("with %s, %s is found right: %s", name, q, q.Expr)
		default:
			s.Mutations[name]++
		}
	}
	if s.Mutations[name] == 0 {
		s.report("with %s, nothing is found wrong", name)
	}
	return nil
}
