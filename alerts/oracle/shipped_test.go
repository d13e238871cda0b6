package oracle_test

import (
	"math"
	"path/filepath"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/tsdb/chunkenc"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/exporter"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// TestShipped runs the rules that firedrill generates over its scenarios.
func TestShipped(t *testing.T) {
	files, err := filepath.Glob("../gen/speed-1/rules/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("shipped rules: %d files, %v", len(files), err)
	}
	for _, name := range scenario.BuiltinNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := simulate(t, name, 90*time.Minute, 15*time.Second)
			d.rules = files
			compare(t, d, 1)
		})
	}
}

// simulate returns what scrapes of a scenario give.
func simulate(t *testing.T, name string, length, scrape time.Duration) drill {
	t.Helper()
	described, known := scenario.FindBuiltin(name)
	if !known {
		t.Fatalf("there is no scenario %q", name)
	}
	run, err := described.NewRun(scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	store := new(promengine.Store)
	scraper := promengine.NewScraper(store, true)
	table := exporter.NewTable(exporter.Build{})
	d := drill{start: run.Start(), scrape: scrape}
	every := simulator.Tick(scrape / time.Second)
	for ; run.Now() <= simulator.Tick(length/time.Second); run.Step() {
		if run.Now()%every != 0 {
			continue
		}
		ts := run.Now().After(run.Start())
		if err := table.Update(run.Snapshot(), exporter.Clock{Scenario: name, Speed: 1}, ts); err != nil {
			t.Fatal(err)
		}
		frame := table.Current()
		scraper.Scrape(ts, frame)
		frame.Release()
		d.scrapes = append(d.scrapes, nil)
	}
	d.take(t, store)
	return d
}

// take fills the scrapes with all samples of a store, series by series in its
// order, so that another store gets the same series in the same order.
func (d *drill) take(t *testing.T, store *promengine.Store) {
	t.Helper()
	q, err := store.Querier(math.MinInt64/2, math.MaxInt64/2)
	if err != nil {
		t.Fatal(err)
	}
	set := q.Select(t.Context(), false, nil, labels.MustNewMatcher(labels.MatchRegexp, model.MetricNameLabel, ".+"))
	for set.Next() {
		it := set.At().Iterator(nil)
		for kind := it.Next(); kind != chunkenc.ValNone; kind = it.Next() {
			p := point{labels: set.At().Labels(), t: it.AtT()}
			if kind == chunkenc.ValFloat {
				_, p.v = it.At()
			} else {
				_, p.h = it.AtFloatHistogram(nil)
			}
			i := (p.t - d.start.UnixMilli()) / d.scrape.Milliseconds()
			d.scrapes[i] = append(d.scrapes[i], p)
		}
	}
}
