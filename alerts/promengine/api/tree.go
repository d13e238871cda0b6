package api

import (
	"fmt"
	"strconv"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// node is a part of an expression as JSON, with a field "type".
type node map[string]any

// tree returns an expression as parse_query shows it; nil for nil.
func tree(expr parser.Expr) any {
	switch e := expr.(type) {
	case *parser.AggregateExpr:
		return node{
			"type": "aggregation", "op": e.Op.String(), "expr": tree(e.Expr), "param": tree(e.Param),
			"grouping": notNil(e.Grouping), "without": e.Without,
		}
	case *parser.BinaryExpr:
		return node{
			"type": "binaryExpr", "op": e.Op.String(), "lhs": tree(e.LHS), "rhs": tree(e.RHS),
			"matching": matching(e.VectorMatching), "bool": e.ReturnBool,
		}
	case *parser.Call:
		return node{"type": "call", "func": function(e.Func), "args": trees(e.Args)}
	case *parser.MatrixSelector:
		return matrixSelector(e)
	case *parser.SubqueryExpr:
		return subquery(e)
	case *parser.DurationExpr:
		return durationTree(e)
	case *parser.NumberLiteral:
		return node{"type": "numberLiteral", "val": strconv.FormatFloat(e.Val, 'f', -1, 64)}
	case *parser.ParenExpr:
		return node{"type": "parenExpr", "expr": tree(e.Expr)}
	case *parser.StringLiteral:
		return node{"type": "stringLiteral", "val": e.Val}
	case *parser.UnaryExpr:
		return node{"type": "unaryExpr", "op": e.Op.String(), "expr": tree(e.Expr)}
	case *parser.VectorSelector:
		return vectorSelector("vectorSelector", e)
	case nil:
		return nil
	}
	panic(fmt.Sprintf("api: an expression that is a %T", expr))
}

func trees(list parser.Expressions) []any {
	all := make([]any, len(list))
	for i, e := range list {
		all[i] = tree(e)
	}
	return all
}

func function(f *parser.Function) node {
	return node{"name": f.Name, "argTypes": f.ArgTypes, "variadic": f.Variadic, "returnType": f.ReturnType}
}

// matching returns how the series of two operands find each other.
func matching(m *parser.VectorMatching) any {
	if m == nil {
		return nil
	}
	return node{
		"card": m.Card.String(), "labels": notNil(m.MatchingLabels), "on": m.On, "include": notNil(m.Include),
		"fillValues": node{"lhs": m.FillValues.LHS, "rhs": m.FillValues.RHS},
	}
}

func vectorSelector(kind string, s *parser.VectorSelector) node {
	return node{
		"type": kind, "name": s.Name, "offset": s.OriginalOffset.Milliseconds(), "offsetExpr": durationTree(s.OriginalOffsetExpr),
		"matchers": matchers(s.LabelMatchers), "timestamp": s.Timestamp, "startOrEnd": startOrEnd(s.StartOrEnd),
		"anchored": s.Anchored, "smoothed": s.Smoothed,
	}
}

func matrixSelector(m *parser.MatrixSelector) any {
	s, ok := m.VectorSelector.(*parser.VectorSelector)
	if !ok {
		panic(fmt.Sprintf("api: a range of a %T", m.VectorSelector))
	}
	n := vectorSelector("matrixSelector", s)
	n["range"], n["rangeExpr"] = m.Range.Milliseconds(), durationTree(m.RangeExpr)
	return n
}

func subquery(s *parser.SubqueryExpr) node {
	return node{
		"type": "subquery", "expr": tree(s.Expr),
		"range": s.Range.Milliseconds(), "rangeExpr": durationTree(s.RangeExpr),
		"offset": s.OriginalOffset.Milliseconds(), "offsetExpr": durationTree(s.OriginalOffsetExpr),
		"step": s.Step.Milliseconds(), "stepExpr": durationTree(s.StepExpr),
		"timestamp": s.Timestamp, "startOrEnd": startOrEnd(s.StartOrEnd),
	}
}

// durationTree returns an expression that stands for a span of time; numbers in
// it tell whether they were written as a span.
func durationTree(expr parser.Expr) any {
	switch e := expr.(type) {
	case *parser.DurationExpr:
		if e == nil {
			return nil
		}
		return node{"type": "durationExpr", "op": e.Op.String(), "lhs": durationTree(e.LHS), "rhs": durationTree(e.RHS), "wrapped": e.Wrapped}
	case *parser.NumberLiteral:
		if e == nil {
			return nil
		}
		return node{"type": "numberLiteral", "val": strconv.FormatFloat(e.Val, 'f', -1, 64), "duration": e.Duration}
	}
	return tree(expr)
}

func matchers(list []*labels.Matcher) []node {
	all := make([]node, len(list))
	for i, m := range list {
		all[i] = node{"name": m.Name, "value": m.Value, "type": m.Type.String()}
	}
	return all
}

// startOrEnd returns what stands behind an @ without a time.
func startOrEnd(item parser.ItemType) any {
	if item == 0 {
		return nil
	}
	return item.String()
}

// notNil returns a list that JSON shows as one.
func notNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
