package promengine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"pgregory.net/rapid"

	"github.com/firedrill/firedrill/alerts/promengine"
)

// run evaluates step by step over samples that are there already and returns
// the transitions, one a line.
func run(t *testing.T, engine *promengine.Engine, seconds int) string {
	t.Helper()
	var all []promengine.Transition
	for i := 0; i <= seconds; i++ {
		transitions, err := engine.Eval(t.Context(), start.Add(time.Duration(i)*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, transitions...)
	}
	return trace(all)
}

func trace(all []promengine.Transition) string {
	var b strings.Builder
	for _, tr := range all {
		fmt.Fprintf(&b, "%d %s %s -> %s %v %s\n", int(tr.Time.Sub(start)/time.Second), tr.Alert.Labels, tr.From, tr.Alert.State, tr.Alert.Value, tr.Alert.Annotations)
	}
	return b.String()
}

// TestAlert follows an alert through its life.
func TestAlert(t *testing.T) {
	store, engine := open(t, promengine.Options{}, `
groups:
  - name: g
    rules:
      - alert: High
        expr: x > 1
        for: 15s
        keep_firing_for: 30s
        labels: {severity: page, pod: "{{ $labels.pod }}"}
        annotations: {summary: "{{ $labels.pod }} has {{ $value }}"}
`)
	put(t, store, labels.FromStrings(model.MetricNameLabel, "x", "pod", "a"), 0, 2, 3, 4, 0, 0, 0, 0, 5, 0, 0)
	compare(t, "transitions", run(t, engine, 150), `
15 {alertname="High", pod="a", severity="page"} inactive -> pending 2 {summary="a has 2"}
30 {alertname="High", pod="a", severity="page"} pending -> firing 3 {summary="a has 3"}
90 {alertname="High", pod="a", severity="page"} firing -> inactive 4 {summary="a has 4"}
120 {alertname="High", pod="a", severity="page"} inactive -> pending 5 {summary="a has 5"}
135 {alertname="High", pod="a", severity="page"} pending -> inactive 5 {summary="a has 5"}
`)
	compare(t, "series", dump(t, store, matcher(t, "__name__=~ALERTS.*")), `
{__name__="ALERTS", alertname="High", alertstate="pending", pod="a", severity="page"} 15:1 30:stale 120:1 135:stale
{__name__="ALERTS_FOR_STATE", alertname="High", pod="a", severity="page"} 15:1.767600015e+09 30:1.767600015e+09 45:1.767600015e+09 60:1.767600015e+09 75:1.767600015e+09 90:stale 120:1.76760012e+09 135:stale
{__name__="ALERTS", alertname="High", alertstate="firing", pod="a", severity="page"} 30:1 45:1 60:1 75:1 90:stale
`)
}

func TestAlerts(t *testing.T) {
	store, engine := open(t, promengine.Options{}, `
groups: [{name: g, rules: [{alert: A, expr: x > 0}, {record: r, expr: x}, {alert: B, expr: x > 1, for: 1m}]}]
`)
	put(t, store, labels.FromStrings(model.MetricNameLabel, "x"), 2, 1)
	run(t, engine, 0)
	show := func() string {
		var list []string
		for _, a := range engine.Alerts(t.Context()) {
			list = append(list, fmt.Sprint(a.File, " ", a.Group, " ", a.Index, " ", a.Name, " ", a.State, " ", a.ActiveAt.Sub(start)))
		}
		return strings.Join(list, "\n")
	}
	compare(t, "alerts", show(), "rules.yml g 0 A firing 0s\nrules.yml g 2 B pending 0s")
	if _, err := engine.Eval(t.Context(), start.Add(15*time.Second)); err != nil {
		t.Fatal(err)
	}
	compare(t, "alerts", show(), "rules.yml g 0 A firing 0s")
}

// TestLoadRefuses shows what is said about broken files.
func TestLoadRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"expression": {
			"groups:\n  - name: g\n    rules:\n      - record: r\n        expr: sum(x\n",
			"rules.yml: 5:15: group \"g\", rule 1, \"r\": could not parse expression: 1:6: parse error: unclosed left parenthesis",
		},
		"unknown field": {
			"groups:\n  - name: g\n    rules:\n      - record: r\n        expression: x\n",
			"rules.yml: yaml: unmarshal errors:\n  line 5: field expression not found in type rulefmt.Rule",
		},
		"neither": {
			"groups:\n  - name: g\n    rules:\n      - expr: x\n",
			"rules.yml: 0:0: 0:0: group \"g\", rule 1, \"\": one of 'record' or 'alert' must be set",
		},
		"repeated": {
			"groups:\n  - name: g\n    rules: []\n  - name: g\n    rules: []\n",
			"rules.yml: 0:0: groupname: \"g\" is repeated in the same file",
		},
		"template": {
			"groups:\n  - name: g\n    rules:\n      - alert: A\n        expr: x\n        annotations: {a: '{{ nothing }}'}\n",
			"rules.yml: group \"g\", rule 1, \"A\": annotation \"a\": template: __alert_A:1: function \"nothing\" not defined",
		},
	} {
		t.Run(name, func(t *testing.T) {
			engine, err := promengine.New(new(promengine.Store), promengine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			err = engine.LoadText(promengine.Source{Name: "rules.yml", Text: []byte(c.text)})
			if err == nil || err.Error() != c.want {
				t.Errorf("error %v\nwant  %s", err, c.want)
			}
			if _, any := engine.Next(start); any {
				t.Error("a group of a broken file is loaded")
			}
		})
	}
	engine, err := promengine.New(new(promengine.Store), promengine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.Load("testdata/none.yml"); err == nil || !strings.Contains(err.Error(), "testdata/none.yml: ") {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := promengine.New(new(promengine.Store), promengine.Options{ExternalURL: "http://[::1"}); err == nil {
		t.Error("an external URL that is none is taken")
	}
}

// TestNext shows when groups are due.
func TestNext(t *testing.T) {
	_, engine := open(t, promengine.Options{}, "groups: [{name: a, interval: 30s, rules: []}, {name: b, interval: 50s, rules: []}]")
	var times []string
	for ts, i := start.Add(time.Second), 0; i < 5; i++ {
		ts, _ = engine.Next(ts)
		times = append(times, ts.Sub(start).String())
	}
	compare(t, "due", strings.Join(times, " "), "30s 50s 1m0s 1m30s 1m40s")
}

// TestRuleFails shows that a rule with an error writes nothing and says why.
func TestRuleFails(t *testing.T) {
	store, engine := open(t, promengine.Options{}, `
groups:
  - name: g
    limit: 1
    rules:
      - record: same
        expr: x
        labels: {pod: one}
      - record: limited
        expr: x
      - alert: Limited
        expr: x > 0
      - record: fine
        expr: sum(x)
`)
	put(t, store, labels.FromStrings(model.MetricNameLabel, "x", "pod", "a"), 1)
	put(t, store, labels.FromStrings(model.MetricNameLabel, "x", "pod", "b"), 1)
	run(t, engine, 0)
	var got []string
	for _, r := range engine.Rules() {
		got = append(got, fmt.Sprintf("%s: %v", r.Name, r.Err))
	}
	compare(t, "rules", strings.Join(got, "\n"), `
same: vector contains metrics with the same labelset after applying rule labels
limited: exceeded limit of 1 with 2 series
Limited: exceeded limit of 1 with 2 alerts
fine: <nil>
`)
	compare(t, "written", dump(t, store, matcher(t, "pod=")), `{__name__="fine"} 0:2`)
}

// TestSpans evaluates any series in spans of any length, and step by step, and
// compares.
func TestSpans(t *testing.T) {
	const rules = `
groups:
  - name: g
    rules:
      - {record: rate, expr: 'rate(x[1m])'}
      - {record: total, expr: 'sum(rate)'}
      - {record: own, expr: 'own + 1 or sum(x)'}
      - {record: later, expr: 'count(after)'}
      - {record: after, expr: 'increase(x[31s])'}
      - {alert: Up, expr: 'rate > 0.1', for: 30s, keep_firing_for: 15s, annotations: {v: '{{ $value }}'}}
  - name: slow
    interval: 45s
    query_offset: 15s
    rules:
      - {record: delta, expr: 'delta(x[2m]) + on (i) count_over_time(x[1m])'}
      - {record: meta, expr: 'sum(ALERTS)'}
`
	values := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, 2, 3, 7, 7.5, stale}), 0, 60)
	rapid.Check(t, func(r *rapid.T) {
		var series [][]float64
		for range rapid.IntRange(1, 3).Draw(r, "series") {
			series = append(series, values.Draw(r, "values"))
		}
		steps, stepEngine := open(t, promengine.Options{}, rules)
		spans, spanEngine := open(t, promengine.Options{}, rules)
		for i, list := range series {
			l := labels.FromStrings(model.MetricNameLabel, "x", "i", fmt.Sprint(i))
			put(t, steps, l, list...)
			put(t, spans, l, list...)
		}
		want := run(t, stepEngine, 15*60)
		var all []promengine.Transition
		for after, end := start.Add(-1), start.Add(15*time.Minute); after.Before(end); {
			to := after.Add(time.Duration(rapid.IntRange(1, 400).Draw(r, "span")) * time.Second)
			if to.After(end) {
				to = end
			}
			transitions, err := spanEngine.EvalRange(t.Context(), after, to)
			if err != nil {
				r.Fatal(err)
			}
			all = append(all, transitions...)
			after = to
		}
		if got := trace(all); got != want {
			r.Fatalf("transitions:\n%s\nwant:\n%s", got, want)
		}
		if got, want := dump(t, spans), dump(t, steps); got != want {
			r.Fatalf("store:\n%s\nwant:\n%s", got, want)
		}
	})
}
