package rehearsal_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/alerts/rehearsal"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

const (
	minute = simulator.Minute
	hour   = 60 * minute
	day    = 24 * hour
)

// shipped returns the rule files that firedrill ships for simulated time.
func shipped(t testing.TB) []promengine.Source {
	t.Helper()
	files, err := alerts.Rules(alerts.DefaultOptions(1))
	if err != nil {
		t.Fatal(err)
	}
	sources := make([]promengine.Source, len(files))
	for i, f := range files {
		sources[i] = promengine.Source{Name: f.Path, Text: f.Data}
	}
	return sources
}

// story returns a scenario: one of testdata or, where there is none of that
// name, one of the program's.
func story(t testing.TB, name string) *scenario.Scenario {
	t.Helper()
	file := filepath.Join("testdata", name+".yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		s, known := scenario.FindBuiltin(name)
		if !known {
			s, known = scenario.FindSuite(name)
		}
		if !known {
			t.Fatalf("there is no scenario %q", name)
		}
		return s
	}
	s, err := scenario.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// rehearse carries out a plan.
func rehearse(t testing.TB, p rehearsal.Plan) *rehearsal.Result {
	t.Helper()
	r, err := rehearsal.Rehearse(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// lines writes transitions down, one a line.
func lines(r *rehearsal.Result) []string {
	all := make([]string, len(r.Transitions))
	for i, c := range r.Transitions {
		all[i] = fmt.Sprintf("%d %s -> %s %s %v since %d", r.TickOf(c.Time), c.From, c.Alert.State, c.Alert.Labels, c.Alert.Value, r.TickOf(c.Alert.ActiveAt))
	}
	return all
}

// identity tells the alerts of a service apart as people do: by name, and by
// the labels slo and window where they have them.
func identity(a promengine.Alert) string {
	name := a.Name
	for _, label := range []string{"slo", "window"} {
		if v := a.Labels.Get(label); v != "" && !(label == "slo" && strings.HasSuffix(a.Name, "BudgetBurn")) {
			name += " " + v
		}
	}
	return name
}

// firings returns the spans in which an alert fired, of any labels, from tick 0
// on.
func firings(r *rehearsal.Result, id string) []firing {
	var all []firing
	for _, c := range r.Transitions {
		if c.Time.Before(r.Start) || identity(c.Alert) != id {
			continue
		}
		key := c.Alert.Labels.String()
		if c.Alert.State == promengine.Firing {
			all = append(all, firing{labels: key, from: r.TickOf(c.Time), to: never})
		} else if c.From == promengine.Firing {
			i := slices.IndexFunc(all, func(f firing) bool { return f.labels == key && f.to == never })
			if i >= 0 {
				all[i].to = r.TickOf(c.Time)
			}
		}
	}
	return all
}

const never simulator.Tick = -1

// firing is a span in which an alert fired.
type firing struct {
	labels   string
	from, to simulator.Tick // to is never where it goes on
}

func (f firing) String() string {
	return fmt.Sprintf("%v-%v", time.Duration(f.from)*time.Second, time.Duration(f.to)*time.Second)
}
