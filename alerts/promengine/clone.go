package promengine

import (
	"fmt"
	"slices"

	"github.com/prometheus/prometheus/promql/parser"
)

// clone returns a copy of an expression that the PromQL engine may change.
func clone(expr parser.Expr) parser.Expr {
	return rebuild(expr, func(parser.Expr) parser.Expr { return nil })
}

// rebuild returns a copy of an expression, with the expressions that replace
// returns in place of others.
func rebuild(expr parser.Expr, replace func(parser.Expr) parser.Expr) parser.Expr {
	if other := replace(expr); other != nil {
		return other
	}
	again := func(e parser.Expr) parser.Expr {
		if e == nil {
			return nil
		}
		return rebuild(e, replace)
	}
	switch e := expr.(type) {
	case *parser.AggregateExpr:
		c := *e
		c.Expr, c.Param, c.Grouping = again(e.Expr), again(e.Param), slices.Clone(e.Grouping)
		return &c
	case *parser.BinaryExpr:
		c := *e
		c.LHS, c.RHS = again(e.LHS), again(e.RHS)
		if e.VectorMatching != nil {
			matching := *e.VectorMatching
			c.VectorMatching = &matching
		}
		return &c
	case *parser.Call:
		c := *e
		c.Args = make(parser.Expressions, len(e.Args))
		for i, arg := range e.Args {
			c.Args[i] = again(arg)
		}
		return &c
	case *parser.ParenExpr:
		c := *e
		c.Expr = again(e.Expr)
		return &c
	case *parser.UnaryExpr:
		c := *e
		c.Expr = again(e.Expr)
		return &c
	}
	return rebuildRange(expr, again)
}

// rebuildRange is rebuild for selectors, literals and what surrounds selectors.
func rebuildRange(expr parser.Expr, again func(parser.Expr) parser.Expr) parser.Expr {
	switch e := expr.(type) {
	case *parser.VectorSelector:
		c := *e
		return &c
	case *parser.MatrixSelector:
		c := *e
		c.VectorSelector = again(e.VectorSelector)
		return &c
	case *parser.SubqueryExpr:
		c := *e
		c.Expr = again(e.Expr)
		return &c
	case *parser.NumberLiteral:
		c := *e
		return &c
	case *parser.StringLiteral:
		c := *e
		return &c
	}
	panic(fmt.Sprintf("promengine: the parser returned a %T", expr))
}
