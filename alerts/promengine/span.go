package promengine

import (
	"context"
	"fmt"
	"time"

	"github.com/prometheus/prometheus/promql"
)

// EvalRange evaluates all groups at all times after the time after and up to to
// at which they are due, over samples that are in the store already, and returns
// what became of their alerts, in order. Samples, alerts and transitions are
// those that one call of Eval for each of these times would have made.
//
// The longer the span the faster it goes, and the more memory it needs: a rule's
// whole result at once.
func (e *Engine) EvalRange(ctx context.Context, after, to time.Time) ([]Transition, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var all []Transition
	for _, u := range e.units {
		transitions, err := e.evalUnit(ctx, u, after, to)
		all = append(all, transitions...)
		if err != nil {
			return all, err
		}
	}
	sortTransitions(all)
	return all, nil
}

func (e *Engine) evalUnit(ctx context.Context, u unit, after, to time.Time) ([]Transition, error) {
	if u.bySpan {
		return e.evalSpan(ctx, u.rules[0], after, to)
	}
	var all []Transition
	for {
		ts := u.next(after)
		if ts.After(to) {
			return all, nil
		}
		for _, r := range u.rules {
			if err := ctx.Err(); err != nil {
				return all, err
			}
			if r.group.due(ts) {
				all = append(all, e.evalRule(ctx, r, ts)...)
			}
		}
		after = ts
	}
}

// next returns the first time after t at which a rule of the unit is due.
func (u unit) next(t time.Time) time.Time {
	first := u.rules[0].group.next(t)
	for _, r := range u.rules[1:] {
		if at := r.group.next(t); at.Before(first) {
			first = at
		}
	}
	return first
}

// evalSpan evaluates one rule with one range query. If that fails, some of its
// steps may have: then it goes step by step.
func (e *Engine) evalSpan(ctx context.Context, r *rule, after, to time.Time) ([]Transition, error) {
	first, last := r.group.next(after), r.group.last(to)
	if first.After(last) {
		return nil, nil
	}
	matrix, closeQuery, err := e.matrix(ctx, r, first, last)
	if err != nil {
		return e.evalUnit(ctx, unit{rules: []*rule{r}}, after, to)
	}
	defer closeQuery()
	rows := newRows(r, matrix, r.group.queryOffset)
	var all []Transition
	var samples []result
	for ts := first; !ts.After(last); ts = ts.Add(r.group.interval) {
		if err := ctx.Err(); err != nil {
			return all, err
		}
		samples = rows.at(ts, samples[:0])
		if r.alerts == nil && e.newSeries(samples) > 1 {
			// The order in which they appear is that of their sums, and a
			// range query does not tell.
			all = append(all, e.evalRule(ctx, r, ts)...)
			continue
		}
		all = append(all, e.apply(ctx, r, ts, samples, nil)...)
	}
	return all, nil
}

// matrix queries the expression of a rule for its evaluations from first to
// last.
func (e *Engine) matrix(ctx context.Context, r *rule, first, last time.Time) (promql.Matrix, func(), error) {
	var closeQuery func()
	matrix, err := withFallback(r, func(expr string) (promql.Matrix, error) {
		offset := -r.group.queryOffset
		q, err := e.promql.NewRangeQuery(ctx, e.at(last), nil, expr, first.Add(offset), last.Add(offset), r.group.interval)
		if err != nil {
			return nil, err
		}
		result := q.Exec(ctx)
		if result.Err != nil {
			q.Close()
			return nil, result.Err
		}
		closeQuery = q.Close
		matrix, ok := result.Value.(promql.Matrix)
		if !ok {
			return nil, fmt.Errorf("range query returned a %T", result.Value)
		}
		return matrix, nil
	})
	return matrix, closeQuery, err
}

// newSeries returns how many series the samples would begin.
func (e *Engine) newSeries(samples []result) int {
	n := 0
	for i := range samples {
		t := samples[i].source.target
		if t.stored == nil && !e.store.known(t.labels) {
			n++
		}
	}
	return n
}

// rows reads a matrix row by row: all samples of one time.
type rows struct {
	offset  time.Duration
	columns []column
}

// column is one series of a matrix. Its samples are taken from the front.
type column struct {
	source     *source
	floats     []promql.FPoint
	histograms []promql.HPoint
}

func newRows(r *rule, matrix promql.Matrix, offset time.Duration) *rows {
	all := &rows{offset: offset, columns: make([]column, len(matrix))}
	for i, s := range matrix {
		all.columns[i] = column{r.source(s.Metric), s.Floats, s.Histograms}
	}
	return all
}

// at appends the samples for the evaluation at ts, which is later than the one
// before.
func (r *rows) at(ts time.Time, samples []result) []result {
	t := ts.Add(-r.offset).UnixMilli()
	for i := range r.columns {
		c := &r.columns[i]
		if len(c.floats) > 0 && c.floats[0].T == t {
			samples = append(samples, result{source: c.source, f: c.floats[0].F})
			c.floats = c.floats[1:]
		}
		if len(c.histograms) > 0 && c.histograms[0].T == t {
			samples = append(samples, result{source: c.source, h: c.histograms[0].H})
			c.histograms = c.histograms[1:]
		}
	}
	return samples
}
