package dashtest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// Kind says what a query is for.
type Kind string

// The kinds.
const (
	Panel      Kind = "panel"
	Annotation Kind = "annotation"
	Variable   Kind = "variable"
)

// Query is a query of a dashboard.
type Query struct {
	Board  string // its title, without what all have in common
	Kind   Kind
	Place  string // title of the panel, or name of the annotation or the variable
	Ref    string // its letter in a panel
	Legend string // its template
	Expr   string // with the dashboard's variables
}

// String names the query as people find it.
func (q Query) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s / %s %q %s", q.Board, q.Kind, q.Place, q.Ref))
}

// board is what dashtest reads of a dashboard.
type board struct {
	Title      string
	Panels     []panel
	Templating struct {
		List []struct {
			Name, Type string
			Query      any
			Current    struct{ Value any }
		}
	}
	Annotations struct {
		List []struct {
			Name   string
			Target target
		}
	}
}

type panel struct {
	Type, Title string
	Targets     []target
	Panels      []panel // of a collapsed row
}

type target struct {
	RefID        string
	Expr         string
	LegendFormat string
}

// Board is a dashboard: its queries in the order of its panels, and what its
// variables are at first.
type Board struct {
	Title   string
	Panels  int // without rows
	Queries []Query
	Values  map[string]string
}

// prefix is what the titles of all dashboards begin with.
const prefix = "firedrill / "

// Read reads a dashboard.
func Read(data []byte) (Board, error) {
	var from board
	if err := json.Unmarshal(data, &from); err != nil {
		return Board{}, fmt.Errorf("read a dashboard: %w", err)
	}
	b := Board{Title: strings.TrimPrefix(from.Title, prefix), Values: map[string]string{}}
	for _, v := range from.Templating.List {
		if value, ok := v.Current.Value.(string); ok {
			b.Values[v.Name] = value
		}
		if text, ok := v.Query.(string); ok && v.Type == "query" {
			expr, err := ofVariable(text)
			if err != nil {
				return Board{}, err
			}
			b.Queries = append(b.Queries, Query{Board: b.Title, Kind: Variable, Place: v.Name, Expr: expr})
		}
	}
	for _, a := range from.Annotations.List {
		b.Queries = append(b.Queries, Query{Board: b.Title, Kind: Annotation, Place: a.Name, Legend: a.Target.LegendFormat, Expr: a.Target.Expr})
	}
	b.add(from.Panels)
	return b, nil
}

// add takes the queries of panels and of those in collapsed rows.
func (b *Board) add(panels []panel) {
	for _, p := range panels {
		b.add(p.Panels)
		if p.Type == "row" {
			continue
		}
		b.Panels++
		for _, t := range p.Targets {
			b.Queries = append(b.Queries, Query{Board: b.Title, Kind: Panel, Place: p.Title, Ref: t.RefID, Legend: t.LegendFormat, Expr: t.Expr})
		}
	}
}

var labelValues = regexp.MustCompile(`^label_values\((.*), ?(\w+)\)$`)

// ofVariable returns the query whose series have the values that the query of a
// variable gives.
func ofVariable(text string) (string, error) {
	parts := labelValues.FindStringSubmatch(text)
	if parts == nil {
		return "", fmt.Errorf("read a dashboard: %q is no label_values(selector, label)", text)
	}
	return "count by (" + parts[2] + ") (" + parts[1] + ")", nil
}

var reference = regexp.MustCompile(`\$(?:\{(\w+)\}|(\w+))`)

// Interpolate puts the values of variables into the query's expression. One
// that has no value is an error.
func (q Query) Interpolate(values map[string]string) (string, error) {
	var unknown []string
	expr := reference.ReplaceAllStringFunc(q.Expr, func(text string) string {
		name := strings.Trim(text, "${}")
		value, known := values[name]
		if !known {
			unknown = append(unknown, name)
		}
		return value
	})
	if len(unknown) > 0 {
		return "", fmt.Errorf("%s: nothing gives $%s a value", q, unknown[0])
	}
	return expr, nil
}
