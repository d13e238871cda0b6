package driver

import (
	"context"
	"time"

	"github.com/firedrill/firedrill/simulator"
)

// do executes f on the goroutine of Run, at the tick that is due by then. It
// returns an error, and f is not executed, where ctx ends or the driver stops
// before f's turn.
func (d *Driver[R]) do(ctx context.Context, f func()) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	done := make(chan struct{})
	select {
	case d.requests <- func() { defer close(done); f() }:
		<-done
		return nil
	case <-d.stopped:
		return ErrStopped
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// try is do with a function that may refuse.
func (d *Driver[R]) try(ctx context.Context, f func() error) error {
	var refusal error
	if err := d.do(ctx, func() { refusal = f() }); err != nil {
		return err
	}
	return refusal
}

// View is a run at one tick, as the goroutine that owns it sees it. It is
// valid during the function that it is given to; what it returns as a snapshot
// stays.
type View[R Run] struct {
	Run    R
	Status Status
	driver *Driver[R]
}

// Snapshot returns the picture of the tick, made when it is first asked for.
func (v View[R]) Snapshot() *simulator.Snapshot {
	if v.driver.snapshot == nil {
		v.driver.snapshot = v.driver.run.Snapshot()
	}
	return v.driver.snapshot
}

func (d *Driver[R]) view() View[R] { return View[R]{Run: d.run, Status: d.status(), driver: d} }

// Inspect shows f the run at the tick that is due now, on the goroutine that
// owns it. f must be quick and changes nothing.
func (d *Driver[R]) Inspect(ctx context.Context, f func(View[R])) error {
	return d.do(ctx, func() { f(d.view()) })
}

// Scrape is Inspect for a scraper of metrics: it starts a clock that waits for
// its first scrape.
func (d *Driver[R]) Scrape(ctx context.Context, f func(View[R])) error {
	return d.do(ctx, func() {
		if d.waiting {
			d.resume()
		}
		f(d.view())
	})
}

// Change executes f with the run, on the goroutine that owns it, at the tick
// that is due. f returns what it has brought about, for the subscribers.
func (d *Driver[R]) Change(ctx context.Context, f func(run R) []simulator.Event) error {
	return d.do(ctx, func() {
		events := f(d.run)
		d.snapshot = nil
		d.feed.publish(d.number, d.run.Start(), events)
	})
}

// Submit gives a command to the run. Commands apply in the order in which
// Submit was called.
func (d *Driver[R]) Submit(ctx context.Context, cmd simulator.Command) (simulator.Receipt, Status, error) {
	var receipt simulator.Receipt
	var status Status
	err := d.try(ctx, func() (err error) {
		receipt, err = d.run.Submit(cmd)
		status = d.status()
		return err
	})
	return receipt, status, err
}

// Snapshot returns a picture of the tick that is due now.
func (d *Driver[R]) Snapshot(ctx context.Context) (snapshot *simulator.Snapshot, err error) {
	err = d.do(ctx, func() { snapshot = d.view().Snapshot() })
	return snapshot, err
}

// Status says how time passes.
func (d *Driver[R]) Status(ctx context.Context) (status Status, err error) {
	err = d.do(ctx, func() { status = d.status() })
	return status, err
}

func (d *Driver[R]) status() Status {
	return Status{
		Run: d.number, Tick: d.run.Now(), Start: d.run.Start(),
		Speed: d.clock.speed, Paused: !d.clock.running, Waiting: d.waiting,
		Lag: max(0, d.due-d.run.Now()),
	}
}

// Pause makes simulated time stand still; a clock that waits for its first
// scrape waits for Resume then.
func (d *Driver[R]) Pause(ctx context.Context) (Status, error) {
	return d.change(ctx, func() error {
		d.clock.running, d.waiting = false, false
		return nil
	})
}

// Resume lets simulated time pass again, or for the first time.
func (d *Driver[R]) Resume(ctx context.Context) (Status, error) {
	return d.change(ctx, func() error {
		d.resume()
		return nil
	})
}

func (d *Driver[R]) resume() {
	d.clock.reanchor(time.Now(), d.run.Now())
	d.clock.running, d.waiting = true, false
}

// SetSpeed changes how fast simulated time passes, or will pass.
func (d *Driver[R]) SetSpeed(ctx context.Context, speed float64) (Status, error) {
	if err := checkSpeed(speed); err != nil {
		return Status{}, err
	}
	return d.change(ctx, func() error {
		d.clock.speed = speed
		return nil
	})
}

// change re-anchors the clock and then changes it.
func (d *Driver[R]) change(ctx context.Context, f func() error) (status Status, err error) {
	err = d.try(ctx, func() error {
		now := time.Now()
		d.clock.reanchor(now, d.run.Now())
		err := f()
		d.due = d.clock.due(now)
		status = d.status()
		return err
	})
	return status, err
}

// Advance simulates ticks seconds as fast as it can while time is paused, and
// returns when they are done. It returns ErrRunning where time is passing, and
// ErrChanged where somebody changes the clock or the run before the end; the
// seconds simulated by then stay.
func (d *Driver[R]) Advance(ctx context.Context, ticks simulator.Tick) (Status, error) {
	var goal simulator.Tick
	status, err := d.change(ctx, func() error {
		if d.clock.running {
			return ErrRunning
		}
		d.clock.anchor += float64(max(0, ticks))
		d.waiting = false
		goal = d.clock.due(d.clock.since)
		return nil
	})
	for run := status.Run; err == nil && status.Tick < goal; {
		if status.Run != run || !status.Paused || status.Lag == 0 {
			return status, ErrChanged
		}
		status, err = d.Status(ctx)
	}
	return status, err
}

// Load replaces the run. Time passes in it at the given speed (0: as before)
// unless it begins paused. Before anybody else sees or changes the new run,
// begun looks at it; it returns what the subscribers shall be told.
func (d *Driver[R]) Load(ctx context.Context, run R, speed float64, paused bool, begun func(View[R]) []simulator.Event) error {
	if speed != 0 {
		if err := checkSpeed(speed); err != nil {
			return err
		}
	}
	return d.do(ctx, func() {
		d.run, d.snapshot, d.waiting = run, nil, false
		d.number++
		if speed != 0 {
			d.clock.speed = speed
		}
		d.clock.anchor, d.clock.since, d.clock.running = float64(run.Now()), time.Now(), !paused
		d.due = run.Now()
		d.feed.publish(d.number, run.Start(), begun(d.view()))
		d.introduce()
	})
}
