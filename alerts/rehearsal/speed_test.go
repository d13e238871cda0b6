package rehearsal_test

import (
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/exporter"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// onTheWall runs a scenario at changing speeds under a Prometheus on the wall
// clock whose rules are made for one speed, and returns how FiredrillSpeedMismatch
// changed once it had fired. speeds has how fast time passes from each second of
// the wall clock on.
func onTheWall(t *testing.T, rulesFor float64, seconds int, speeds map[int]simulator.Tick) []string {
	t.Helper()
	options := alerts.DefaultOptions(rulesFor)
	files, err := alerts.Rules(options)
	if err != nil {
		t.Fatal(err)
	}
	store := new(promengine.Store)
	engine, err := promengine.New(store, promengine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := engine.LoadText(promengine.Source{Name: f.Path, Text: f.Data}); err != nil {
			t.Fatal(err)
		}
	}
	run, err := story(t, "bad-deploy").NewRun(scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table, scraper := exporter.NewTable(exporter.Build{}), promengine.NewScraper(store, false)
	wall := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	speed := simulator.Tick(1)
	for second := range seconds {
		if to, changes := speeds[second]; changes {
			speed = to
		}
		if ts := wall.Add(time.Duration(second) * time.Second); time.Duration(second)*time.Second%options.ScrapeInterval == 0 {
			if err := table.Update(run.Snapshot(), exporter.Clock{Run: 1, Speed: float64(speed)}, ts); err != nil {
				t.Fatal(err)
			}
			frame := table.Current()
			scraper.Scrape(ts, frame)
			frame.Release()
		}
		for range speed {
			run.Step()
		}
	}
	transitions, err := engine.EvalRange(t.Context(), wall.Add(-1), wall.Add(time.Duration(seconds)*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, c := range transitions {
		if c.Alert.Name == "FiredrillSpeedMismatch" && (c.Alert.State == promengine.Firing || len(all) > 0) {
			all = append(all, c.Alert.State.String())
		}
	}
	return all
}

// TestSpeedMismatch: the alert about the speed fires where rules and simulation
// disagree, is silent where they agree, and ends when somebody does what its
// runbook says first.
func TestSpeedMismatch(t *testing.T) {
	command := regexp.MustCompile(`firedrill clock speed ([0-9]+)`).FindStringSubmatch(helps(t, "FiredrillSpeedMismatch"))
	if command == nil {
		t.Fatal("the runbook sets no speed")
	}
	n, err := strconv.Atoi(command[1])
	if err != nil {
		t.Fatal(err)
	}
	speed := simulator.Tick(n)
	for _, c := range []struct {
		name   string
		rules  float64
		length int
		speeds map[int]simulator.Tick
		want   []string
	}{
		{"they agree", 60, 60, map[int]simulator.Tick{0: 60}, nil},
		{"rules for simulated time", 1, 600, map[int]simulator.Tick{0: 60}, []string{"firing"}},
		{"too slow", 60, 60, map[int]simulator.Tick{0: 30}, []string{"firing"}},
		{"the first action of the runbook", 60, 90, map[int]simulator.Tick{0: 30, 45: speed}, []string{"firing", "inactive"}},
	} {
		if got := onTheWall(t, c.rules, c.length, c.speeds); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
