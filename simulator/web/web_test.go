package web_test

import (
	"time"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
	"github.com/firedrill/firedrill/simulator/web"
)

// failer is the part of testing.TB that *rapid.T has too.
type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// at returns the simulated time of day hh:mm on some day.
func at(hour, minute int) time.Time { return time.Date(2026, 1, 5, hour, minute, 0, 0, time.UTC) }

// newEngine returns an engine with one service, called shop, with that
// configuration.
func newEngine(t failer, seed uint32, start time.Time, config schema.Args) *simulator.Engine {
	t.Helper()
	kind := web.Kind()
	values, problems := kind.Config.Parse("configuration key", config)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	model, err := kind.New(simulator.Setup{Name: "shop", Seed: seed, Start: start}, values)
	if err != nil {
		t.Fatal(err)
	}
	engine, err := simulator.New(simulator.Config{Seed: seed, Start: start,
		Services: []simulator.Service{{Name: "shop", Kind: kind, Model: model}}})
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

// do submits an operator's command for now.
func do(t failer, e *simulator.Engine, action string, args schema.Args) simulator.Receipt {
	t.Helper()
	receipt, err := e.Submit(simulator.Command{Service: "shop", Do: action, Args: args, Source: simulator.Operator})
	if err != nil {
		t.Fatal(err)
	}
	return receipt
}

// run simulates n seconds and returns the picture after them.
func run(e *simulator.Engine, n simulator.Tick) *web.Snapshot {
	for range n {
		e.Step()
	}
	return state(e)
}

// state returns the picture of the service.
func state(e *simulator.Engine) *web.Snapshot {
	return e.Snapshot().Services[0].State.(*web.Snapshot)
}

// cell returns a value of the last row by its key.
func cell(t failer, e *simulator.Engine, key string) float64 {
	t.Helper()
	service := e.Services()[0]
	row := service.Model.AppendRow(nil)
	for i, c := range service.Kind.Columns {
		if c.Key == key {
			return row[i]
		}
	}
	t.Fatalf("no column is called %q", key)
	return 0
}
