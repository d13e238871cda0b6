package watch

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

// Watch is a Prometheus that watches a simulation. One goroutine lets it look;
// any number may read its store, engine and scraper meanwhile.
type Watch struct {
	options Options
	table   *exporter.Table
	store   *promengine.Store
	scraper *promengine.Scraper
	engine  *promengine.Engine

	looked    time.Time // the scrapes up to here are done
	evaluated time.Time // the evaluations up to here are done
	forgotten time.Time // when samples were last let go of
}

// New returns a watch that has seen nothing yet. The error is what is wrong with
// the options, or all that Prometheus has against the rules, with file, line and
// column.
func New(o Options) (*Watch, error) {
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return nil, err
	}
	store := new(promengine.Store)
	engine, err := promengine.New(store, o.Engine)
	if err != nil {
		return nil, err
	}
	if err := engine.LoadText(o.Rules...); err != nil {
		return nil, err
	}
	before := o.Begin.Add(-1)
	return &Watch{
		options: o, table: exporter.NewTable(exporter.Build{}), store: store, engine: engine,
		scraper: promengine.NewScraper(store, o.Natives || readsNatives(engine)),
		looked:  before, evaluated: before, forgotten: o.Begin,
	}, nil
}

// readsNatives reports whether any rule may read a native histogram.
func readsNatives(e *promengine.Engine) bool {
	return slices.ContainsFunc(metric.All(), func(d metric.Desc) bool { return d.Type == metric.Histogram && e.MayRead(d.Name) })
}

// Store returns what has been scraped and recorded.
func (w *Watch) Store() *promengine.Store { return w.store }

// Engine returns the rules and their alerts.
func (w *Watch) Engine() *promengine.Engine { return w.engine }

// Scraper returns the targets.
func (w *Watch) Scraper() *promengine.Scraper { return w.scraper }

// Next returns the first time after t at which there is something to do.
func (w *Watch) Next(t time.Time) time.Time {
	next := w.scrapeAfter(t)
	if at, due := w.engine.Next(t); due && at.Before(next) {
		next = at
	}
	return next
}

// Due returns the first tick after the given one by which there is something to
// do, where Origin is the time of tick 0.
func (w *Watch) Due(after simulator.Tick) simulator.Tick {
	now := after.After(w.options.Origin)
	return after + simulator.Tick((w.Next(now).Sub(now)+time.Second-1)/time.Second)
}

// scrapeAfter returns the time of the first scrape after t.
func (w *Watch) scrapeAfter(t time.Time) time.Time {
	since := t.Sub(w.options.Origin) % w.options.Scrape
	if since < 0 {
		since += w.options.Scrape
	}
	return t.Add(w.options.Scrape - since)
}

// scrapes reports whether a scrape is due at t.
func (w *Watch) scrapes(t time.Time) bool {
	return t.Sub(w.options.Origin)%w.options.Scrape == 0 && t.After(w.looked)
}

// Observe does what is due up to the time ts, which never goes back: it asks the
// source for the state at ts if a scrape is due then, and makes the evaluations
// one by one. It returns what became of alerts. A time at which a scrape was due
// and Observe was not called has none.
func (w *Watch) Observe(ctx context.Context, ts time.Time, source exporter.Source) ([]promengine.Transition, error) {
	all, err := w.evaluate(ctx, ts.Add(-1))
	if err != nil {
		return all, err
	}
	if err := w.scrape(ctx, ts, source); err != nil {
		return all, err
	}
	more, err := w.evaluate(ctx, ts)
	return append(all, more...), err
}

// Gather does the same, but makes evaluations only when they are a stretch
// behind, all at once; what it returns may be about times long past.
func (w *Watch) Gather(ctx context.Context, ts time.Time, source exporter.Source) ([]promengine.Transition, error) {
	if err := w.scrape(ctx, ts, source); err != nil {
		return nil, err
	}
	if ts.Sub(w.evaluated) < w.options.Stretch {
		return nil, nil
	}
	return w.Finish(ctx, ts)
}

// Finish makes the evaluations that are due up to ts, in range mode.
func (w *Watch) Finish(ctx context.Context, ts time.Time) ([]promengine.Transition, error) {
	all, err := w.engine.EvalRange(ctx, w.evaluated, ts)
	if err != nil {
		return all, fmt.Errorf("evaluate rules up to %s: %w", ts.Format(time.RFC3339), err)
	}
	w.settle(ts, w.options.Stretch)
	return all, nil
}

// evaluate makes the evaluations that are due up to ts one by one.
func (w *Watch) evaluate(ctx context.Context, to time.Time) ([]promengine.Transition, error) {
	var all []promengine.Transition
	for ts, due := w.engine.Next(w.evaluated); due && !ts.After(to); ts, due = w.engine.Next(ts) {
		transitions, err := w.engine.Eval(ctx, ts)
		all = append(all, transitions...)
		if err != nil {
			return all, fmt.Errorf("evaluate rules at %s: %w", ts.Format(time.RFC3339), err)
		}
	}
	w.settle(to, forgetEvery)
	return all, nil
}

// forgetEvery is how often samples are let go of while evaluations are made one
// by one: about as long as a block of samples lasts.
const forgetEvery = 30 * time.Minute

// settle notes that evaluations are done up to ts, and every so often lets go of
// samples that no rule reads any more.
func (w *Watch) settle(ts time.Time, every time.Duration) {
	w.evaluated = ts
	if ts.Sub(w.forgotten) < every {
		return
	}
	w.engine.Trim(ts)
	w.forgotten = ts
}

// scrape takes the series of the source into the store, if a scrape is due.
func (w *Watch) scrape(ctx context.Context, ts time.Time, source exporter.Source) error {
	due := w.scrapes(ts)
	w.looked = ts
	if !due {
		return nil
	}
	snapshot, clock, err := source(ctx)
	if err != nil {
		return err
	}
	if err := w.table.Update(snapshot, clock, ts); err != nil {
		return err
	}
	frame := w.table.Current()
	defer frame.Release()
	w.scraper.Scrape(ts, frame)
	return nil
}
