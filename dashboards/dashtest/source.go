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
	Values []float64 // at the times at which there are any
}

// instant returns the one series with these labels at a time, and whether it is
// there.
func instant(ctx context.Context, s Source, expr string, at time.Time, labels map[string]string) (float64, bool, error) {
	all, err := s.Range(ctx, expr, at, at, time.Second)
	if err != nil {
		return 0, false, err
	}
	all = slices.DeleteFunc(all, func(one Series) bool {
		for name, value := range labels {
			if one.Labels[name] != value {
				return true
			}
		}
		return len(one.Values) == 0
	})
	switch len(all) {
	case 0:
		return 0, false, nil
	case 1:
		return all[0].Values[0], true, nil
	}
	return 0, false, fmt.Errorf("%d series where there should be one: %v", len(all), all)
}

// Alive asks for what every query gives over a span of time and returns those
// that give no finite value at any time in it.
func Alive(ctx context.Context, s Source, queries []Query, values map[string]string, from, to time.Time, step time.Duration) (empty []Query, err error) {
	for _, q := range queries {
		expr, err := q.Interpolate(values)
		if err != nil {
			return empty, err
		}
		all, err := s.Range(ctx, expr, from, to, step)
		if err != nil {
			return empty, fmt.Errorf("%s: %s: %w", q, expr, err)
		}
		if !slices.ContainsFunc(all, func(one Series) bool { return slices.ContainsFunc(one.Values, finite) }) {
			empty = append(empty, q)
		}
	}
	return empty, nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
