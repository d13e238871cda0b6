package rollout_test

import (
	"time"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/rollout"
	"github.com/firedrill/firedrill/simulator/schema"
)

// failer is the part of testing.TB that *rapid.T has too.
type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

var start = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

// newEngine returns an engine with one service, called platform, with that
// configuration.
func newEngine(t failer, seed uint32, config schema.Args) *simulator.Engine {
	t.Helper()
	kind := rollout.Kind()
	values, problems := kind.Config.Parse("configuration key", config)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	model, err := kind.New(simulator.Setup{Name: "platform", Seed: seed, Start: start}, values)
	if err != nil {
		t.Fatal(err)
	}
	engine, err := simulator.New(simulator.Config{Seed: seed, Start: start,
		Services: []simulator.Service{{Name: "platform", Kind: kind, Model: model}}})
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

// submit submits a command for now.
func submit(e *simulator.Engine, source simulator.Source, action string, args schema.Args) error {
	_, err := e.Submit(simulator.Command{Service: "platform", Do: action, Args: args, Source: source})
	return err
}

// do submits an operator's command for now.
func do(t failer, e *simulator.Engine, action string, args schema.Args) {
	t.Helper()
	if err := submit(e, simulator.Operator, action, args); err != nil {
		t.Fatal(err)
	}
}

// preset puts the service into a known state.
func preset(t failer, e *simulator.Engine, p rollout.Preset) {
	t.Helper()
	do(t, e, "preset", schema.Args{"name": string(p)})
}

// run simulates n seconds and returns the picture after them.
func run(e *simulator.Engine, n simulator.Tick) *rollout.Snapshot {
	for range n {
		e.Step()
	}
	return state(e)
}

// until simulates until an event of that kind, at most n seconds, and returns
// it.
func until(t failer, e *simulator.Engine, kind string, n simulator.Tick) simulator.Event {
	t.Helper()
	for range n {
		for _, event := range e.Step() {
			if event.Kind == kind {
				return event
			}
		}
	}
	t.Fatalf("no %s within %d seconds", kind, n)
	return simulator.Event{}
}

// deploy runs a whole deploy and returns its report.
func deploy(t failer, e *simulator.Engine) rollout.Report {
	t.Helper()
	do(t, e, "deploy", nil)
	until(t, e, "deploy_finished", 3600)
	return state(e).Last
}

// state returns the picture of the service.
func state(e *simulator.Engine) *rollout.Snapshot {
	return e.Snapshot().Services[0].State.(*rollout.Snapshot)
}
