package driver

import (
	"context"
	"crypto/sha256"
	"hash"
	"testing"
	"testing/synctest"
	"time"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
	"github.com/firedrill/firedrill/simulator/schema"
)

// traced is a scenario's run that hashes everything that determinism promises.
type traced struct {
	*scenario.Run
	sum hash.Hash
}

func newTraced(t testing.TB) *traced {
	t.Helper()
	what, ok := scenario.FindBuiltin("cache-flush")
	if !ok {
		t.Fatal("there is no scenario cache-flush")
	}
	run, err := what.NewRun(scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &traced{Run: run, sum: sha256.New()}
}

func (r *traced) Step() []simulator.Event {
	events := r.Run.Step()
	var text []byte
	for _, event := range events {
		text = append(event.AppendJSON(text, r.Start()), '\n')
	}
	if r.Now()%15 == 0 { // the state sums up what came before
		for _, service := range r.Services() {
			text = append(service.Model.AppendTrace(text), '\n')
		}
	}
	r.sum.Write(text)
	return events
}

// A drill that is paced, paused, read and operated on has the trace that a
// plain loop makes of its log of commands.
func TestTraceOfADrillIsIndependentOfPace(t *testing.T) {
	driven := newTraced(t)
	synctest.Test(t, func(t *testing.T) { drill(t, driven) })
	plain := newTraced(t)
	for _, cmd := range driven.Log() {
		if _, err := plain.Submit(cmd); err != nil {
			t.Fatal(err)
		}
	}
	for plain.Now() < driven.Now() {
		plain.Step()
	}
	if string(plain.sum.Sum(nil)) != string(driven.sum.Sum(nil)) {
		t.Errorf("the traces of %d ticks with %d commands differ", driven.Now(), len(driven.Log()))
	}
}

// drill runs more than an hour of a drill at several speeds, with pauses.
func drill(t *testing.T, run *traced) {
	d, err := New(run, Config{Speed: 3600})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	set := func(name string, value any) {
		cmd := simulator.Command{Service: "shop", Do: "set", Args: schema.Args{name: value}, Actor: "ann"}
		if _, _, err := d.Submit(ctx, cmd); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(612 * time.Millisecond)
	set("recommendations", false)
	must(t)(d.SetSpeed(ctx, 60))
	time.Sleep(11300 * time.Millisecond)
	set("shed", 0.5)
	set("shed", 1)
	must(t)(d.Pause(ctx))
	set("floor", 20)
	time.Sleep(time.Hour)
	if _, err := d.Snapshot(ctx); err != nil {
		t.Fatal(err)
	}
	must(t)(d.Advance(ctx, 137))
	must(t)(d.Resume(ctx))
	must(t)(d.SetSpeed(ctx, 1))
	time.Sleep(90 * time.Second)
	set("ttl", "5m")
	must(t)(d.SetSpeed(ctx, 3600))
	time.Sleep(300 * time.Millisecond)
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
