package rollout_test

import (
	"testing"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

// BenchmarkMonth simulates 30 days at 120 requests/s with a deploy an hour.
func BenchmarkMonth(b *testing.B) {
	const hour = 60 * simulator.Minute
	for b.Loop() {
		e := newEngine(b, 1, nil)
		for at := simulator.Tick(0); at < 30*24*hour; at += hour {
			if _, err := e.Submit(simulator.Command{At: at, Service: "platform", Do: "deploy"}); err != nil {
				b.Fatal(err)
			}
		}
		for range 30 * 24 * hour {
			e.Step()
		}
	}
}

// BenchmarkStep is one second between deploys.
func BenchmarkStep(b *testing.B) {
	e := newEngine(b, 1, nil)
	b.ReportAllocs()
	for b.Loop() {
		e.Step()
	}
}

// BenchmarkSnapshot is a picture in mid-minute.
func BenchmarkSnapshot(b *testing.B) {
	e := newEngine(b, 1, nil)
	run(e, 630)
	b.ReportAllocs()
	for b.Loop() {
		e.Snapshot()
	}
}

// TestStepAllocatesNothing: neither between deploys nor in the middle of a
// drain.
func TestStepAllocatesNothing(t *testing.T) {
	e := newEngine(t, 1, schema.Args{"noise": true})
	run(e, 300)
	if n := testing.AllocsPerRun(1000, func() { e.Step() }); n != 0 {
		t.Errorf("a second between deploys allocates %g times", n)
	}
	do(t, e, "deploy", nil)
	run(e, 30)
	if n := testing.AllocsPerRun(100, func() { e.Step() }); n != 0 {
		t.Errorf("a second of a drain allocates %g times", n)
	}
}
