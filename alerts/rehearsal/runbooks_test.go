package rehearsal_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/firedrill/firedrill/alerts/rehearsal"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

// reaction is how long a person takes from an alert to the first action of its
// runbook.
const reaction = 5 * minute

// answer says how the runbook of an alert is tried: in a scenario, with an
// operator who reads it and does the first thing that it says.
type answer struct {
	scenario string
	slow     bool // tickets, which take hours to end, are among its firings
	itself   bool // no lever ends it, which the page says: the alert ends with its cause, or with time
}

// answers has one for every runbook.
var answers = map[string]answer{
	"AvailabilityBudgetBurn": {scenario: "bad-deploy", slow: true},
	"BadBuildSuspected":      {scenario: "bad-deploy"},
	"CacheCold":              {scenario: "cold-cache"},
	"CacheHitRatioLow":       {scenario: "cold-cache"},
	"DatabaseSaturated":      {scenario: "cache-flush"},
	"DatabaseSlow":           {scenario: "slow-database"},
	"FleetAtMaximum":         {scenario: "leftovers"},
	"InstancesDown":          {scenario: "lost-pods", itself: true},
	"LatencyBudgetBurn":      {scenario: "cache-flush", slow: true},
	"LoadSheddingOn":         {scenario: "leftovers"},
	"PodFailing":             {scenario: "one-bad-pod"},
	"SLIMissing":             {scenario: "monitoring-gap", itself: true},
	"TargetDown":             {scenario: "lost-pods", itself: true},
	"TrafficDropped":         {scenario: "traffic-drop", itself: true},
	"WorkersSaturated":       {scenario: "viral-link"},
}

// otherRunbooks are those whose alerts no scenario decides on.
var otherRunbooks = map[string]string{
	"ErrorBudgetBurn":        "objectives of other people: what helps depends on the service",
	"FiredrillSpeedMismatch": "TestSpeedMismatch",
	"Watchdog":               "it never ends",
}

// firstAction returns the first action that a runbook says to do to the shop,
// as a command; false where it names none.
func firstAction(t *testing.T, name string) (simulator.Command, bool) {
	t.Helper()
	words := regexp.MustCompile("firedrill do shop ([a-z_]+)((?: [a-z_]+=[^ `\n]+)*)").FindStringSubmatch(helps(t, name))
	if words == nil {
		return simulator.Command{}, false
	}
	cmd := simulator.Command{Service: "shop", Do: words[1], Args: schema.Args{}}
	for _, word := range strings.Fields(words[2]) {
		key, value, _ := strings.Cut(word, "=")
		cmd.Args[key] = value
	}
	return cmd, true
}

// helps returns what a runbook has under "What helps".
func helps(t *testing.T, name string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "runbooks", name+".md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "\n## What helps\n")
	text, _, ended := strings.Cut(rest, "\n## ")
	if !found || !ended {
		t.Fatalf("%s has no section that says what helps", name)
	}
	return text
}

// TestRunbooksResolve: the first action of each runbook, done five minutes after
// the alert has fired, ends every firing of it, earlier than it ends without.
func TestRunbooksResolve(t *testing.T) {
	pages, err := filepath.Glob("../../docs/runbooks/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		name := strings.TrimSuffix(filepath.Base(page), ".md")
		if _, known := otherRunbooks[name]; known {
			continue
		}
		a, known := answers[name]
		if !known {
			t.Errorf("no test does what %s says", page)
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a.try(t, name)
		})
	}
	if len(pages) != len(answers)+len(otherRunbooks) {
		t.Errorf("%d pages, %d answers and %d others", len(pages), len(answers), len(otherRunbooks))
	}
}

// saysItself finds the words of a page whose alert no lever ends.
var saysItself = regexp.MustCompile(`by\sitself|[Nn]one\sof\syour\slevers\sends`)

// try rehearses the scenario without an operator and with one who does what the
// runbook says.
func (a answer) try(t *testing.T, name string) {
	plan, alone := behind(t, a.scenario), firingsOf(play(t, a.scenario), name)
	if len(alone) == 0 {
		t.Fatalf("it does not fire in %s", a.scenario)
	}
	if a.itself && !saysItself.MatchString(helps(t, name)) {
		t.Error("the page does not say that no lever ends it")
	}
	action, found := firstAction(t, name)
	if found {
		action.At = first(alone) + reaction
		plan.Commands = []simulator.Command{action}
		if !a.slow {
			plan.Length = min(plan.Length, action.At+hour)
		}
	} else if !a.itself {
		t.Fatal("the page names no action")
	}
	helped := firingsOf(rehearse(t, plan), name)
	t.Logf("%s %v at %v: %v, without %v", action.Do, action.Args, time.Duration(action.At)*time.Second, helped, alone)
	for _, f := range helped {
		if f.to == never {
			t.Errorf("with %s %v at %d it fires from %d on and does not end", action.Do, action.Args, action.At, f.from)
		}
	}
	if !a.itself && !sooner(last(helped), last(alone)) {
		t.Errorf("with %s %v at %d it ends at %d, without at %d", action.Do, action.Args, action.At, last(helped), last(alone))
	}
	if a.itself && sooner(last(alone), last(helped)) {
		t.Errorf("with %s %v at %d it ends at %d, later than by itself at %d", action.Do, action.Args, action.At, last(helped), last(alone))
	}
}

// firingsOf returns the firings of an alert, whatever its window or objective.
func firingsOf(r *rehearsal.Result, name string) []firing {
	var ids []string
	for _, c := range r.Transitions {
		if id := identity(c.Alert); c.Alert.Name == name && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	var all []firing
	for _, id := range ids {
		all = append(all, firings(r, id)...)
	}
	return all
}

// first returns when the first of some firings began.
func first(all []firing) simulator.Tick {
	return slices.MinFunc(all, func(a, b firing) int { return int(a.from - b.from) }).from
}

// last returns when the last of some firings ended, never where one goes on.
func last(all []firing) simulator.Tick {
	latest := simulator.Tick(0)
	for _, f := range all {
		if f.to == never {
			return never
		}
		latest = max(latest, f.to)
	}
	return latest
}

// sooner reports whether a is before b, where never is after all.
func sooner(a, b simulator.Tick) bool { return a != never && (b == never || a < b) }
