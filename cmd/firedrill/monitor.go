package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/firedrill/firedrill/alerts/watch"
	"github.com/firedrill/firedrill/internal/admin"
	"github.com/firedrill/firedrill/internal/driver"
	"github.com/firedrill/firedrill/internal/pager"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// view is a run at one tick.
type view = driver.View[*scenario.Run]

// monitor is the Prometheus in the process where it lives on simulated time: it
// watches one run after another, and its alerts go to the pager.
type monitor struct {
	monitoring
	desk *desk
	log  *slog.Logger

	mu       sync.Mutex
	prepared map[*scenario.Run]*watch.Watch // for runs that have not begun

	// Owned by the goroutine of the driver.
	watch *watch.Watch // of the present run
	said  string       // the last error
}

var _ driver.Observer[*scenario.Run] = (*monitor)(nil)

func newMonitor(what monitoring, d *desk, log *slog.Logger) *monitor {
	return &monitor{monitoring: what, desk: d, log: log, prepared: map[*scenario.Run]*watch.Watch{}}
}

// prepare lets a run that is to begin have a watch that has seen what was before.
func (m *monitor) prepare(ctx context.Context, run *scenario.Run) (abandon func(), err error) {
	w, err := m.fill(ctx, run)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.prepared[run] = w
	return func() { m.take(run) }, nil
}

// take returns what has been prepared for a run, once.
func (m *monitor) take(run *scenario.Run) *watch.Watch {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := m.prepared[run]
	delete(m.prepared, run)
	return w
}

// fill simulates what was before a run, and watches it.
func (m *monitor) fill(ctx context.Context, run *scenario.Run) (*watch.Watch, error) {
	o, err := m.fit(ctx, watch.Simulated(0, run.Scenario().Name, run.Snapshot))
	if err != nil {
		return nil, err
	}
	o.Origin, o.Begin = run.Start(), (-m.history).After(run.Start())
	w, err := watch.New(o)
	if err != nil {
		return nil, refusedRules(err)
	}
	if m.history == 0 {
		return w, nil
	}
	h, err := run.History(m.history)
	if err != nil {
		return nil, err
	}
	source := watch.Simulated(0, run.Scenario().Name, h.Snapshot)
	for due := w.Due(-m.history - 1); due < 0; due = w.Due(due) {
		for h.Now() < due {
			h.Step()
		}
		if _, err := w.Gather(ctx, due.After(run.Start()), source); err != nil {
			return nil, fmt.Errorf("simulate what was before: %w", err)
		}
	}
	for h.Now() < 0 {
		h.Step()
	}
	// Nobody is woken by what was before.
	_, err = w.Finish(ctx, simulator.Tick(-1).After(run.Start()))
	return w, err
}

// errNotWatched is about a run that nothing has been made ready for.
var errNotWatched = errors.New("nothing has been made ready to watch this run")

// Begin watches another run.
func (m *monitor) Begin(v view) {
	m.watch = m.take(v.Run)
	m.desk.begin(v.Status)
	if m.watch == nil {
		m.fail(fmt.Errorf("run %d: %w", v.Status.Run, errNotWatched))
		return
	}
	m.desk.read(m.watch.Engine())
}

// Next returns the next tick at which a scrape or an evaluation is due, or the
// pager.
func (m *monitor) Next(after simulator.Tick) simulator.Tick {
	if m.watch == nil {
		return farAway
	}
	return min(m.watch.Due(after), m.desk.due(after))
}

// Observe scrapes, evaluates and pages.
func (m *monitor) Observe(v view) []simulator.Event {
	now := v.Status.Time()
	transitions, err := m.watch.Observe(context.Background(), now, watch.Simulated(v.Status.Run, v.Run.Scenario().Name, v.Snapshot))
	if err != nil {
		m.fail(err)
	}
	return m.desk.hear(pager.Moment{Simulated: now, Wall: time.Now()}, transitions)
}

// fail tells of an error, of one that goes on once.
func (m *monitor) fail(err error) {
	if text := err.Error(); text != m.said {
		m.said = text
		m.log.Error("the Prometheus in the process cannot go on", "error", err)
	}
}

// look returns what a request to Prometheus' API is answered from.
func (m *monitor) look(ctx context.Context, d *admin.Driver) (seen, error) {
	var s seen
	err := d.Inspect(ctx, func(v view) {
		s = seen{watch: m.watch, now: v.Status.Time(), wall: time.Now(), began: (-m.history).After(v.Status.Start)}
	})
	if err == nil && s.watch == nil {
		err = errNotWatched
	}
	return s, err
}
