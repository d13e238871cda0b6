package simulator

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/firedrill/firedrill/simulator/schema"
)

// Config describes a run.
type Config struct {
	Seed     uint32
	Start    time.Time // simulated time at tick 0
	Services []Service // in the order in which they step
	Schedule []Command // the scenario's events in file order
	Script   []Command // what its scripted operator does, in file order
}

// Service is a model under a name.
type Service struct {
	Name  string
	Kind  *Kind
	Model Model
}

// Engine advances the services of a run. It is not safe for concurrent use:
// one goroutine owns it.
type Engine struct {
	config  Config
	now     Tick
	since   Tick      // where the counters of snapshots begin: below 0 after a history
	pending []pending // in the order in which they apply
	seq     int
	log     []Command
	taken   [][]ActionCount // by service: the actions that are operators' to take
	due     []Due           // of the service being stepped; reused
	events  []Event         // of the last step; reused
}

// pending is an accepted command that waits for its tick.
type pending struct {
	applies  Tick
	seq      int
	service  int
	due      Due
	scripted bool // of the configuration, not submitted
}

// New makes an engine at tick 0. A command of the configuration that a service
// refuses is an error; all of them are reported, as problems under events[i]
// and operator[i].
func New(config Config) (*Engine, error) {
	e := &Engine{config: config, taken: make([][]ActionCount, len(config.Services))}
	for i, service := range config.Services {
		e.taken[i] = service.Kind.levers()
	}
	problems := e.script("events", Scenario, config.Schedule)
	problems = append(problems, e.script("operator", Operator, config.Script)...)
	return e, problems.Err()
}

// script accepts the commands of the configuration that come from source.
func (e *Engine) script(field string, source Source, commands []Command) schema.Problems {
	var problems schema.Problems
	for i, cmd := range commands {
		cmd.Source = source
		p, err := e.plan(cmd)
		if err != nil {
			problems = append(problems, AsProblems(err).Under(fmt.Sprintf("%s[%d]", field, i))...)
			continue
		}
		p.scripted = true
		e.enqueue(p)
	}
	return problems
}

// AsProblems returns err as a list of problems: itself where it is one, else
// a single problem with its text.
func AsProblems(err error) schema.Problems {
	if err == nil {
		return nil
	}
	if ps, ok := errors.AsType[schema.Problems](err); ok {
		return ps
	}
	if p, ok := errors.AsType[schema.Problem](err); ok {
		return schema.Problems{p}
	}
	return schema.Problems{{Message: err.Error()}}
}

// Now returns the tick that the next Step simulates: the number of seconds
// simulated so far.
func (e *Engine) Now() Tick { return e.now }

// Start returns the simulated time at tick 0.
func (e *Engine) Start() time.Time { return e.config.Start }

// Seed returns the seed of the run.
func (e *Engine) Seed() uint32 { return e.config.Seed }

// Services returns the services in the order in which they step; the caller
// must not change them.
func (e *Engine) Services() []Service { return e.config.Services }

// Submit accepts a command and says when it applies, or refuses it with
// schema.Problems and changes nothing. A time in the past means now.
func (e *Engine) Submit(cmd Command) (Receipt, error) {
	cmd.At = max(cmd.At, e.now)
	p, err := e.plan(cmd)
	if err != nil {
		return Receipt{}, err
	}
	e.enqueue(p)
	e.log = append(e.log, cmd)
	return Receipt{Accepted: e.now, Applies: p.applies}, nil
}

// Log returns the commands that Submit has accepted, in order. Submitted again
// to an engine of the same configuration they give the same run. The caller
// must not change it.
func (e *Engine) Log() []Command { return slices.Clip(e.log) }

// plan says when a command would apply, or why it is refused.
func (e *Engine) plan(cmd Command) (pending, error) {
	if strings.ContainsFunc(cmd.Actor, unicode.IsControl) {
		return pending{}, schema.Problems{{Field: "actor", Value: fmt.Sprintf("%q", cmd.Actor), Message: "has characters that cannot be shown", Allowed: "text on one line"}}
	}
	at, err := e.service(cmd.Service)
	if err != nil {
		return pending{}, err
	}
	service := e.config.Services[at]
	action, err := service.Kind.action(cmd.Do)
	if err != nil {
		return pending{}, err
	}
	values, problems := action.Parse(cmd.Args)
	if err := problems.Under("args").Err(); err != nil {
		return pending{}, err
	}
	applies, err := service.Model.Check(cmd, values)
	if err != nil {
		return pending{}, AsProblems(err)
	}
	return pending{applies: applies, service: at, due: Due{Command: cmd, Values: values}}, nil
}

