package scenario

import (
	"slices"
	"time"

	"github.com/firedrill/firedrill/simulator"
)

// Run is a scenario that runs: an engine with its services, and beside it the
// truth about the incidents and the score of the goals. Like an Engine it is
// owned by one goroutine.
//
// The drill ends at the scenario's duration or when Stop is called: events and
// scripted steps that have not come yet do not come any more, truth and score
// stay as they are. The services run on, and commands are still accepted.
type Run struct {
	scenario  *Scenario
	engine    *simulator.Engine
	scripted  bool
	events    []Planned
	steps     []Planned
	incidents []incident
	goals     []goal
	duration  simulator.Tick // when the drill ends, or has ended
	ended     bool
	row       []float64         // of one service; reused
	news      []simulator.Event // of the drill in the last step; reused
	all       []simulator.Event // of the last step where there are news; reused
}

// Scenario returns what the run was made of.
func (r *Run) Scenario() *Scenario { return r.scenario }

// Scripted reports whether the scripted operator acts.
func (r *Run) Scripted() bool { return r.scripted }

// Now returns the tick that the next Step simulates.
func (r *Run) Now() simulator.Tick { return r.engine.Now() }

// Start returns the simulated time at tick 0.
func (r *Run) Start() time.Time { return r.engine.Start() }

// Seed returns the seed of the run.
func (r *Run) Seed() uint32 { return r.engine.Seed() }

// Services returns the services in the order in which they step; the caller
// must not change them.
func (r *Run) Services() []simulator.Service { return r.engine.Services() }

// Submit accepts a command and says when it applies, or refuses it with
// schema.Problems and changes nothing. It comes from an operator: a source or
// an id of the scenario that it carries is dropped.
func (r *Run) Submit(cmd simulator.Command) (simulator.Receipt, error) {
	cmd.Source, cmd.ID = simulator.Operator, ""
	return r.engine.Submit(cmd)
}

// Log returns the commands that Submit has accepted, in order, without those
// of the scripted operator. Submitted again, in order, to a new run of the same
// scenario and options they give the same run. The caller must not change it.
func (r *Run) Log() []simulator.Command { return r.engine.Log() }

// Snapshot returns a picture of the services after the last Step.
func (r *Run) Snapshot() *simulator.Snapshot { return r.engine.Snapshot() }

// AppendRow appends the values of the minute that the service with the given
// index evaluated last, in the order of its kind's columns. The minute m is
// evaluated in the step of its first second, tick 60·m.
func (r *Run) AppendRow(dst []float64, service int) []float64 {
	return r.engine.Services()[service].Model.AppendRow(dst)
}

// Ended reports whether the drill is over.
func (r *Run) Ended() bool { return r.ended }

// End returns the tick at which the drill ended or, while it goes on, at which
// it will.
func (r *Run) End() simulator.Tick { return r.duration }

// Stop ends the drill now. It returns what that brings about, nothing where
// the drill is over already.
func (r *Run) Stop() []simulator.Event {
	if r.ended {
		return nil
	}
	r.news = r.end(r.news[:0])
	return slices.Clone(r.news)
}

// end ends the drill: what the script still had in store is dropped.
func (r *Run) end(news []simulator.Event) []simulator.Event {
	r.ended = true
	r.duration = r.engine.Now()
	r.engine.CancelScript()
	return append(news, simulator.Event{At: r.engine.Now(), Kind: "drill_ended",
		Fields: []simulator.Field{{Name: "scenario", Value: r.scenario.Name}}})
}

// History returns a history of the services that ends where the run begins, d
// ticks long. The run itself, its truth and its score do not depend on it; the
// counters of its snapshots go on where the history has ended.
func (r *Run) History(d simulator.Tick) (*simulator.History, error) { return r.engine.History(d) }

// Step simulates one second and returns what happened in it: the engine's
// events, then incident_started and incident_ended (both tell the truth), then
// drill_ended. The slice is valid until the next Step.
func (r *Run) Step() []simulator.Event {
	now := r.engine.Now()
	events := r.engine.Step()
	if r.ended {
		return events
	}
	r.news = r.follow(now, r.news[:0])
	if now%simulator.Minute == 0 {
		r.measure(now)
	}
	if r.engine.Now() >= r.duration {
		r.news = r.end(r.news)
	}
	if len(r.news) == 0 {
		return events
	}
	r.all = append(append(r.all[:0], events...), r.news...)
	return r.all
}
