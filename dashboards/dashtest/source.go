package dashtest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"
)

// Source answers queries as a Prometheus does.
type Source interface {
	// Range evaluates an expression from one time to another.
	Range(ctx context.Context, expr string, from, to time.Time, step time.Duration) ([]Series, error)
}

// Series is one of a result.
type Series struct {
	Labels map[string]string
	Points []Point // where there are any, in order
}

// Point is the value of a series at a time.
type Point struct {
	Time  time.Time
	Value float64
}

// has reports whether a series has these labels.
func (s Series) has(labels map[string]string) bool {
	for name, value := range labels {
		if s.Labels[name] != value {
			return false
		}
	}
	return true
}

// one returns the points of the series with these labels, by time. Where two
// have a value at the same time that is an error.
func one(ctx context.Context, s Source, expr string, labels map[string]string, span Span) (map[int64]float64, error) {
	all, err := s.Range(ctx, expr, span.From, span.To, span.Step)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", expr, err)
	}
	points := map[int64]float64{}
	for _, series := range all {
		if !series.has(labels) {
			continue
		}
		for _, p := range series.Points {
			if _, twice := points[p.Time.UnixMilli()]; twice {
				return nil, fmt.Errorf("%s: more than one series has %v at %v", expr, labels, p.Time)
			}
			points[p.Time.UnixMilli()] = p.Value
		}
	}
	return points, nil
}

// Span is a span of time in steps, on the clock of a source.
type Span struct {
	From, To time.Time
	Step     time.Duration
}

// Empty asks for what every query gives over a span and returns those that give
// no finite value at any time in it.
func Empty(ctx context.Context, s Source, queries []Query, values map[string]string, span Span) ([]Query, error) {
	var empty []Query
	for _, q := range queries {
		expr, err := q.Interpolate(values)
		if err != nil {
			return nil, err
		}
		all, err := s.Range(ctx, expr, span.From, span.To, span.Step)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", q, expr, err)
		}
		if !slices.ContainsFunc(all, func(series Series) bool { return slices.ContainsFunc(series.Points, Point.finite) }) {
			empty = append(empty, q)
		}
	}
	return empty, nil
}

func (p Point) finite() bool { return !math.IsNaN(p.Value) && !math.IsInf(p.Value, 0) }
