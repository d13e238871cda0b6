package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/firedrill/firedrill/alerts/watch"
	"github.com/firedrill/firedrill/internal/admin"
	"github.com/firedrill/firedrill/internal/driver"
	"github.com/firedrill/firedrill/internal/pager"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// wallMonitor is the Prometheus in the process where it lives on wall time, as
// one elsewhere does: runs come and go under its eyes, and time goes on while
// that of the simulation stands still.
type wallMonitor struct {
	watch *watch.Watch
	began time.Time
	desk  *desk
}

// newWallMonitor returns a monitor that begins now; the run says how much there
// is to watch.
func newWallMonitor(ctx context.Context, what monitoring, d *desk, run *scenario.Run) (*wallMonitor, error) {
	o, err := what.fit(ctx, watch.Simulated(0, run.Scenario().Name, run.Snapshot))
	if err != nil {
		return nil, err
	}
	began := time.Now().Truncate(time.Second)
	o.Origin = began
	w, err := watch.New(o)
	if err != nil {
		return nil, refusedRules(err)
	}
	d.read(w.Engine())
	return &wallMonitor{watch: w, began: began, desk: d}, nil
}

// run scrapes and evaluates until ctx ends, which is no error.
func (m *wallMonitor) run(ctx context.Context, d *admin.Driver) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for at := m.next(time.Now()); ; at = m.next(at) {
		timer.Reset(time.Until(at))
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		if err := m.look(ctx, d, at); err != nil {
			if ctx.Err() != nil || errors.Is(err, driver.ErrStopped) {
				return nil
			}
			return err
		}
	}
}

// next returns the first time after t at which something is due.
// Where it has fallen behind, scrapes are left out, as in Prometheus.
func (m *wallMonitor) next(t time.Time) time.Time {
	if late := time.Now().Add(-fallenBehind); t.Before(late) {
		t = late
	}
	return m.watch.Next(t)
}

// fallenBehind is how late a scrape may be.
const fallenBehind = 5 * time.Second

// look does what is due at a time, and tells the pager.
func (m *wallMonitor) look(ctx context.Context, d *admin.Driver, at time.Time) error {
	transitions, err := m.watch.Observe(ctx, at, source(d.Inspect))
	if err != nil {
		return fmt.Errorf("the Prometheus in the process: %w", err)
	}
	return d.Change(ctx, func(run *scenario.Run) []simulator.Event {
		return m.desk.hear(pager.Moment{Simulated: run.Now().After(run.Start()), Wall: at}, transitions)
	})
}

// seen is what a request to Prometheus' API is answered from: both clocks are
// the wall's.
func (m *wallMonitor) seen(context.Context) (seen, error) {
	now := time.Now()
	return seen{watch: m.watch, now: now, wall: now, began: m.began}, nil
}
