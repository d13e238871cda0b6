package exporter

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/exporter/series"
	"github.com/firedrill/firedrill/simulator"
)

// Options says what an exporter works on.
type Options struct {
	Source  Source              // state of the simulation, for a scrape; required
	Inspect Source              // the same for those who only look; nil means Source
	Now     func() time.Time    // wall time; required
	Build   Build               // what firedrill_build_info tells
	Process prometheus.Gatherer // metrics of our own process; nil where there are none
	Log     *slog.Logger        // errors that clients are not told; nil where nobody listens
}

// Exporter serves the simulation's metrics over HTTP and in the process.
type Exporter struct {
	source  Source
	inspect Source
	now     func() time.Time
	process prometheus.Gatherer
	taken   map[string]bool // names that it must not use
	log     *slog.Logger
	mux     *http.ServeMux
	buffers sync.Pool // of *bytes.Buffer

	table  *Table
	mu     sync.Mutex // of the writer of the table
	latest shown
}

var _ http.Handler = (*Exporter)(nil)

// shown is what a frame shows, as far as it matters for reading it again.
type shown struct {
	any      bool
	run      int
	tick     simulator.Tick
	scenario string
	speed    float64
	paused   bool
}

// New returns an exporter.
func New(o Options) *Exporter {
	e := &Exporter{source: o.Source, now: o.Now, process: o.Process, log: o.Log, table: NewTable(o.Build), taken: map[string]bool{}}
	for _, d := range metric.All() {
		e.taken[d.Name] = true
	}
	if e.inspect = o.Inspect; e.inspect == nil {
		e.inspect = o.Source
	}
	if e.process == nil {
		e.process = prometheus.Gatherers{}
	}
	if e.log == nil {
		e.log = slog.New(slog.DiscardHandler)
	}
	e.mux = e.routes()
	return e
}

// Frame returns the series as of the source's newest tick. The reader releases
// it. All who ask for one tick share one update; a change of the lag alone is
// none.
func (e *Exporter) Frame(ctx context.Context) (*series.Frame, error) { return e.frame(ctx, e.source) }

func (e *Exporter) frame(ctx context.Context, source Source) (*series.Frame, error) {
	snapshot, clock, err := source(ctx)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	next := shown{true, clock.Run, snapshot.Tick, clock.Scenario, clock.Speed, clock.Paused}
	if next == e.latest || next.before(e.latest) {
		return e.table.Current(), nil
	}
	if err := e.table.Update(snapshot, clock, e.now()); err != nil {
		return nil, err
	}
	e.latest = next
	return e.table.Current(), nil
}

// before reports whether a reader's snapshot is older than what another has
// already shown.
func (s shown) before(latest shown) bool {
	return latest.any && (s.run < latest.run || s.run == latest.run && s.tick < latest.tick)
}
