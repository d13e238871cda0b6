package scenario

import (
	"fmt"
	"slices"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/document"
	"github.com/firedrill/firedrill/simulator/schema"
)

// Actor is who commands of the scripted operator come from.
const Actor = "script"

// Options say how a run differs from what the scenario's file says.
type Options struct {
	Seed     *uint32    // in place of the scenario's
	Set      []Override // in place of the configuration's values, the last one wins
	Scripted bool       // the scripted operator acts
}

// Override replaces one value of a service's configuration.
type Override struct {
	Service string
	Key     string
	Value   string // as on a command line, for example 20 or 5m
}

// NewRun makes a run at tick 0. The error is schema.Problems: overrides that
// cannot be (their Field is service.key and they have no File), and what the
// drawn values of this seed say together that a service refuses.
func (s *Scenario) NewRun(o Options) (*Run, error) {
	seed := s.Seed
	if o.Seed != nil {
		seed = *o.Seed
	}
	run, problems := s.build(o, seed, seeded(seed))
	if len(problems) > 0 {
		return nil, problems
	}
	return run, nil
}

// build makes a run with numbers from u.
func (s *Scenario) build(o Options, seed uint32, u uniform) (*Run, schema.Problems) {
	if problems := s.check(o.Set); len(problems) > 0 {
		return nil, problems
	}
	b := builder{scenario: s, uniform: u, applies: map[string]simulator.Tick{}}
	services := b.services(o.Set, seed)
	if len(b.overrides) > 0 {
		return nil, b.overrides
	}
	if len(b.problems) > 0 {
		return nil, s.locate(b.problems)
	}
	run := &Run{scenario: s, scripted: o.Scripted, duration: s.Duration}
	run.events = b.plan("events", s.Events, services, simulator.Scenario)
	if o.Scripted {
		run.steps = b.plan("operator", s.Operator, services, simulator.Operator)
	}
	run.incidents = b.incidents()
	run.goals = b.goals()
	if len(b.problems) > 0 {
		return nil, s.locate(b.problems)
	}
	engine, err := simulator.New(simulator.Config{Seed: seed, Start: s.Start, Services: services,
		Schedule: commands(run.events), Script: commands(run.steps)})
	if err != nil {
		return nil, s.locate(simulator.AsProblems(err))
	}
	run.engine = engine
	return run, nil
}

// commands returns the commands that are planned.
func commands(planned []Planned) []simulator.Command {
	var all []simulator.Command
	for _, p := range planned {
		all = append(all, p.Command)
	}
	return all
}

// check reports overrides of what is not there, or to what cannot be.
func (s *Scenario) check(set []Override) schema.Problems {
	var problems schema.Problems
	var names []string
	for _, service := range s.Services {
		names = append(names, service.Name)
	}
	for _, o := range set {
		service, ok := s.Service(o.Service)
		if !ok {
			problems = append(problems, schema.Unknown("", "service", o.Service, names))
			continue
		}
		spec, ok := service.Kind.Config.Find(o.Key)
		if !ok {
			problems = append(problems, schema.Unknown(o.Service, "configuration key of a "+service.Kind.Name+" service", o.Key, service.Kind.Config.Names()))
			continue
		}
		if _, problem := spec.Parse(o.Value); problem != nil {
			problems = append(problems, schema.Problems{*problem}.Under(o.Service)...)
		}
	}
	return problems
}

// builder turns a scenario into what a run consists of.
type builder struct {
	scenario *Scenario
	uniform  uniform
	applies  map[string]simulator.Tick // of the events planned so far, by id
	problems schema.Problems

	overrides schema.Problems // those that the overrides bring about
}

func (b *builder) report(path string, problems ...schema.Problem) {
	b.problems = append(b.problems, schema.Problems(problems).Under(path)...)
}

// services makes the models.
func (b *builder) services(set []Override, seed uint32) []simulator.Service {
	services := make([]simulator.Service, len(b.scenario.Services))
	for i, service := range b.scenario.Services {
		args := b.args("services/"+service.Name+"/config", service.Config)
		for _, o := range set {
			if o.Service == service.Name {
				args[o.Key] = o.Value
			}
		}
		values, problems := service.Kind.Config.Parse("configuration key", args)
		var model simulator.Model
		if len(problems) == 0 {
			var err error
			model, err = service.Kind.New(simulator.Setup{Name: service.Name, Seed: seed, Start: b.scenario.Start, Part: service.Part}, values)
			problems = simulator.AsProblems(err)
		}
		b.refused(i, problems, set)
		services[i] = simulator.Service{Name: service.Name, Kind: service.Kind, Model: model}
	}
	return services
}

// refused reports why a service cannot be made: where there are overrides they
// are the cause, for without them the scenario was sound.
func (b *builder) refused(i int, problems schema.Problems, set []Override) {
	name := b.scenario.Services[i].Name
	if slices.ContainsFunc(set, func(o Override) bool { return o.Service == name }) {
		b.overrides = append(b.overrides, problems.Under(name)...)
		return
	}
	b.report(document.Index("services", i)+".config", problems...)
}

