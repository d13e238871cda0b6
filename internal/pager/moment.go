package pager

import "time"

// Moment is a moment on both clocks. A zero Moment is none.
type Moment struct {
	Simulated time.Time
	Wall      time.Time
}

// IsZero reports whether it is no moment.
func (m Moment) IsZero() bool { return m == Moment{} }

// earliest returns the earlier of two moments on each clock.
func earliest(a, b Moment) Moment {
	if b.Simulated.Before(a.Simulated) {
		a.Simulated = b.Simulated
	}
	if b.Wall.Before(a.Wall) {
		a.Wall = b.Wall
	}
	return a
}

// clock is the one of the two clocks on which the policy's spans pass.
type clock struct{ wall bool }

// of returns a moment on the clock.
func (c clock) of(m Moment) time.Time {
	if c.wall {
		return m.Wall
	}
	return m.Simulated
}

// with returns the moment m moved to t on the clock; on the other clock it
// stays where it is.
func (c clock) with(m Moment, t time.Time) Moment {
	if c.wall {
		m.Wall = t
	} else {
		m.Simulated = t
	}
	return m
}
