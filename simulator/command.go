package simulator

import (
	"time"

	"github.com/firedrill/firedrill/simulator/schema"
)

// Tick counts simulated seconds since the start of a run.
type Tick int64

// Minute is the number of ticks in a simulated minute.
const Minute Tick = 60

// NextMinute returns the first tick at or after t that begins a minute.
func (t Tick) NextMinute() Tick { return (t + Minute - 1) / Minute * Minute }

// After returns the time that is t after start.
func (t Tick) After(start time.Time) time.Time {
	return start.Add(time.Duration(t) * time.Second)
}

// Source says who gave a command.
type Source uint8

// The sources, in the order in which their commands apply within a tick.
const (
	Scenario Source = iota // the scenario's script
	Operator               // a person, or a scenario's scripted operator
)

// String returns scenario or operator.
func (s Source) String() string {
	if s == Scenario {
		return "scenario"
	}
	return "operator"
}

// Command asks a service to do something: a fault that a scenario injects or
// an action that an operator takes.
type Command struct {
	At      Tick        // it applies at this tick at the earliest
	Service string      // name of the service
	Do      string      // name of the action
	Args    schema.Args // its arguments, raw; not changed after Submit
	Source  Source
	Actor   string // who asked, for the records; "" where nobody said
	ID      string // id of the scenario's event; "" where it has none
}

// Due is a command whose time has come, with its arguments parsed.
type Due struct {
	Command
	Values schema.Values
}

// Receipt says what an accepted command will do.
type Receipt struct {
	Accepted Tick // the tick at which the engine stood
	Applies  Tick // the tick at which the command applies
}
