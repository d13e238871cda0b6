package scenario

import (
	"time"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/document"
	"github.com/firedrill/firedrill/simulator/schema"
)

// Scenario is a validated scenario as Parse makes it. It is a description
// that any number of runs are made of; nobody changes it.
type Scenario struct {
	File      string // where it was read from, for messages
	Name      string
	Title     string
	Briefing  string // what the operator knows at the start
	Start     time.Time
	Seed      uint32         // where a run is given none
	Duration  simulator.Tick // of the drill, in whole minutes
	Speed     int            // simulated seconds a second that suit it: a hint
	Services  []Service
	Events    []Event // what happens, in file order
	Incidents []Incident
	Goals     []Goal
	Operator  []Event // what a scripted operator does, whatever it sees

	lines document.Lines
}

// Service is one service of a scenario.
type Service struct {
	Name   string
	Kind   *simulator.Kind
	Config []Argument // in file order
	Part   any        // what the kind has read from its own section; nil where there is none
}

// Argument is a named value, perhaps one that the seed chooses.
type Argument struct {
	Name  string
	Value Draw
}

// Event is a command of a scenario or a step of its scripted operator, before
// the seed has chosen anything.
type Event struct {
	ID      string // "" where it has none
	At      Time
	Service string
	Do      string
	Args    []Argument // in file order
}

// Time is a moment of a scenario: an offset from its start or from the moment
// at which an event applies.
type Time struct {
	After  string // id of the event; "" for the start
	Offset Draw
}

// IncidentKind says what an incident is about.
type IncidentKind string

// The kinds of incidents.
const (
	Errors     IncidentKind = "errors"     // answers are wrong
	Latency    IncidentKind = "latency"    // answers are late
	Saturation IncidentKind = "saturation" // something is full
	Traffic    IncidentKind = "traffic"    // more or fewer requests than usual
	Freshness  IncidentKind = "freshness"  // answers are old
	Monitoring IncidentKind = "monitoring" // the signals themselves are missing
)

// Incident is the ground truth about one thing that goes wrong.
type Incident struct {
	ID      string
	Title   string
	Service string
	Kind    IncidentKind
	Starts  Time
	Ends    Ending
	Summary string // what really happened, for the report afterwards
}

// Ending says when an incident is over.
type Ending struct {
	// Recovered: the service has been healthy for RecoveryMinutes in a row. At
	// is not used then.
	Recovered bool
	At        Time
}

// RecoveryMinutes is how long a service must be healthy in a row for an
// incident to be over; the incident ends where that stretch began.
const RecoveryMinutes = 5

// Statistic says which value of a column a goal looks at.
type Statistic string

// The statistics, over the minutes of a goal's window.
const (
	End  Statistic = "end" // the value of the last minute
	Max  Statistic = "max"
	Min  Statistic = "min"
	Mean Statistic = "mean"
)

// Goal is one thing that the operator should reach.
type Goal struct {
	ID      string
	Title   string
	Service string
	Measure string // key of a column of the service's kind
	Of      Statistic
	AtLeast bool    // the value must be at least Limit; else at most
	Limit   float64 // in the unit of the column
	From    Time    // minutes that begin before it do not count
	By      Time    // nor do those that begin at it or later

	column int // index of Measure in a row
}

// Service returns the service with that name.
func (s *Scenario) Service(name string) (Service, bool) {
	i := s.serviceIndex(name)
	if i < 0 {
		return Service{}, false
	}
	return s.Services[i], true
}

func (s *Scenario) serviceIndex(name string) int {
	for i, service := range s.Services {
		if service.Name == name {
			return i
		}
	}
	return -1
}

// locate gives the problems the file and the lines of the fields that they
// name, or of the nearest field around them.
func (s *Scenario) locate(problems schema.Problems) schema.Problems {
	for i := range problems {
		problems[i].File = s.File
		problems[i].Line = s.lines.Of(problems[i].Field)
	}
	return problems
}
