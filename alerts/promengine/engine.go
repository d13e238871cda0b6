package promengine

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
)

// Options say how rules are evaluated. The zero value is as Prometheus has it
// without any configuration, except that all groups are evaluated at once.
type Options struct {
	Interval       time.Duration // between evaluations of a group that does not say; 0 is a minute
	Lookback       time.Duration // how old the last sample of a series may be; 0 is five minutes
	QueryOffset    time.Duration // by which groups that do not say query the past
	ExternalLabels labels.Labels
	ExternalURL    string

	// Stagger gives every group its own offset within its interval, the one
	// that Prometheus gives it.
	Stagger bool

	Memory Memory
}

// Memory is how much memory samples may take. Rules that need more are refused.
type Memory struct {
	Limit  int64         // in bytes; 0 is none
	Series int           // that there are at once
	Scrape time.Duration // from one sample of a series to the next
}

const (
	defaultInterval = time.Minute
	defaultLookback = 5 * time.Minute

	// queryTimeout ends a query that does not come to an end by itself.
	queryTimeout = time.Hour
)

func (o Options) withDefaults() Options {
	if o.Interval == 0 {
		o.Interval = defaultInterval
	}
	if o.Lookback == 0 {
		o.Lookback = defaultLookback
	}
	return o
}

// Engine evaluates rules over a store. One goroutine loads and evaluates; any
// number may look at what came out meanwhile: Groups, Rules, Alerts. They wait
// for an evaluation that is under way, which waits for them only while they
// copy.
type Engine struct {
	mu      sync.Mutex // guards what evaluations change, and what is loaded
	store   *Store
	options Options
	site    site
	exprs   *expressions
	promql  *promql.Engine
	groups  []*group
	rules   []*rule // of all groups, in order
	units   []unit
	reach   []time.Duration // how far each rule looks back
}

// New returns an engine without rules that reads and writes the store.
func New(store *Store, options Options) (*Engine, error) {
	options = options.withDefaults()
	site, err := newSite(options)
	if err != nil {
		return nil, err
	}
	e := &Engine{store: store, options: options, site: site, exprs: newExpressions()}
	e.promql = promql.NewEngine(promql.EngineOpts{
		Logger:                   slog.New(slog.DiscardHandler),
		MaxSamples:               math.MaxInt,
		Timeout:                  queryTimeout,
		LookbackDelta:            options.Lookback,
		NoStepSubqueryIntervalFn: func(int64) int64 { return options.Interval.Milliseconds() },
		EnableAtModifier:         true,
		EnableNegativeOffset:     true,
		Parser:                   e.exprs,
	})
	return e, nil
}

// Next returns the first time after t at which a group is due; false where
// there is no group.
func (e *Engine) Next(t time.Time) (time.Time, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.groups) == 0 {
		return time.Time{}, false
	}
	first := e.groups[0].next(t)
	for _, g := range e.groups[1:] {
		if at := g.next(t); at.Before(first) {
			first = at
		}
	}
	return first, true
}

// Eval evaluates the groups that are due at ts and returns what became of
// their alerts. It must not go back in time.
func (e *Engine) Eval(ctx context.Context, ts time.Time) ([]Transition, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var all []Transition
	for _, r := range e.rules {
		if err := ctx.Err(); err != nil {
			return all, err
		}
		if r.group.due(ts) {
			all = append(all, e.evalRule(ctx, r, ts)...)
		}
	}
	return all, nil
}

// evalRule evaluates a rule at one time, over the samples that are not later.
func (e *Engine) evalRule(ctx context.Context, r *rule, ts time.Time) []Transition {
	vector, err := e.instant(ctx, r, ts)
	return e.apply(ctx, r, ts, r.samplesOf(vector), err)
}

// instant queries the expression of a rule for its evaluation at ts.
func (e *Engine) instant(ctx context.Context, r *rule, ts time.Time) (promql.Vector, error) {
	return r.query(func(expr string) (promql.Vector, error) {
		return e.vector(ctx, expr, ts.Add(-r.group.queryOffset), ts)
	})
}

var errNoVector = errors.New("rule result is not a vector or scalar")

// vector queries an expression at the time at, over the samples that are there
// at the time now.
func (e *Engine) vector(ctx context.Context, expr string, at, now time.Time) (promql.Vector, error) {
	q, err := e.promql.NewInstantQuery(ctx, e.at(now), nil, expr, at)
	if err != nil {
		return nil, err
	}
	defer q.Close()
	result := q.Exec(ctx)
	if result.Err != nil {
		return nil, result.Err
	}
	switch v := result.Value.(type) {
	case promql.Vector:
		return v, nil
	case promql.Scalar:
		return promql.Vector{{T: v.T, F: v.V}}, nil
	}
	return nil, errNoVector
}

// at returns the store as it is at the time now.
func (e *Engine) at(now time.Time) past {
	return past{e.store, now.UnixMilli(), e.options.Lookback.Milliseconds()}
}

// apply makes of the result of a rule what its kind makes of it.
func (e *Engine) apply(ctx context.Context, r *rule, ts time.Time, samples []result, err error) []Transition {
	r.evaluations++
	r.lastEval, r.err = ts, err
	var transitions []Transition
	switch {
	case err != nil:
	case r.alerts != nil:
		transitions, r.err = e.alert(ctx, r, ts, samples)
	default:
		r.err = e.record(r, ts, samples)
	}
	return transitions
}

// Forget lets go of what was before t: samples that no rule needs any more are
// the caller's to choose.
func (e *Engine) Forget(t time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.forget(t)
}

func (e *Engine) forget(t time.Time) {
	e.store.Truncate(t.UnixMilli())
	for _, r := range e.rules {
		r.forget()
	}
}

// sortTransitions puts transitions in the order of step by step evaluation.
func sortTransitions(all []Transition) {
	slices.SortStableFunc(all, func(a, b Transition) int {
		return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.position, b.position))
	})
}

var _ parser.Parser = (*expressions)(nil)
