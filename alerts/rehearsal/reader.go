package rehearsal

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/exporter"
	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/simulator"
)

// reader is a Prometheus on simulated time: it scrapes what it is shown and
// evaluates rules over it.
type reader struct {
	plan    Plan
	table   *exporter.Table
	store   *promengine.Store
	scraper *promengine.Scraper
	engine  *promengine.Engine

	evaluated   time.Time // all evaluations up to here are done
	forgotten   time.Time // when samples were last let go of
	transitions []promengine.Transition
}

// newReader returns a reader that begins at a time.
func newReader(p Plan, begin time.Time) (*reader, error) {
	store := new(promengine.Store)
	engine, err := promengine.New(store, promengine.Options{Interval: p.Interval, Stagger: p.Stagger, ExternalLabels: p.ExternalLabels})
	if err != nil {
		return nil, err
	}
	if err := engine.LoadText(p.Rules...); err != nil {
		return nil, err
	}
	return &reader{
		plan: p, table: exporter.NewTable(exporter.Build{}), store: store, scraper: promengine.NewScraper(store, readsNatives(engine)), engine: engine,
		evaluated: begin.Add(-1), forgotten: begin,
	}, nil
}

// readsNatives reports whether any rule may read a native histogram: they are
// most of what a store holds.
func readsNatives(e *promengine.Engine) bool {
	return slices.ContainsFunc(metric.All(), func(d metric.Desc) bool { return d.Type == metric.Histogram && e.MayRead(d.Name) })
}

// rules returns the rules as they are now.
func (r *reader) rules() []Rule {
	far := r.engine.LooksBack()
	all := make([]Rule, len(far))
	for i, status := range r.engine.Rules() {
		all[i] = Rule{status, far[i]}
	}
	return all
}

// scrapeEvery is the distance of scrapes in ticks.
func (r *reader) scrapeEvery() simulator.Tick { return simulator.Tick(r.plan.Scrape / time.Second) }

// look scrapes the simulation where a scrape is due, and evaluates what is due.
func (r *reader) look(ctx context.Context, now simulator.Tick, start time.Time, snapshot func() *simulator.Snapshot) error {
	ts := now.After(start)
	if now%r.scrapeEvery() == 0 {
		if err := r.scrape(snapshot(), ts); err != nil {
			return err
		}
	}
	if !r.plan.Steps && ts.Sub(r.evaluated) < r.plan.Stretch {
		return nil
	}
	return r.evaluate(ctx, ts)
}

// scrape takes the series of a snapshot into the store.
func (r *reader) scrape(s *simulator.Snapshot, ts time.Time) error {
	clock := exporter.Clock{Run: 1, Scenario: r.plan.Scenario.Name, Speed: 1}
	if err := r.table.Update(s, clock, ts); err != nil {
		return err
	}
	frame := r.table.Current()
	defer frame.Release()
	r.scraper.Scrape(ts, frame)
	return nil
}

// evaluate does all evaluations that are due up to a time.
func (r *reader) evaluate(ctx context.Context, to time.Time) error {
	transitions, err := r.transitionsTo(ctx, to)
	r.transitions = append(r.transitions, transitions...)
	if err != nil {
		return fmt.Errorf("evaluate rules up to %s: %w", to.Format(time.RFC3339), err)
	}
	r.evaluated = to
	if to.Sub(r.forgotten) >= r.plan.Stretch {
		r.engine.Forget(to.Add(-r.engine.Retention()))
		r.forgotten = to
	}
	return nil
}

func (r *reader) transitionsTo(ctx context.Context, to time.Time) ([]promengine.Transition, error) {
	if !r.plan.Steps {
		return r.engine.EvalRange(ctx, r.evaluated, to)
	}
	var all []promengine.Transition
	for ts, due := r.engine.Next(r.evaluated); due && !ts.After(to); ts, due = r.engine.Next(ts) {
		transitions, err := r.engine.Eval(ctx, ts)
		all = append(all, transitions...)
		if err != nil {
			return all, err
		}
	}
	return all, nil
}
