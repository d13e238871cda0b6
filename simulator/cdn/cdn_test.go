package cdn

import (
	"time"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

// failer is the part of testing.TB that *rapid.T has too.
type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// at returns the simulated time of day hh:mm on some day.
func at(hour, minute int) time.Time { return time.Date(2026, 1, 5, hour, minute, 0, 0, time.UTC) }

// newService returns a service with that configuration, and a topology of its
// own where there is one.
func newService(t failer, seed uint32, topology *Topology, config schema.Args) *Service {
	t.Helper()
	values, problems := Kind().Config.Parse("configuration key", config)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	setup := simulator.Setup{Name: "video", Seed: seed, Start: at(20, 0)}
	if topology != nil {
		setup.Part = topology
	}
	model, err := Kind().New(setup, values)
	if err != nil {
		t.Fatal(err)
	}
	return model.(*Service)
}

// newEngine returns an engine with one service, called video.
func newEngine(t failer, seed uint32, topology *Topology, config schema.Args) (*simulator.Engine, *Service) {
	t.Helper()
	s := newService(t, seed, topology, config)
	e, err := simulator.New(simulator.Config{Seed: seed, Start: at(20, 0),
		Services: []simulator.Service{{Name: "video", Kind: Kind(), Model: s}}})
	if err != nil {
		t.Fatal(err)
	}
	return e, s
}

// do submits an operator's command for a tick.
func do(t failer, e *simulator.Engine, at simulator.Tick, action string, args schema.Args) {
	t.Helper()
	if _, err := e.Submit(simulator.Command{At: at, Service: "video", Do: action, Args: args, Source: simulator.Operator}); err != nil {
		t.Fatalf("%s %v: %v", action, args, err)
	}
}

// run simulates n seconds.
func run(e *simulator.Engine, n simulator.Tick) {
	for range n {
		e.Step()
	}
}

// kickOff is the configuration of the table in docs/models/cdn.md.
func kickOff(algorithm, gauge string) schema.Args {
	return schema.Args{"demand": 80, "abr": false, "movable_ratio": 1, "learn_weights": false, "algorithm": algorithm, "gauge": gauge}
}
