package rehearsal_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prometheus/prometheus/model/labels"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/alerts/rehearsal"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// made is a result by hand: two services, a rule that pages and looks back an
// hour, and one that warns and looks back five minutes. The shop spends a
// hundredth of its budget each minute.
func made(incidents ...scenario.IncidentTruth) *rehearsal.Result {
	r := &rehearsal.Result{
		Start: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC), Since: -hour, Reached: 4 * hour,
		Rules: []rehearsal.Rule{
			{RuleStatus: promengine.RuleStatus{File: "a.yml", Group: "g", Index: 0, Name: "ratio"}},
			{RuleStatus: promengine.RuleStatus{File: "a.yml", Group: "g", Index: 1, Name: "Burn", Alerting: true, Labels: labels.FromStrings("severity", "page")}, LooksBack: time.Hour},
			{RuleStatus: promengine.RuleStatus{File: "a.yml", Group: "g", Index: 2, Name: "Busy", Alerting: true, Labels: labels.FromStrings("severity", "warning")}, LooksBack: 5 * time.Minute},
		},
		Truth: scenario.Truth{Incidents: incidents},
		Rows:  []rehearsal.Rows{{Service: "shop", Columns: []simulator.Column{{Key: "minute"}, {Key: simulator.BudgetColumn}}}},
	}
	for m := range 240 {
		r.Rows[0].Minutes = append(r.Rows[0].Minutes, []float64{float64(m), 1 - float64(m+1)/100})
	}
	return r
}

func incident(service string, start, end simulator.Tick) scenario.IncidentTruth {
	return scenario.IncidentTruth{Incident: scenario.Incident{ID: "it", Service: service}, Start: start, Harm: start, End: end}
}

// fire adds a firing of a rule to a result: pending, from and to.
func fire(r *rehearsal.Result, rule int, service string, pending, from, to simulator.Tick, more ...string) {
	status := r.Rules[rule].RuleStatus
	l := labels.NewBuilder(status.Labels).Set("alertname", status.Name)
	if service != "" {
		l.Set("service", service)
	}
	for i := 0; i < len(more); i += 2 {
		l.Set(more[i], more[i+1])
	}
	a := promengine.Alert{File: status.File, Group: status.Group, Name: status.Name, Index: status.Index, Labels: l.Labels(), ActiveAt: pending.After(r.Start)}
	add := func(at simulator.Tick, before, after promengine.State) {
		a.State = after
		r.Transitions = append(r.Transitions, promengine.Transition{Time: at.After(r.Start), From: before, Alert: a})
	}
	if pending < from {
		add(pending, promengine.Inactive, promengine.Pending)
		add(from, promengine.Pending, promengine.Firing)
	} else {
		add(from, promengine.Inactive, promengine.Firing)
	}
	if to != rehearsal.Never {
		add(to, promengine.Firing, promengine.Inactive)
	}
}