// args draws the values of arguments, each from a stream under the prefix.
func (b *builder) args(prefix string, arguments []Argument) schema.Args {
	args := schema.Args{}
	for _, a := range arguments {
		args[a.Name] = b.draw(prefix+"/"+a.Name, a.Value).Raw()
	}
	return args
}

func (b *builder) draw(name string, d Draw) schema.Value {
	if d.Fixed() {
		return d.Low
	}
	return d.value(b.uniform(name))
}

// Planned is an event of a run, or a step of its scripted operator, with the
// values that the seed has chosen.
type Planned struct {
	simulator.Command
	Applies simulator.Tick // when the service applies it
}

// plan draws the values of the events of a list and works out when they apply.
func (b *builder) plan(list string, events []Event, services []simulator.Service, source simulator.Source) []Planned {
	planned := make([]Planned, len(events))
	done := make([]bool, len(events))
	for range events { // an event may stand before the one that it comes after
		for i, e := range events {
			if _, ready := b.applies[e.At.After]; done[i] || (e.At.After != "" && !ready) {
				continue
			}
			done[i] = true
			planned[i] = b.event(list, i, services, source)
			if e.ID != "" {
				b.applies[e.ID] = planned[i].Applies
			}
		}
	}
	return planned
}

// event draws one event and asks its service when it applies.
func (b *builder) event(list string, i int, services []simulator.Service, source simulator.Source) Planned {
	events := b.scenario.Events
	if source == simulator.Operator {
		events = b.scenario.Operator
	}
	e := events[i]
	name := fmt.Sprintf("%s/%d", list, i)
	if e.ID != "" {
		name = list + "/" + e.ID
	}
	cmd := simulator.Command{At: b.moment(name+"/at", e.At), Service: e.Service, Do: e.Do, Args: b.args(name+"/args", e.Args), Source: source, ID: e.ID}
	if source == simulator.Operator {
		cmd.Actor = Actor
	}
	planned := Planned{Command: cmd, Applies: cmd.At}
	path := document.Index(list, i)
	at := b.scenario.serviceIndex(e.Service)
	action, _ := findAction(services[at].Kind, e.Do)
	values, problems := action.Parse(cmd.Args)
	if len(problems) > 0 {
		b.report(path+".args", problems...)
		return planned
	}
	applies, err := services[at].Model.Check(cmd, values)
	if err != nil {
		b.report(path, simulator.AsProblems(err)...)
		return planned
	}
	planned.Applies = applies
	if applies >= b.scenario.Duration {
		b.report(path+".at", schema.Problem{Value: span(applies), Message: "is when it would apply, after the end of the drill", Allowed: "before " + span(b.scenario.Duration)})
	}
	return planned
}

func span(t simulator.Tick) string { return schema.FormatSeconds(float64(t)) }

// moment returns the tick of a time whose event has been planned.
func (b *builder) moment(name string, t Time) simulator.Tick {
	return b.applies[t.After] + simulator.Tick(b.draw(name, t.Offset).Int())
}

// incidents works out when incidents start, and when those end that do not
// wait for a recovery.
func (b *builder) incidents() []incident {
	incidents := make([]incident, len(b.scenario.Incidents))
	for i, in := range b.scenario.Incidents {
		path, name := document.Index("incidents", i), "incidents/"+in.ID
		start, ends := b.moment(name+"/starts", in.Starts), b.ending(name+"/ends", in.Ends)
		if start >= b.scenario.Duration {
			b.report(path+".starts", schema.Problem{Value: span(start), Message: "is after the end of the drill", Allowed: "before " + span(b.scenario.Duration)})
		}
		if ends != Never && ends <= start {
			b.report(path+".ends", schema.Problem{Value: span(ends), Message: "is not after its start", Allowed: "after " + span(start)})
		}
		incidents[i] = incident{
			IncidentTruth: IncidentTruth{Incident: in, Start: start, Harm: Never, End: Never},
			service:       b.scenario.serviceIndex(in.Service), ends: ends, healthySince: Never,
		}
	}
	return incidents
}

// ending returns when an incident ends by plan: Never where it waits for a
// recovery, or for a scripted operator who does not act.
func (b *builder) ending(name string, e Ending) simulator.Tick {
	_, planned := b.applies[e.At.After]
	if e.Recovered || (e.At.After != "" && !planned) {
		return Never
	}
	return b.moment(name, e.At)
}

// goals works out the windows of the goals.
func (b *builder) goals() []goal {
	goals := make([]goal, len(b.scenario.Goals))
	for i, g := range b.scenario.Goals {
		name := "goals/" + g.ID
		from, by := b.moment(name+"/from", g.From), b.moment(name+"/by", g.By)
		if from.NextMinute() >= min(by, b.scenario.Duration) {
			b.report(document.Index("goals", i), schema.Problem{Value: span(from) + " to " + span(by), Message: "is a window without a minute of the drill"})
		}
		goals[i] = goal{Goal: g, service: b.scenario.serviceIndex(g.Service), from: from, by: min(by, b.scenario.Duration)}
	}
	return goals
}
