package promengine

import (
	"slices"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// unit is rules next to each other that a span is evaluated for together: one
// rule over all of the span, or some step by step.
type unit struct {
	rules  []*rule
	bySpan bool
}

// plan divides the rules into units that can be evaluated over a span one after
// another.
//
// Rule by rule over a span is the same as step by step over all rules where
// each rule reads what those before it have written, and nothing else of rules.
// So a rule that reads what itself or a later rule writes is in a unit with it
// and all between. The same holds for a rule that reads what an earlier one
// writes with a larger query offset: those samples are written later than their
// timestamps say.
func plan(rules []*rule) []unit {
	reads := make([]reads, len(rules))
	for i, r := range rules {
		reads[i] = readsOf(r)
	}
	reach := make([]int, len(rules)) // the last rule that has to be in a unit with each
	for i := range rules {
		reach[i] = max(reach[i], i)
		for j := range rules {
			if !reads[i].from(rules[j]) {
				continue
			}
			if j >= i {
				reach[i] = max(reach[i], j)
				reads[i].alone = reads[i].alone || i == j
			} else if late := rules[j].group.queryOffset; late > rules[i].group.queryOffset || late > 0 && reads[i].stepwise {
				reach[j] = max(reach[j], i)
			}
		}
	}
	var units []unit
	for i := 0; i < len(rules); {
		end := reach[i]
		for j := i; j <= end; j++ {
			end = max(end, reach[j])
		}
		bySpan := end == i && !reads[i].stepwise && !reads[i].alone
		units = append(units, unit{rules[i : end+1], bySpan})
		i = end + 1
	}
	return units
}

// reads is what a rule reads, as far as its plan needs it.
type reads struct {
	selectors [][]*labels.Matcher
	all       bool // it may read anything
	stepwise  bool // its expression differs over a span, whatever it reads
	alone     bool // it reads what it writes
}

func readsOf(r *rule) reads {
	found := reads{stepwise: differs(r.expr)}
	parser.Inspect(r.expr, func(node parser.Node, _ []parser.Node) error {
		switch n := node.(type) {
		case *parser.VectorSelector:
			found.selectors = append(found.selectors, n.LabelMatchers)
		case *parser.Call:
			// info reads series that no selector names.
			found.all = found.all || n.Func.Name == "info"
		}
		return nil
	})
	if r.alerts != nil && r.alerts.expand.queries {
		found.all = true
	}
	return found
}

// MayRead reports whether any rule may read series of that name. What none reads
// can be left out of the store.
func (e *Engine) MayRead(name string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	named := func(matchers []*labels.Matcher) bool {
		return !slices.ContainsFunc(matchers, func(m *labels.Matcher) bool { return m.Name == model.MetricNameLabel && !m.Matches(name) })
	}
	return slices.ContainsFunc(e.rules, func(r *rule) bool {
		found := readsOf(r)
		return found.all || slices.ContainsFunc(found.selectors, named)
	})
}

// from reports whether the rule may read what other writes.
func (r reads) from(other *rule) bool {
	if r.all {
		return true
	}
	names := []string{other.name}
	if other.alerts != nil {
		names = []string{alertsMetric, forStateMetric}
	}
	return slices.ContainsFunc(r.selectors, func(matchers []*labels.Matcher) bool {
		return slices.ContainsFunc(names, func(name string) bool { return mayMatch(matchers, name, other) })
	})
}

// mayMatch reports whether the matchers may match a series of this name that a
// rule writes. Labels that the rule sets are known, others may have any value.
func mayMatch(matchers []*labels.Matcher, name string, writer *rule) bool {
	for _, m := range matchers {
		v, known := writer.labels.Get(m.Name), writer.labels.Has(m.Name)
		switch {
		case m.Name == model.MetricNameLabel:
			v, known = name, true
		case m.Name == labels.AlertName && writer.alerts != nil:
			v, known = writer.name, true
		case writer.alerts != nil && (m.Name == alertState || isTemplate(v)):
			known = false
		}
		if known && !m.Matches(v) {
			return false
		}
	}
	return true
}

// differs reports whether the expression may give other results as a range
// query than as queries at single times: with @ or a negative offset, which look
// at what is not there yet; with info; and where something that depends on the
// order of its input gets it from something that, in range queries, puts series
// out in no particular order.
func differs(expr parser.Expr) bool {
	found := false
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		switch n := node.(type) {
		case *parser.VectorSelector:
			found = found || n.Timestamp != nil || n.StartOrEnd != 0 || n.OriginalOffset < 0 || n.OriginalOffsetExpr != nil
		case *parser.MatrixSelector:
			found = found || n.RangeExpr != nil
		case *parser.SubqueryExpr:
			found = found || n.Timestamp != nil || n.StartOrEnd != 0 || n.OriginalOffset < 0 || n.OriginalOffsetExpr != nil ||
				n.RangeExpr != nil || n.StepExpr != nil
		case *parser.Call:
			found = found || n.Func.Name == "info" || isHistogramFunction(n.Func.Name) && isUnordered(n.Args[len(n.Args)-1])
		case *parser.AggregateExpr:
			found = found || n.Op != parser.COUNT && n.Op != parser.GROUP && isUnordered(n.Expr)
		}
		return nil
	})
	return found
}

// isHistogramFunction reports whether the function adds up buckets.
func isHistogramFunction(name string) bool {
	switch name {
	case "histogram_quantile", "histogram_fraction", "histogram_quantiles":
		return true
	}
	return false
}

// isUnordered reports whether the series of an expression come out of a range
// query in no particular order.
func isUnordered(expr parser.Expr) bool {
	if expr.Type() != parser.ValueTypeVector {
		return false
	}
	switch e := expr.(type) {
	case *parser.ParenExpr:
		return isUnordered(e.Expr)
	case *parser.UnaryExpr:
		return isUnordered(e.Expr)
	case *parser.BinaryExpr:
		return true
	case *parser.AggregateExpr:
		switch e.Op {
		case parser.TOPK, parser.BOTTOMK, parser.LIMITK, parser.LIMIT_RATIO, parser.COUNT_VALUES:
			return true
		}
		return isUnordered(e.Expr)
	case *parser.Call:
		return isUnorderedCall(e)
	}
	return false
}

func isUnorderedCall(call *parser.Call) bool {
	switch call.Func.Name {
	case "label_replace", "label_join":
		return isUnordered(call.Args[0])
	case "vector", "absent", "absent_over_time":
		return false
	}
	for _, arg := range call.Args {
		switch a := arg.(type) {
		case *parser.MatrixSelector:
			return false
		case *parser.SubqueryExpr:
			return isUnordered(a.Expr)
		}
	}
	return true
}
