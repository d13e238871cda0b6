package rehearsal_test

import (
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/alerts/rehearsal"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// shows says in which scenario each shipped alert fires and in which it stays
// silent, both behind six hours of history. Alerts of one name are told apart
// by their objective or their window.
var shows = map[string]struct{ fires, silent string }{
	"AvailabilityBudgetBurn 1h": {"bad-deploy", "calm"},
	"AvailabilityBudgetBurn 6h": {"bad-deploy", "calm"},
	"AvailabilityBudgetBurn 1d": {"bad-deploy", "calm"},
	"AvailabilityBudgetBurn 3d": {"bad-deploy", "calm"},
	"LatencyBudgetBurn 1h":      {"cache-flush", "bad-deploy"},
	"LatencyBudgetBurn 6h":      {"viral-link", "bad-deploy"},
	"LatencyBudgetBurn 1d":      {"viral-link", "bad-deploy"},
	"LatencyBudgetBurn 3d":      {"cache-flush", "bad-deploy"},
	"SLIMissing availability":   {"monitoring-gap", "lost-pods"},
	"SLIMissing latency":        {"monitoring-gap", "lost-pods"},
	"TrafficDropped":            {"traffic-drop", "monitoring-gap"},
	"TargetDown":                {"lost-pods", "bad-deploy"},
	"InstancesDown":             {"lost-pods", "monitoring-gap"},
	"BadBuildSuspected":         {"bad-deploy", "one-bad-pod"},
	"PodFailing":                {"one-bad-pod", "bad-deploy"},
	"WorkersSaturated":          {"viral-link", "slow-database"},
	"FleetAtMaximum":            {"leftovers", "viral-link"},
	"LoadSheddingOn":            {"leftovers", "cache-flush"},
	"DatabaseSaturated":         {"cache-flush", "slow-database"},
	"DatabaseSlow":              {"slow-database", "cache-flush"},
	"CacheCold":                 {"cold-cache", "traffic-drop"},
	"CacheHitRatioLow":          {"cold-cache", "slow-database"},
}

// elsewhere are the shipped alerts that no scenario decides on, with the test
// that shows what they do.
var elsewhere = map[string]string{
	"Watchdog":               "TestWatchdog: it always fires",
	"FiredrillSpeedMismatch": "TestSpeedMismatch: it is about the clock of Prometheus",
}

// played holds the rehearsals of scenarios with the shipped rules and six hours
// of history, each made once.
var played sync.Map

// behind is what the rehearsals of the shipped rules have in common: a scenario
// after six hours of history.
func behind(t *testing.T, name string) rehearsal.Plan {
	t.Helper()
	s := story(t, name)
	return rehearsal.Plan{Scenario: s, Rules: shipped(t), History: 6 * hour, Length: lengthOf(s)}
}

// lengthOf is how long a scenario is looked at: until the tickets of its fault
// can have ended, and of calm some hours are enough.
func lengthOf(s *scenario.Scenario) simulator.Tick {
	switch s.Name {
	case "bad-deploy", "cache-flush":
		return 7 * hour
	case "slow-burn":
		return 50 * hour
	}
	return min(s.Duration, 4*hour)
}

// play returns the rehearsal of a scenario.
func play(t *testing.T, name string) *rehearsal.Result {
	t.Helper()
	made, _ := played.LoadOrStore(name, sync.OnceValue(func() *rehearsal.Result { return rehearse(t, behind(t, name)) }))
	return made.(func() *rehearsal.Result)()
}

// shippedAlerts returns the identities of the alerts in the shipped rule files.
func shippedAlerts(t *testing.T) []string {
	t.Helper()
	found := map[string]bool{}
	for _, source := range shipped(t) {
		var file struct {
			Groups []struct {
				Rules []struct {
					Alert  string
					Labels map[string]string
				}
			}
		}
		if err := yaml.Unmarshal(source.Text, &file); err != nil {
			t.Fatal(err)
		}
		for _, g := range file.Groups {
			for _, r := range g.Rules {
				if r.Alert != "" {
					found[identity(promengine.Alert{Name: r.Alert, Labels: labels.FromMap(r.Labels)})] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// TestEveryAlertShows: every shipped alert, whatever its window, fires in one
// scenario and stays silent in another.
func TestEveryAlertShows(t *testing.T) {
	want := slices.Sorted(maps.Keys(shows))
	want = append(want, slices.Collect(maps.Keys(elsewhere))...)
	slices.Sort(want)
	if got := shippedAlerts(t); !slices.Equal(got, want) {
		t.Errorf("the shipped alerts are %q, known are %q", got, want)
	}
	for id, in := range shows {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			if got := firings(play(t, in.fires), id); len(got) == 0 {
				t.Errorf("it does not fire in %s", in.fires)
			}
			if got := firings(play(t, in.silent), id); len(got) != 0 {
				t.Errorf("it fires in %s: %v", in.silent, got)
			}
		})
	}
}

// TestWatchdog: it fires from the first evaluation on, whatever happens.
func TestWatchdog(t *testing.T) {
	for _, name := range []string{"calm", "lost-pods", "monitoring-gap"} {
		r := play(t, name)
		var all []promengine.Transition
		for _, c := range r.Transitions {
			if c.Alert.Name == "Watchdog" {
				all = append(all, c)
			}
		}
		if len(all) != 1 || all[0].Alert.State != promengine.Firing || r.TickOf(all[0].Time) != -6*hour {
			t.Errorf("%s: %v", name, all)
		}
	}
}

// TestNobodyComes: where there are no requests no share of them is bad, and no
// alert fires but the watchdog.
func TestNobodyComes(t *testing.T) {
	r := rehearse(t, rehearsal.Plan{Scenario: story(t, "nobody"), Rules: shipped(t), History: hour})
	for _, c := range r.Transitions {
		if c.Alert.State == promengine.Firing && c.Alert.Name != "Watchdog" {
			t.Errorf("at %d: %s", r.TickOf(c.Time), c.Alert.Labels)
		}
	}
}

// TestGapInAFault: two minutes without a scrape, in the middle of a fault,
// neither end the pages nor begin them anew.
func TestGapInAFault(t *testing.T) {
	for _, id := range []string{"AvailabilityBudgetBurn 1h", "AvailabilityBudgetBurn 6h"} {
		got := firings(play(t, "gap-in-fault"), id)
		if len(got) != 1 || got[0].from >= 70*minute || got[0].to != never {
			t.Errorf("%s: %v, want one firing from before the gap on", id, got)
		}
	}
	for _, id := range []string{"SLIMissing availability", "SLIMissing latency", "TrafficDropped", "TargetDown"} {
		if got := firings(play(t, "gap-in-fault"), id); len(got) != 0 {
			t.Errorf("%s: %v", id, got)
		}
	}
}
