package exporter_test

import (
	"fmt"
	"testing"

	"github.com/firedrill/firedrill/exporter"
	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/exporter/series"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

// counters returns the values of the counters of a frame, histograms by their
// totals, and when each target began to count.
func counters(f *series.Frame) (values map[string]float64, since map[string]simulator.Tick) {
	values, since = map[string]float64{}, map[string]simulator.Tick{}
	for target := range f.Targets() {
		since[fmt.Sprint(target.Labels())] = target.Status().Since
		for sample := range target.Samples() {
			name := fmt.Sprint(target.Labels(), sample.Series.Desc.Name, sample.Series.Labels)
			switch sample.Series.Desc.Type {
			case metric.Counter:
				values[name] = sample.Value
			case metric.Histogram:
				values[name] = float64(sample.Histogram.Total())
			}
		}
	}
	return values, since
}

// TestHistoryIsOneSeries: a reader that follows a history and then the run sees
// every series go on: no target leaves, no counter falls, no process starts
// anew.
func TestHistoryIsOneSeries(t *testing.T) {
	e := newEngine(t, map[string]schema.Args{"shop": {"floor": 3}, "api": small()}, "shop", "api")
	h, err := e.History(10 * simulator.Minute)
	if err != nil {
		t.Fatal(err)
	}
	table := exporter.NewTable(exporter.Build{})
	var last map[string]float64
	look := func(s *simulator.Snapshot) {
		if err := table.Update(s, exporter.Clock{Run: 1, Speed: 1}, s.Time()); err != nil {
			t.Fatal(err)
		}
		f := table.Current()
		defer f.Release()
		now, since := counters(f)
		for name, before := range last {
			if after, there := now[name]; !there || after < before {
				t.Fatalf("tick %d: %s is %g after %g, there: %t", s.Tick, name, after, before, there)
			}
		}
		for target, began := range since {
			if began != -600 {
				t.Errorf("tick %d: %s began at %d", s.Tick, target, began)
			}
		}
		last = now
	}
	for h.Now() < 0 {
		look(h.Snapshot())
		for range 15 {
			h.Step()
		}
	}
	look(h.Snapshot())
	look(e.Snapshot())
	run(e, 15)
	look(e.Snapshot())
	simulated := fmt.Sprint(series.Labels{Job: "firedrill", Instance: "firedrill:9464"}, metric.SimulatedSeconds.Name, []series.Label{})
	if got := last[simulated]; got != 615 {
		t.Errorf("%s is %g, want 615, of %d counters", simulated, got, len(last))
	}
}
