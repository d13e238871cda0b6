package dashtest

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/simulator/latency"
)

// Setting says where and how panels are compared.
type Setting struct {
	Truth  Truth
	Values map[string]string // of the variables
	Window time.Duration     // of rates, in simulated time
	Scrape time.Duration     // between scrapes, in simulated time
	Span   Span
}

// Report is what came of a comparison.
type Report struct {
	Compared int             // values
	Close    int             // of them those for which only one value, within a tenth, is right
	Right    map[string]bool // by query: whether all of its values are
	Problems []string        // values that are wrong, or missing
}

// tolerance is how far a value may be off, as a share of it.
const tolerance = 0.05

// Compare compares panels with what firedrill simulate says of the minutes that
// they are about. What the minutes do between two scrapes, or while rules wait
// for their next evaluation, a panel may have seen or not: a value is right
// where it was right then.
func Compare(ctx context.Context, s Source, queries []Query, set Setting) (Report, error) {
	r := Report{Right: map[string]bool{}}
	moments, err := set.moments(ctx, s)
	if err != nil {
		return r, err
	}
	for _, f := range facts() {
		q, ok := find(queries, f)
		if !ok {
			r.Problems = append(r.Problems, fmt.Sprintf("%s / %q has no query for %q", f.board, f.panel, f.legend))
			continue
		}
		if err := r.compare(ctx, s, q, f, moments, set); err != nil {
			return r, fmt.Errorf("%s: %w", q, err)
		}
	}
	return r, nil
}

func find(queries []Query, f fact) (Query, bool) {
	i := slices.IndexFunc(queries, func(q Query) bool {
		return q.Kind == Panel && q.Board == f.board && q.Place == f.panel && q.Legend == f.legend
	})
	if i < 0 {
		return Query{}, false
	}
	return queries[i], true
}

// moments returns what simulated time the source has seen at the times of the
// span, in minutes from the start.
func (set Setting) moments(ctx context.Context, s Source) (map[int64]float64, error) {
	all, err := one(ctx, s, metric.SimulatedTimestamp.Name, nil, set.Span)
	for at, timestamp := range all {
		all[at] = (timestamp - float64(set.Truth.Start.Unix())) / 60
	}
	return all, err
}

// compare compares the values of a query.
func (r *Report) compare(ctx context.Context, s Source, q Query, f fact, moments map[int64]float64, set Setting) error {
	expr, err := q.Interpolate(set.Values)
	if err != nil {
		return err
	}
	got, err := one(ctx, s, expr, f.labels, set.Span)
	if err != nil {
		return err
	}
	compared, problems := r.Compared, len(r.Problems)
	for _, at := range slices.Sorted(maps.Keys(moments)) {
		value, ok := got[at]
		r.judge(q, f, moments[at], value, ok, set)
	}
	if r.Compared == compared {
		r.Problems = append(r.Problems, fmt.Sprintf("%s (%s) is never compared", q, q.Legend))
	}
	right, asked := r.Right[q.String()]
	r.Right[q.String()] = (right || !asked) && len(r.Problems) == problems
	return nil
}

// judge compares a value with what it has to be.
func (r *Report) judge(q Query, f fact, moment, got float64, ok bool, set Setting) {
	if moment < max(f.since, longest(f, set)) {
		return
	}
	low, high := f.expected(moment, set)
	if low < f.least || f.gaps && (!ok || math.IsNaN(got)) {
		return
	}
	r.Compared++
	if high <= low*1.1 {
		r.Close++
	}
	if !ok {
		r.Problems = append(r.Problems, fmt.Sprintf("%s (%s): nothing at minute %.2f, want %.4g to %.4g", q, q.Legend, moment, low, high))
	} else if !(got >= low-tolerance*math.Abs(low)-1e-9 && got <= high+tolerance*math.Abs(high)+1e-9) {
		r.Problems = append(r.Problems, fmt.Sprintf("%s (%s): %.5g at minute %.2f, want %.5g to %.5g", q, q.Legend, got, moment, low, high))
	}
}

// window is how many minutes a fact looks back.
func window(f fact, set Setting) float64 {
	if f.over > 0 {
		return f.over
	}
	return set.Window.Minutes()
}

// longest is how many minutes have to have passed for a fact to hold.
func longest(f fact, set Setting) float64 {
	if f.kind == now {
		return set.Scrape.Minutes()
	}
	return window(f, set) + 2*set.Scrape.Minutes()
}

// expected returns the least and the greatest value that would be right.
func (f fact) expected(moment float64, set Setting) (low, high float64) {
	slack := set.Scrape.Minutes()
	from, to := moment-slack-f.lag, moment+slack
	switch f.kind {
	case bucket:
		low, high = bounds(f.at(set), from-window(f, set), to)
		return bucketOf(low*(1-tolerance), -1), bucketOf(high*(1+tolerance), 0)
	case mean, growth:
		// Samples at the ends of a window may be a scrape away from them.
		low, high = bounds(f.before(set, window(f, set)), from, to)
		least, most := bounds(f.before(set, window(f, set)-slack), from, to)
		return min(low, least), max(high, most)
	}
	return bounds(f.at(set), from, to)
}

// at is the value at a moment.
func (f fact) at(set Setting) func(float64) float64 {
	return func(moment float64) float64 { return f.is(set.Truth.row(moment)) }
}

// before is the value over the minutes before a moment.
func (f fact) before(set Setting, minutes float64) func(float64) float64 {
	return func(moment float64) float64 {
		if f.kind == growth {
			return set.Truth.growth(f.is, moment, minutes)
		}
		return set.Truth.mean(f.is, f.weight, moment, minutes)
	}
}

// bucketOf returns a bound of the bucket of the classic histogram that x is in:
// the upper one, or the lower one where step is -1.
func bucketOf(x float64, step int) float64 {
	all := append([]float64{0}, latency.Classic()...)
	i, _ := slices.BinarySearch(all, x)
	return all[min(max(0, i+step), len(all)-1)]
}
