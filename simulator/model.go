package simulator

import (
	"slices"
	"time"

	"github.com/firedrill/firedrill/simulator/schema"
)

// Model is one simulated service. The engine calls it from one goroutine.
type Model interface {
	// Check says at which tick, not before cmd.At, a command with these
	// arguments would apply, or why the service refuses it. It changes nothing.
	Check(cmd Command, args schema.Values) (Tick, error)
	// Step applies the commands that are due, in order, simulates the second
	// that begins at now, and appends what happened to events.
	Step(now Tick, due []Due, events []Event) []Event
	// Healthy reports whether the users get what the objective promises, as of
	// the minute that was last evaluated. It is ground truth, not measured.
	Healthy() bool
	// Snapshot returns an immutable picture of the state after the last Step;
	// its type is the model's own.
	Snapshot() any
	// Settings returns what an operator can set, as it is now.
	Settings() []Setting
	// AppendRow appends the values of the minute that was last evaluated, in
	// the order of the kind's columns.
	AppendRow(dst []float64) []float64
	// AppendTrace appends the state after the last Step as one line of text
	// without its end: everything that determinism promises.
	AppendTrace(dst []byte) []byte
}

// Kind is a kind of model: how people configure it and what it understands.
type Kind struct {
	Name    string          // as scenarios name it, for example web
	Config  schema.Specs    // keys of its configuration
	Actions []schema.Action // what can be done to a service of this kind
	Columns []Column        // what a row of it holds
	Lists   []List          // what a row holds besides; a model of a kind that has some is a Lister
	// New makes a service; config are the parsed values of Config.
	New func(s Setup, config schema.Values) (Model, error)
}

// List describes a list that a row has besides its columns: things whose number
// differs from service to service, for example the links of a network.
type List struct {
	Key     string   // name in JSON
	Columns []Column // of an item, besides its id
}

// Item is one thing of a list.
type Item struct {
	ID     string    // unique in the list; needs no escapes
	Values []float64 // in the order of the list's columns
}

// Lister is a Model that has lists.
type Lister interface {
	Model
	// Items returns the items of the kind's list with that index, as of the
	// minute that was last evaluated, always in the same order.
	Items(list int) []Item
}

// Truth reports whether the column of that key is hidden from people under
// drill.
func (k *Kind) Truth(key string) bool {
	return slices.ContainsFunc(k.Columns, func(c Column) bool { return c.Key == key && c.Truth })
}

// Setting is a lever of an operator and where it stands.
type Setting struct {
	Name  string
	Value schema.Value
}

// Setup is what every model is given at its start.
type Setup struct {
	Name  string    // of the service
	Seed  uint32    // the run's seed; streams are derived with the service's name
	Start time.Time // simulated time at tick 0
	// Part is what the kind has read from the section of a scenario's service
	// that is its own; nil where it has none or the service gives none.
	Part any
}

// BudgetColumn is the key of the column in which a model reports how much of the
// error budget is left: 1 is all of it, below 0 more is spent than there was.
const BudgetColumn = "budget_remaining_ratio"

// Column describes one value of the rows that a model reports each minute.
type Column struct {
	Key   string // name in JSON and CSV, with its unit
	Whole bool   // always a whole number
	Truth bool   // no instrument in production shows it: hidden from people under drill
	// Head is the heading in the table for people, "" where the table leaves
	// the column out. Scale multiplies the value there (100 for a percentage)
	// and Digits are shown after the point.
	Head   string
	Scale  float64
	Digits int
}
