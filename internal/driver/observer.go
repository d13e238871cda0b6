package driver

import (
	"math"

	"github.com/firedrill/firedrill/simulator"
)

// Observer looks at runs at ticks of its own choice, whatever the pace: the
// driver stops at each of them, so that what the observer makes of a run does not
// depend on speed, pauses or who else reads. All methods are called on the
// goroutine that owns the run, before anybody else sees the tick.
type Observer[R Run] interface {
	// Begin says that a run begins, the first one or another.
	Begin(View[R])
	// Next returns the first tick after the given one at which it looks.
	Next(after simulator.Tick) simulator.Tick
	// Observe lets it look, and returns what the subscribers shall be told.
	Observe(View[R]) []simulator.Event
}

// Attach lets an observer look at the present run, from the tick on that it has
// reached, and at all runs after it. It is called before Run, once.
func (d *Driver[R]) Attach(o Observer[R]) {
	d.observer = o
	d.introduce()
}

// introduce shows the run to the observer for the first time.
func (d *Driver[R]) introduce() {
	if d.observer == nil {
		return
	}
	d.observer.Begin(d.view())
	d.look = d.observer.Next(d.run.Now() - 1)
	d.observe()
}

// observe lets the observer look where it wants to.
func (d *Driver[R]) observe() {
	if d.run.Now() < d.look {
		return
	}
	d.feed.publish(d.number, d.run.Start(), d.observer.Observe(d.view()))
	d.look = d.observer.Next(d.run.Now())
}

// never is later than every tick.
const never = simulator.Tick(math.MaxInt64)