// severity returns the matchers of what pages.
func severity(t *testing.T, value string) []*labels.Matcher {
	t.Helper()
	m, err := rehearsal.ParsePage(`severity=~"` + value + `"`)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func missed() rehearsal.Sight {
	return rehearsal.Sight{Outcome: rehearsal.Missed, Pending: rehearsal.Never, Firing: rehearsal.Never, Budget: math.NaN(), Reset: rehearsal.Never}
}

// TestJudge sorts firings around an incident of the shop from 60 to 120 minutes
// unless it says otherwise, and shows how all that page, and the rule that warns,
// saw it.
func TestJudge(t *testing.T) {
	shop := incident("shop", 60*minute, 120*minute)
	open := incident("shop", 60*minute, rehearsal.Never)
	for name, c := range map[string]struct {
		incidents []scenario.IncidentTruth
		happens   func(*rehearsal.Result)
		page      rehearsal.Sight
		warning   rehearsal.Sight
		falsely   int
		exposure  simulator.Tick
	}{
		"nothing": {[]scenario.IncidentTruth{shop}, func(*rehearsal.Result) {}, missed(), missed(), 0, 180 * minute},
		"detected and over": {[]scenario.IncidentTruth{shop}, func(r *rehearsal.Result) {
			fire(r, 1, "shop", 70*minute, 72*minute, 130*minute)
		}, rehearsal.Sight{Outcome: rehearsal.Detected, Pending: 10 * minute, Firing: 12 * minute, Budget: 0.13, Reset: 10 * minute}, missed(), 0, 180 * minute},
		"in its first second": {[]scenario.IncidentTruth{shop}, func(r *rehearsal.Result) {
			fire(r, 1, "shop", 60*minute, 60*minute, 60*minute+30)
		}, rehearsal.Sight{Outcome: rehearsal.Detected, Budget: 0.01}, missed(), 0, 180 * minute},
		"pending before it": {[]scenario.IncidentTruth{shop}, func(r *rehearsal.Result) {
			fire(r, 2, "shop", 58*minute, 61*minute, 90*minute)
		}, missed(), rehearsal.Sight{Outcome: rehearsal.Detected, Firing: minute, Budget: 0.02}, 0, 180 * minute},
		"firing before it": {[]scenario.IncidentTruth{shop}, func(r *rehearsal.Result) {
			fire(r, 1, "shop", 50*minute, 59*minute, 130*minute)
		}, missed(), missed(), 1, 180 * minute},
		"raised in the history": {[]scenario.IncidentTruth{shop}, func(r *rehearsal.Result) {
			fire(r, 1, "shop", -minute, -minute, 30*minute)
			if v := r.Judge(nil); v.Rules[0].Silent || !v.Rules[1].Silent || v.Rules[0].Firings != 0 {
				t.Errorf("silent: %+v", v.Rules)
			}
		}, missed(), missed(), 0, 180 * minute},
		"late, within the hour that the rule looks back": {[]scenario.IncidentTruth{shop}, func(r *rehearsal.Result) {
			fire(r, 1, "shop", 150*minute, 150*minute, 160*minute)
		}, rehearsal.Sight{Outcome: rehearsal.Late, Pending: 90 * minute, Firing: 90 * minute, Budget: 0.91, Reset: 40 * minute}, missed(), 0, 180 * minute},
		"too late for a rule of five minutes": {[]scenario.IncidentTruth{shop}, func(r *rehearsal.Result) {
			fire(r, 2, "shop", 130*minute, 130*minute, 160*minute)
		}, missed(), missed(), 0, 180 * minute},
		"false after the hour": {[]scenario.IncidentTruth{shop}, func(r *rehearsal.Result) {
			fire(r, 1, "shop", 181*minute, 181*minute, rehearsal.Never)
		}, missed(), missed(), 1, 180 * minute},
		"of another service": {[]scenario.IncidentTruth{shop}, func(r *rehearsal.Result) {
			fire(r, 1, "api", 70*minute, 70*minute, 80*minute)
		}, missed(), missed(), 1, 180 * minute},
		"of no service": {[]scenario.IncidentTruth{shop}, func(r *rehearsal.Result) {
			fire(r, 1, "", 70*minute, 70*minute, 80*minute)
		}, rehearsal.Sight{Outcome: rehearsal.Detected, Pending: 10 * minute, Firing: 10 * minute, Budget: 0.11}, missed(), 0, 180 * minute},
		"flapping": {[]scenario.IncidentTruth{shop}, func(r *rehearsal.Result) {
			fire(r, 1, "shop", 70*minute, 70*minute, 80*minute)
			fire(r, 1, "shop", 90*minute, 90*minute, 100*minute)
			fire(r, 1, "shop", 91*minute, 91*minute, 100*minute, "pod", "one")
			fire(r, 1, "shop", 121*minute, 121*minute, 125*minute)
		}, rehearsal.Sight{Outcome: rehearsal.Detected, Pending: 10 * minute, Firing: 10 * minute, Budget: 0.11, Reset: 5 * minute, Flaps: 2}, missed(), 0, 180 * minute},
		"it does not end": {[]scenario.IncidentTruth{open}, func(r *rehearsal.Result) {
			fire(r, 1, "shop", 70*minute, 70*minute, 80*minute)
		}, rehearsal.Sight{Outcome: rehearsal.Detected, Pending: 10 * minute, Firing: 10 * minute, Budget: 0.11, Reset: rehearsal.Never}, missed(), 0, 60 * minute},
		"the alert does not end": {[]scenario.IncidentTruth{shop}, func(r *rehearsal.Result) {
			fire(r, 1, "shop", 70*minute, 70*minute, rehearsal.Never)
		}, rehearsal.Sight{Outcome: rehearsal.Detected, Pending: 10 * minute, Firing: 10 * minute, Budget: 0.11, Reset: rehearsal.Never}, missed(), 0, 180 * minute},
		"a service without a budget": {[]scenario.IncidentTruth{incident("api", 60*minute, 120*minute)}, func(r *rehearsal.Result) {
			fire(r, 1, "api", 70*minute, 70*minute, 120*minute)
		}, rehearsal.Sight{Outcome: rehearsal.Detected, Pending: 10 * minute, Firing: 10 * minute, Budget: math.NaN()}, missed(), 0, 180 * minute},
		"overlapping incidents": {[]scenario.IncidentTruth{shop, incident("api", 90*minute, 150*minute)}, func(r *rehearsal.Result) {
			fire(r, 1, "shop", 119*minute, 119*minute, 121*minute)
		}, rehearsal.Sight{Outcome: rehearsal.Detected, Pending: 59 * minute, Firing: 59 * minute, Budget: 0.6, Reset: minute}, missed(), 0, 150 * minute},
	} {
		t.Run(name, func(t *testing.T) {
			r := made(c.incidents...)
			c.happens(r)
			v := r.Judge(severity(t, "page|critical"))
			same := cmp.Options{cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, 1e-9)}
			if diff := cmp.Diff(c.page, v.Incidents[0].Sight, same); diff != "" {
				t.Errorf("pages:\n%s", diff)
			}
			if diff := cmp.Diff(c.warning, v.Rules[1].Sights[0], same); diff != "" {
				t.Errorf("warning:\n%s", diff)
			}
			if v.False != c.falsely || v.Rules[0].False != c.falsely || v.Exposure != c.exposure {
				t.Errorf("%d false pages, %d of them of the rule, in %d seconds; want %d in %d", v.False, v.Rules[0].False, v.Exposure, c.falsely, c.exposure)
			}
		})
	}
}

