package web_test

import (
	"fmt"
	"testing"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

// BenchmarkMonth simulates 30 days of a service, noise and all, by the size of
// its fleet.
func BenchmarkMonth(b *testing.B) {
	for _, pods := range []int{10, 40} {
		b.Run(fmt.Sprintf("pods=%d", pods), func(b *testing.B) {
			for b.Loop() {
				e := newMonth(b, pods)
				for range 30 * 24 * 60 * simulator.Minute {
					e.Step()
				}
			}
		})
	}
}

// BenchmarkStep is one second of a service with 10 pods.
func BenchmarkStep(b *testing.B) {
	e := newMonth(b, 10)
	for range 10 * simulator.Minute {
		e.Step()
	}
	b.ReportAllocs()
	for b.Loop() {
		e.Step()
	}
}

// BenchmarkSnapshot is a picture of a service in mid-minute.
func BenchmarkSnapshot(b *testing.B) {
	e := newMonth(b, 40)
	for range 10*simulator.Minute + 30 {
		e.Step()
	}
	b.ReportAllocs()
	for b.Loop() {
		e.Snapshot()
	}
}

// newMonth returns a service whose fleet stays at about that many pods.
func newMonth(b *testing.B, pods int) *simulator.Engine {
	return newEngine(b, 1, at(0, 0), schema.Args{
		"queueing": "exact", "base_rate": 90 * pods, "floor": pods, "database_capacity": 400 * pods, "objects": 2000 * pods,
		"baseline_error_ratio": 1e-4, "blips_per_day": 1,
	})
}
