package driver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/firedrill/firedrill/simulator"
)

// Run is what a driver drives; *scenario.Run is one.
type Run interface {
	// Now returns the number of seconds simulated so far.
	Now() simulator.Tick
	// Start returns the simulated time at tick 0.
	Start() time.Time
	// Step simulates a second and returns what happened in it; the slice is
	// valid until the next Step.
	Step() []simulator.Event
	// Submit accepts a command and says when it applies, or refuses it and
	// changes nothing.
	Submit(simulator.Command) (simulator.Receipt, error)
	// Snapshot returns an immutable picture of the state after the last Step.
	Snapshot() *simulator.Snapshot
}

// StartMode says what makes simulated time begin to pass.
type StartMode string

// The modes of starting.
const (
	StartNow           StartMode = "now"             // at once
	StartOnFirstScrape StartMode = "on-first-scrape" // when a scraper comes
	StartManual        StartMode = "manual"          // when somebody resumes
)

// Config says how a driver begins.
type Config struct {
	Speed float64   // simulated seconds a second; 0 means DefaultSpeed
	Start StartMode // "" means StartNow
}

// Status says how time passes.
type Status struct {
	Run     int            // number of the run since the driver's start, from 1; each Load adds 1
	Tick    simulator.Tick // seconds simulated so far
	Start   time.Time      // simulated time at tick 0
	Speed   float64        // simulated seconds a second while not paused
	Paused  bool           // simulated time stands still
	Waiting bool           // it is paused until the first scrape
	Lag     simulator.Tick // simulated seconds that were due and did not fit into a batch
}

// Time returns the simulated time.
func (s Status) Time() time.Time { return s.Tick.After(s.Start) }

// Errors that callers tell apart.
var (
	ErrStopped = errors.New("the simulation has stopped")
	ErrRunning = errors.New("simulated time is passing; pause it first")
	ErrChanged = errors.New("somebody changed the clock or the run meanwhile")
)

const (
	batch       = 15 * time.Millisecond // of work before those who wait are served
	minWait     = 10 * time.Millisecond // between two wake-ups for the clock
	maxRequests = 256                   // served in a row before the next batch
)

// Driver paces one run at a time. Its methods are safe for concurrent use; all
// but Subscribe wait until the loop of Run has a moment for them.
type Driver[R Run] struct {
	requests chan func()
	stopped  chan struct{}
	feed     feed

	// Owned by the goroutine of Run.
	run      R
	number   int
	clock    clock
	waiting  bool
	due      simulator.Tick      // that should have been reached at the last look at the clock
	snapshot *simulator.Snapshot // of the present tick, nil until somebody asks
	observer Observer[R]         // nil where there is none
	look     simulator.Tick      // at which the observer looks next
}

// New makes a driver of run. It does nothing until Run is called.
func New[R Run](run R, config Config) (*Driver[R], error) {
	if config.Speed == 0 {
		config.Speed = DefaultSpeed
	}
	if err := checkSpeed(config.Speed); err != nil {
		return nil, err
	}
	d := &Driver[R]{
		requests: make(chan func()),
		stopped:  make(chan struct{}),
		run:      run,
		number:   1,
		look:     never,
		clock:    clock{speed: config.Speed, anchor: float64(run.Now())},
	}
	switch config.Start {
	case StartNow, "":
		d.clock.running = true
	case StartOnFirstScrape:
		d.waiting = true
	case StartManual:
	default:
		return nil, fmt.Errorf("start %q is none of %s, %s, %s", config.Start, StartNow, StartOnFirstScrape, StartManual)
	}
	return d, nil
}

// Run lets time pass until ctx ends, which is no error. It is called once;
// afterwards every other method returns ErrStopped and subscriptions end.
func (d *Driver[R]) Run(ctx context.Context) error {
	defer d.feed.end()
	defer close(d.stopped)
	d.clock.since = time.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	var request func()
	for {
		behind := d.catchUp()
		if request != nil {
			request()
		}
		d.serve()
		wake := d.sleep(timer, behind)
		request = nil
		select {
		case <-ctx.Done():
			return nil
		case request = <-d.requests:
		case <-wake:
		}
	}
}

// catchUp simulates the seconds that are due, for the length of a batch, and
// reports whether it left some.
func (d *Driver[R]) catchUp() bool {
	begin := time.Now()
	d.due = d.clock.due(begin)
	for d.run.Now() < d.due {
		d.step()
		if time.Since(begin) >= batch {
			break
		}
	}
	return d.run.Now() < d.due
}

// step simulates a second and lets the observer look at what has come of it.
func (d *Driver[R]) step() {
	events := d.run.Step()
	d.snapshot = nil
	d.feed.publish(d.number, d.run.Start(), events)
	d.observe()
}

// serve executes the requests that wait, all at the same tick.
func (d *Driver[R]) serve() {
	for range maxRequests {
		select {
		case request := <-d.requests:
			request()
		default:
			return
		}
	}
}

// sleep sets the timer for the next second that is due and returns its
// channel; nil where simulated time stands still.
func (d *Driver[R]) sleep(timer *time.Timer, behind bool) <-chan time.Time {
	if behind {
		timer.Reset(0)
		return timer.C
	}
	wait, ever := d.clock.wait(time.Now(), d.run.Now())
	if !ever {
		return nil
	}
	timer.Reset(max(minWait, wait))
	return timer.C
}