// TestFirstToPage: rules that page in the same evaluation are first together;
// one that only warns is not, however early.
func TestFirstToPage(t *testing.T) {
	r := made(incident("shop", 60*minute, 120*minute))
	fire(r, 2, "shop", 61*minute, 61*minute, 90*minute)
	fire(r, 1, "shop", 70*minute, 70*minute, 90*minute)
	if v := r.Judge(severity(t, "page")); !cmp.Equal(v.Incidents[0].First, []int{1}) || v.Pages != 1 || !v.Rules[0].Pages || v.Rules[1].Pages {
		t.Errorf("%+v", v)
	}
	r.Transitions = nil
	fire(r, 1, "shop", 70*minute, 70*minute, 90*minute)
	fire(r, 2, "shop", 70*minute, 70*minute, 90*minute)
	if v := r.Judge(severity(t, ".*")); !cmp.Equal(v.Incidents[0].First, []int{1, 2}) || v.Pages != 2 {
		t.Errorf("%+v", v)
	}
}

// TestIncidentsToCome are no misses: a rehearsal that was cut short has not
// reached them.
func TestIncidentsToCome(t *testing.T) {
	r := made(incident("shop", 5*hour, rehearsal.Never))
	if v := r.Judge(severity(t, "page")); v.Incidents[0].Outcome != rehearsal.Ahead || v.Rules[0].Sights[0].Outcome != rehearsal.Ahead || v.Exposure != 4*hour {
		t.Errorf("%+v", v)
	}
}

// TestParsePage: matchers as in a selector, with or without braces.
func TestParsePage(t *testing.T) {
	for _, text := range []string{`severity="page"`, `{severity="page"}`, ` severity = "page" , team!="x"`} {
		if m, err := rehearsal.ParsePage(text); err != nil || len(m) == 0 || m[0].Name != "severity" {
			t.Errorf("%q: %v, %v", text, m, err)
		}
	}
	for _, text := range []string{"", "severity", `severity=~"("`, `up{severity="page"}`, `severity="page"} or {a="b"`} {
		if m, err := rehearsal.ParsePage(text); err == nil {
			t.Errorf("%q: %v", text, m)
		}
	}
}
