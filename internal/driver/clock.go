package driver

import (
	"math"
	"time"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

// The range of speeds, in simulated seconds a second.
const (
	MinSpeed     = 1
	MaxSpeed     = 3600
	DefaultSpeed = 60
)

// SpeedSpec describes a speed as people give it: a number, not necessarily
// whole, of simulated seconds that pass in a second.
func SpeedSpec() schema.Spec {
	return schema.Spec{
		Name: "speed", Kind: schema.Number, Unit: "simulated seconds per second",
		Min: MinSpeed, Max: MaxSpeed, Default: schema.OfNumber(DefaultSpeed),
		Help: "how fast simulated time passes",
	}
}

// clock maps the time of the machine to a position in simulated time. It is
// pure: the caller says what time it is.
type clock struct {
	speed   float64
	running bool
	anchor  float64   // position at since, in ticks with their fraction
	since   time.Time // of the last change
}

// position returns where the simulation should stand, in ticks.
func (c *clock) position(now time.Time) float64 {
	if !c.running {
		return c.anchor
	}
	return c.anchor + now.Sub(c.since).Seconds()*c.speed
}

// due returns the tick up to which the simulation should have advanced.
func (c *clock) due(now time.Time) simulator.Tick {
	return simulator.Tick(math.Floor(c.position(now)))
}

// reanchor makes now the origin of what follows. Where the simulation has
// fallen behind, it goes on from the tick that it has reached.
func (c *clock) reanchor(now time.Time, reached simulator.Tick) {
	position := c.position(now)
	if position >= float64(reached+1) {
		position = float64(reached)
	}
	c.anchor, c.since = position, now
}

// wait returns the time until the tick after reached is due, and whether it
// will ever be. The time is not positive where that tick is overdue.
func (c *clock) wait(now time.Time, reached simulator.Tick) (d time.Duration, ever bool) {
	missing := float64(reached+1) - c.position(now)
	if missing <= 0 {
		return 0, true
	}
	return time.Duration(math.Ceil(missing / c.speed * float64(time.Second))), c.running
}

// checkSpeed refuses a speed outside the range.
func checkSpeed(speed float64) error {
	if _, problem := SpeedSpec().Parse(speed); problem != nil {
		return schema.Problems{*problem}
	}
	return nil
}
