package watch_test

import (
	"testing"

	"github.com/firedrill/firedrill/alerts/watch"
	"github.com/firedrill/firedrill/simulator"
)

// BenchmarkHistory fills a watch with six hours before tick 0, as firedrill up
// does when it starts.
func BenchmarkHistory(b *testing.B) {
	rules := shipped(b)
	b.ReportAllocs()
	for b.Loop() {
		run := start(b, "bad-deploy")
		h, err := run.History(6 * hour)
		if err != nil {
			b.Fatal(err)
		}
		w, err := watch.New(watch.Options{Rules: rules, Origin: run.Start(), Begin: h.Now().After(run.Start()), Natives: true})
		if err != nil {
			b.Fatal(err)
		}
		for h.Now() < 0 {
			if w.Due(h.Now()-1) == h.Now() {
				if _, err := w.Gather(b.Context(), h.Now().After(run.Start()), watch.Simulated(1, "calm", h.Snapshot)); err != nil {
					b.Fatal(err)
				}
			}
			h.Step()
		}
		if _, err := w.Finish(b.Context(), simulator.Tick(-1).After(run.Start())); err != nil {
			b.Fatal(err)
		}
		size := w.Store().Size()
		b.ReportMetric(float64(size.Series), "series")
		b.ReportMetric(float64(size.Bytes), "bytes")
	}
}

// BenchmarkMinute is a simulated minute: the simulation, its scrapes and its
// evaluations, one by one.
func BenchmarkMinute(b *testing.B) {
	run := start(b, "calm")
	w := newWatch(b, run, watch.Options{Rules: shipped(b), Natives: true})
	watchUntil(b, w, run, hour, gather(b))
	b.ReportAllocs()
	for b.Loop() {
		watchUntil(b, w, run, run.Now()+minute, observe(b))
	}
}
