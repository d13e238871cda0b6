package promengine_test

import (
	"flag"
	"testing"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/exporter"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

var hours = flag.Int("memory.hours", 12, "simulated hours whose samples are measured")

// TestBytesPerSample holds the figure that rules are measured with against a
// limit on memory.
func TestBytesPerSample(t *testing.T) {
	const byTheBook = 4
	for _, natives := range []bool{false, true} {
		size := collect(t, natives)
		perSample := float64(size.Bytes) / float64(size.Samples)
		t.Logf("%d hours, native histograms %t: %d series, %d samples, %.1f MB, %.1f bytes a sample", *hours, natives, size.Series, size.Samples, float64(size.Bytes)/1e6, perSample)
		if !natives && perSample > byTheBook {
			t.Errorf("a sample takes %.2f bytes, more than %d", perSample, byTheBook)
		}
	}
}

// collect returns what the scrapes of a calm day take, without rules.
func collect(t *testing.T, natives bool) promengine.Size {
	t.Helper()
	described, known := scenario.FindBuiltin("calm")
	if !known {
		t.Fatal("there is no scenario calm")
	}
	run, err := described.NewRun(scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	store := new(promengine.Store)
	scraper := promengine.NewScraper(store, natives)
	table := exporter.NewTable(exporter.Build{})
	for ; run.Now() < simulator.Tick(*hours*3600); run.Step() {
		if run.Now()%15 != 0 {
			continue
		}
		ts := run.Now().After(run.Start())
		if err := table.Update(run.Snapshot(), exporter.Clock{Scenario: "calm", Speed: 1}, ts); err != nil {
			t.Fatal(err)
		}
		frame := table.Current()
		scraper.Scrape(ts, frame)
		frame.Release()
	}
	return store.Size()
}