func (e *Engine) service(name string) (int, error) {
	names := make([]string, len(e.config.Services))
	for i, s := range e.config.Services {
		if s.Name == name {
			return i, nil
		}
		names[i] = s.Name
	}
	return 0, schema.Problems{schema.Unknown("service", "service", name, names)}
}

func (k *Kind) action(name string) (schema.Action, error) {
	names := make([]string, len(k.Actions))
	for i, a := range k.Actions {
		if a.Name == name {
			return a, nil
		}
		names[i] = a.Name
	}
	return schema.Action{}, schema.Problems{schema.Unknown("do", "action of a "+k.Name+" service", name, names)}
}

// enqueue inserts p by tick, then source, then order of arrival.
func (e *Engine) enqueue(p pending) {
	e.seq++
	p.seq = e.seq
	at, _ := slices.BinarySearchFunc(e.pending, p, func(a, b pending) int {
		return cmp.Or(
			cmp.Compare(a.applies, b.applies),
			cmp.Compare(a.due.Source, b.due.Source),
			cmp.Compare(a.seq, b.seq),
		)
	})
	e.pending = slices.Insert(e.pending, at, p)
}

// CancelScript drops the configuration's commands that have not applied yet,
// the scenario's and its scripted operator's: the drill is over, the services
// run on.
func (e *Engine) CancelScript() {
	e.pending = slices.DeleteFunc(e.pending, func(p pending) bool { return p.scripted })
}

// Step simulates one second and returns what happened in it. The slice is
// valid until the next Step.
func (e *Engine) Step() []Event {
	e.events = e.events[:0]
	ready := 0
	for ready < len(e.pending) && e.pending[ready].applies <= e.now {
		ready++
	}
	for i, service := range e.config.Services {
		e.due = e.due[:0]
		for _, p := range e.pending[:ready] {
			if p.service == i {
				e.due = append(e.due, p.due)
				e.count(i, p.due.Command)
				e.events = append(e.events, applied(e.now, p.due.Command))
			}
		}
		e.events = service.Model.Step(e.now, e.due, e.events)
	}
	if ready > 0 {
		e.pending = slices.Delete(e.pending, 0, ready)
	}
	e.now++
	return e.events
}

// count counts what an operator has taken. Faults that a trainer injects are
// not among what is counted, and what a scenario does is nobody's action.
func (e *Engine) count(service int, cmd Command) {
	if cmd.Source != Operator {
		return
	}
	for i := range e.taken[service] {
		if e.taken[service][i].Name == cmd.Do {
			e.taken[service][i].Count++
		}
	}
}

// levers returns the actions that are operators' to take, none taken yet.
func (k *Kind) levers() []ActionCount {
	var all []ActionCount
	for _, a := range k.Actions {
		if !a.Fault {
			all = append(all, ActionCount{Name: a.Name})
		}
	}
	return all
}

// applied is the event of a command that applies.
func applied(now Tick, cmd Command) Event {
	fields := make([]Field, 0, 4+len(cmd.Args))
	if cmd.ID != "" {
		fields = append(fields, Field{"id", cmd.ID})
	}
	fields = append(fields, Field{"do", cmd.Do})
	for _, name := range cmd.Args.Names() {
		fields = append(fields, Field{"arg_" + name, fmt.Sprint(cmd.Args[name])})
	}
	fields = append(fields, Field{"source", cmd.Source.String()})
	if cmd.Actor != "" {
		fields = append(fields, Field{"actor", cmd.Actor})
	}
	return Event{At: now, Service: cmd.Service, Kind: "command_applied", Truth: cmd.Source == Scenario, Fields: fields}
}

// Snapshot returns a picture of the state after the last Step.
func (e *Engine) Snapshot() *Snapshot {
	s := &Snapshot{Tick: e.now, Since: e.since, Start: e.config.Start, Seed: e.config.Seed,
		Services: make([]ServiceSnapshot, len(e.config.Services))}
	for i, service := range e.config.Services {
		s.Services[i] = ServiceSnapshot{
			Name: service.Name, Kind: service.Kind.Name,
			Settings: service.Model.Settings(), Row: service.Model.AppendRow(nil), Taken: slices.Clone(e.taken[i]), State: service.Model.Snapshot(),
		}
	}
	return s
}
