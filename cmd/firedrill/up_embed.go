package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/firedrill/firedrill/alerts/watch"
	"github.com/firedrill/firedrill/internal/admin"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// embedded is the Prometheus in the process, as the rest of the program has it.
// The zero value is none.
type embedded struct {
	handler http.Handler
	prepare func(context.Context, *scenario.Run) (abandon func(), err error)
	run     func(context.Context) error // what goes on besides the driver; nil where nothing does

	rules, alerts int
	wall          bool
}

// embed starts to watch the first run, which has not begun: on simulated time it
// sees what was before. metrics is the URL of the metrics.
func embed(ctx context.Context, what monitoring, d *admin.Driver, desk *desk, run *scenario.Run, metrics string, log *slog.Logger) (embedded, error) {
	if what.wall {
		m, err := newWallMonitor(ctx, what, desk, run)
		if err != nil {
			return embedded{}, err
		}
		e := embedded{handler: promHandler(what, metrics, m.seen), run: func(ctx context.Context) error { return m.run(ctx, d) }, wall: true}
		e.count(m.watch)
		return e, nil
	}
	m := newMonitor(what, desk, log)
	if _, err := m.prepare(ctx, run); err != nil {
		return embedded{}, err
	}
	d.Attach(m)
	e := embedded{handler: promHandler(what, metrics, func(ctx context.Context) (seen, error) { return m.look(ctx, d) }), prepare: m.prepare}
	e.count(m.watch)
	return e, nil
}

// count counts the rules and those among them that alert.
func (e *embedded) count(w *watch.Watch) {
	for _, r := range w.Engine().Rules() {
		e.rules++
		if r.Alerting {
			e.alerts++
		}
	}
}

// describe words what it is.
func (e *embedded) describe() string {
	what := fmt.Sprintf("in the process, with %d rules, %d of them alerts", e.rules, e.alerts)
	if e.wall {
		return what + ", on the wall clock"
	}
	return what + "; by simulated time, " + nowBase + " by yours"
}
