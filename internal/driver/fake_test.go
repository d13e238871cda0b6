package driver

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

// newYear is the simulated time at tick 0 of the tests' runs.
var newYear = time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)

// adder is a model of one number that commands add to; its trace shows every
// order in which they could apply. Each tenth second it tells an event.
type adder struct {
	sum    int
	digest uint64
}

var _ simulator.Model = (*adder)(nil)

func (a *adder) Check(cmd simulator.Command, _ schema.Values) (simulator.Tick, error) {
	return cmd.At, nil
}

func (a *adder) Step(now simulator.Tick, due []simulator.Due, events []simulator.Event) []simulator.Event {
	for _, d := range due {
		a.sum += d.Values.Get("n").Int()
		a.digest = a.digest*1099511628211 + uint64(a.sum)
	}
	a.digest = a.digest*31 + uint64(now)
	if now%10 == 0 {
		events = append(events, simulator.Event{At: now, Service: "sum", Kind: "told", Fields: []simulator.Field{{Name: "sum", Value: a.sum}}})
	}
	return events
}

func (a *adder) Healthy() bool                     { return true }
func (a *adder) Snapshot() any                     { return a.sum }
func (a *adder) Settings() []simulator.Setting     { return nil }
func (a *adder) AppendRow(dst []float64) []float64 { return append(dst, float64(a.sum)) }
func (a *adder) AppendTrace(dst []byte) []byte     { return fmt.Appendf(dst, "%d %x", a.sum, a.digest) }

func add(service string, n int) simulator.Command {
	return simulator.Command{Service: service, Do: "add", Args: schema.Args{"n": n}, Source: simulator.Operator}
}

// run is an engine with one adder that records its trace and the moments at
// which it stepped.
type run struct {
	*simulator.Engine
	model     *adder
	cost      time.Duration // of a step
	trace     []string
	steps     []time.Time
	snapshots int
}

func newRun(t testing.TB) *run {
	t.Helper()
	model := new(adder)
	kind := &simulator.Kind{Name: "adder", Actions: []schema.Action{{
		Name: "add", Args: schema.Specs{{Name: "n", Kind: schema.Integer, Min: -1000, Max: 1000, Required: true}},
	}}}
	engine, err := simulator.New(simulator.Config{
		Seed: 1, Start: newYear, Services: []simulator.Service{{Name: "sum", Kind: kind, Model: model}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return &run{Engine: engine, model: model}
}

func (r *run) Step() []simulator.Event {
	if r.cost > 0 {
		time.Sleep(r.cost)
	}
	events := r.Engine.Step()
	r.trace = append(r.trace, string(r.model.AppendTrace(nil)))
	r.steps = append(r.steps, time.Now())
	return events
}

func (r *run) Snapshot() *simulator.Snapshot {
	r.snapshots++
	return r.Engine.Snapshot()
}

// bench is a running driver in a bubble.
type bench struct {
	*Driver[*run]
	t      *testing.T
	ctx    context.Context // of the bubble
	run    *run
	cancel context.CancelFunc
	ended  chan error
}

// inBubble runs a test against a running driver, in a bubble of its own time.
// The driver is prepared before it runs.
func inBubble(t *testing.T, config Config, test func(b *bench), prepare ...func(*Driver[*run])) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRun(t)
		d, err := New(r, config)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range prepare {
			f(d)
		}
		ctx, cancel := context.WithCancel(t.Context())
		b := &bench{Driver: d, t: t, ctx: t.Context(), run: r, cancel: cancel, ended: make(chan error, 1)}
		go func() { b.ended <- d.Run(ctx) }()
		test(b)
		cancel()
		if err := <-b.ended; err != nil {
			t.Errorf("Run returned %v after a stop, want nil", err)
		}
	})
}

// pass lets d of the bubble's time pass.
func (b *bench) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (b *bench) status() Status {
	b.t.Helper()
	return must(b.t)(b.Status(b.ctx))
}

// scrape reads a snapshot as a scraper does and returns the status then.
func (b *bench) scrape() (status Status) {
	b.t.Helper()
	if err := b.Scrape(b.ctx, func(v View[*run]) { status = v.Status }); err != nil {
		b.t.Fatal(err)
	}
	return status
}

// setCost changes how long a step takes.
func (b *bench) setCost(cost time.Duration) {
	b.t.Helper()
	if err := b.Inspect(b.ctx, func(v View[*run]) { v.Run.cost = cost }); err != nil {
		b.t.Fatal(err)
	}
}

// wantTick checks which tick has been reached.
func (b *bench) wantTick(want simulator.Tick) {
	b.t.Helper()
	if got := b.status().Tick; got != want {
		b.t.Fatalf("tick %d is reached, want %d", got, want)
	}
}

func must(t testing.TB) func(Status, error) Status {
	t.Helper()
	return func(s Status, err error) Status {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

func wantErr(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error is %v, want %v", err, want)
	}
}
