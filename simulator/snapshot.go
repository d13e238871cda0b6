package simulator

import "time"

// Snapshot is an immutable picture of all services after the same tick.
type Snapshot struct {
	Tick     Tick      // how many seconds have been simulated; below 0 in a history
	Since    Tick      // the first tick that counters cover: 0, or where a history began
	Start    time.Time // simulated time at tick 0
	Seed     uint32
	Services []ServiceSnapshot // in the order of the configuration
}

// ServiceSnapshot is the state of one service; State has the type that the
// model's kind documents (for example *web.Snapshot) and is not to be changed.
type ServiceSnapshot struct {
	Name     string
	Kind     string
	Settings []Setting // the levers as they stand
	Row      []float64 // the minute that was last evaluated, in the order of the kind's columns
	Taken    []ActionCount
	State    any
}

// Time returns the simulated time of the snapshot.
func (s *Snapshot) Time() time.Time { return s.Tick.After(s.Start) }

// ActionCount says how often operators have taken an action since tick 0.
// Faults are not operators' actions, whoever injects them.
type ActionCount struct {
	Name  string
	Count int64
}
