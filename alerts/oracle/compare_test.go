package oracle_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/rules"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"

	"github.com/firedrill/firedrill/alerts/promengine"
)

// morning is when the drills of fixtures and of random series start.
var morning = time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)

// drill is an input: scrapes at the same distance, and rule files.
type drill struct {
	start   time.Time // of the first scrape
	scrape  time.Duration
	scrapes [][]point
	rules   []string // names of files
}

func (d drill) end() time.Time { return d.start.Add(time.Duration(len(d.scrapes)-1) * d.scrape) }

// outcome is what a server has made of an input.
type outcome struct {
	samples     map[string][]string // by series, "time value"
	transitions []string
	alerts      []string // at the end
}

func (o outcome) size() int {
	n := 0
	for _, list := range o.samples {
		n += len(list)
	}
	return n
}

// compare runs the drill on the stock server and on promengine, step by step
// and in spans of any length, and compares all that comes out.
func compare(t *testing.T, d drill, seed uint64) {
	t.Helper()
	want := runStock(t, d)
	t.Logf("%d series with %d samples, %d transitions, %d alerts at the end", len(want.samples), want.size(), len(want.transitions), len(want.alerts))
	random := rand.New(rand.NewPCG(seed, 0))
	for _, way := range []struct {
		name string
		got  outcome
	}{
		{"step by step", runSteps(t, d)},
		{"in one span", runSpans(t, d, func() int { return math.MaxInt32 })},
		{"in spans of random length", runSpans(t, d, func() int { return 1 + random.IntN(40) })},
	} {
		report(t, way.name, want, way.got)
	}
}

// report says where the outcomes differ, a few places of each kind.
func report(t *testing.T, way string, want, got outcome) {
	t.Helper()
	names := maps.Clone(want.samples)
	maps.Copy(names, got.samples)
	bad := 0
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if diff := firstDifference(want.samples[name], got.samples[name]); diff != "" && bad < 5 {
			t.Errorf("%s: %s: %s", way, name, diff)
			bad++
		}
	}
	if diff := firstDifference(want.transitions, got.transitions); diff != "" {
		t.Errorf("%s: transitions: %s", way, diff)
	}
	if diff := firstDifference(want.alerts, got.alerts); diff != "" {
		t.Errorf("%s: alerts at the end: %s", way, diff)
	}
}

func firstDifference(want, got []string) string {
	for i := range max(len(want), len(got)) {
		w, g := "nothing", "nothing"
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i]
		}
		if w != g {
			return fmt.Sprintf("number %d of %d: stock has %s, promengine %s (of %d)", i, len(want), w, g, len(got))
		}
	}
	return ""
}

func runStock(t *testing.T, d drill) outcome {
	t.Helper()
	s := newStock(t, d.rules)
	var out outcome
	before := map[string]rules.AlertState{}
	for ts := d.start; !ts.After(d.end()); ts = ts.Add(time.Second) {
		if since := ts.Sub(d.start); since%d.scrape == 0 {
			s.append(t, d.scrapes[since/d.scrape])
		}
		for _, g := range s.groups {
			if due(g, ts) {
				g.Eval(t.Context(), ts)
				out.transitions = append(out.transitions, stockTransitions(g, ts, before)...)
			}
		}
	}
	out.samples = dump(t, s.db)
	for _, g := range s.groups {
		out.alerts = append(out.alerts, stockAlerts(g)...)
	}
	return out.sorted()
}

// stockTransitions returns what the evaluation of a group has changed.
func stockTransitions(g *rules.Group, ts time.Time, before map[string]rules.AlertState) []string {
	var all []string
	for i, r := range g.Rules() {
		rule, ok := r.(*rules.AlertingRule)
		if !ok {
			continue
		}
		prefix := fmt.Sprintf("%s/%d/", g.Name(), i)
		now := map[string]rules.Alert{}
		keys := map[string]bool{}
		rule.ForEachActiveAlert(func(a *rules.Alert) {
			if a.State != rules.StateInactive {
				now[prefix+a.Labels.String()] = *a
				keys[prefix+a.Labels.String()] = true
			}
		})
		for key := range before {
			if strings.HasPrefix(key, prefix) {
				keys[key] = true
			}
		}
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			from, to := rules.StateInactive, rules.StateInactive
			if state, known := before[key]; known {
				from = state
			}
			line := ""
			if a, known := now[key]; known {
				to = a.State
				line = describe(a.Labels, a.Annotations, a.Value, a.ActiveAt)
			}
			delete(before, key)
			if to != rules.StateInactive {
				before[key] = to
			}
			if from != to {
				all = append(all, fmt.Sprintf("%s %s%s %s -> %s %s", clock(ts), prefix, strings.TrimPrefix(key, prefix), from, to, line))
			}
		}
	}
	return all
}

func stockAlerts(g *rules.Group) []string {
	var all []string
	for _, r := range g.Rules() {
		if rule, ok := r.(*rules.AlertingRule); ok {
			for _, a := range rule.ActiveAlerts() {
				all = append(all, fmt.Sprintf("%s %s %s keeps since %s", rule.Name(), a.State, describe(a.Labels, a.Annotations, a.Value, a.ActiveAt), clock(a.KeepFiringSince)))
			}
		}
	}
	return all
}

func describe(l, annotations labels.Labels, v float64, active time.Time) string {
	return fmt.Sprintf("%s %s value %x active since %s", l, annotations, math.Float64bits(v), clock(active))
}

func clock(ts time.Time) string {
	if ts.IsZero() {
		return "never"
	}
	return ts.UTC().Format("15:04:05.000")
}

// open returns promengine with the rules of the drill.
func open(t *testing.T, d drill) (*promengine.Store, *promengine.Engine) {
	t.Helper()
	store := new(promengine.Store)
	engine, err := promengine.New(store, promengine.Options{
		Interval: evaluation, Lookback: lookback, ExternalLabels: external, ExternalURL: externalURL,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.Load(d.rules...); err != nil {
		t.Fatal(err)
	}
	return store, engine
}

func fill(t *testing.T, store *promengine.Store, samples []point) {
	t.Helper()
	for _, p := range samples {
		var err error
		if p.h != nil {
			err = store.AppendHistogram(p.labels, p.t, p.h)
		} else {
			err = store.Append(p.labels, p.t, p.v)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func runSteps(t *testing.T, d drill) outcome {
	t.Helper()
	store, engine := open(t, d)
	var all []promengine.Transition
	for ts := d.start; !ts.After(d.end()); ts = ts.Add(time.Second) {
		if since := ts.Sub(d.start); since%d.scrape == 0 {
			fill(t, store, d.scrapes[since/d.scrape])
		}
		transitions, err := engine.Eval(t.Context(), ts)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, transitions...)
	}
	return outcomeOf(t, store, engine, all)
}

// runSpans appends as many scrapes as length says and evaluates them at once,
// again and again.
func runSpans(t *testing.T, d drill, length func() int) outcome {
	t.Helper()
	store, engine := open(t, d)
	var all []promengine.Transition
	for i, after := 0, d.start.Add(-1); i < len(d.scrapes); {
		n := min(length(), len(d.scrapes)-i)
		for _, samples := range d.scrapes[i : i+n] {
			fill(t, store, samples)
		}
		i += n
		to := d.start.Add(time.Duration(i)*d.scrape - 1)
		if i == len(d.scrapes) {
			to = d.end()
		}
		transitions, err := engine.EvalRange(t.Context(), after, to)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, transitions...)
		after = to
	}
	return outcomeOf(t, store, engine, all)
}

func outcomeOf(t *testing.T, store *promengine.Store, engine *promengine.Engine, all []promengine.Transition) outcome {
	t.Helper()
	out := outcome{samples: dump(t, store)}
	for _, tr := range all {
		a, line := tr.Alert, ""
		if a.State != promengine.Inactive {
			line = describe(a.Labels, a.Annotations, a.Value, a.ActiveAt)
		}
		out.transitions = append(out.transitions, fmt.Sprintf("%s %s/%d/%s %s -> %s %s", clock(tr.Time), a.Group, a.Index, a.Labels, tr.From, a.State, line))
	}
	for _, a := range engine.Alerts(t.Context()) {
		out.alerts = append(out.alerts, fmt.Sprintf("%s %s %s keeps since %s", a.Name, a.State, describe(a.Labels, a.Annotations, a.Value, a.ActiveAt), clock(a.KeepFiringSince)))
	}
	return out.sorted()
}

// sorted puts the transitions of one time, and the alerts, in an order of text:
// that of Prometheus is random.
func (o outcome) sorted() outcome {
	slices.Sort(o.transitions)
	slices.Sort(o.alerts)
	return o
}

// dump returns all samples of a storage. Numbers are shown by their bits. Of
// histograms everything is shown but the counter reset hint, which only says how
// chunks were cut; empty buckets are left out.
func dump(t *testing.T, from storage.Queryable) map[string][]string {
	t.Helper()
	q, err := from.Querier(math.MinInt64/2, math.MaxInt64/2)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = q.Close() }()
	all := map[string][]string{}
	set := q.Select(context.Background(), true, nil, labels.MustNewMatcher(labels.MatchRegexp, model.MetricNameLabel, ".+"))
	for set.Next() {
		name := set.At().Labels().String()
		it := set.At().Iterator(nil)
		for kind := it.Next(); kind != chunkenc.ValNone; kind = it.Next() {
			all[name] = append(all[name], show(it, kind))
		}
		if it.Err() != nil {
			t.Fatal(it.Err())
		}
	}
	if set.Err() != nil {
		t.Fatal(set.Err())
	}
	return all
}

func show(it chunkenc.Iterator, kind chunkenc.ValueType) string {
	at := clock(time.UnixMilli(it.AtT()))
	if kind == chunkenc.ValFloat {
		_, v := it.At()
		return fmt.Sprintf("%s %v %x", at, v, math.Float64bits(v))
	}
	_, h := it.AtFloatHistogram(nil)
	if value.IsStaleNaN(h.Sum) {
		return at + " stale histogram"
	}
	h = h.Copy().Compact(0)
	gauge := h.CounterResetHint == histogram.GaugeType
	return fmt.Sprintf("%s gauge=%v schema=%d zero=%x/%x count=%x sum=%x %v %x %v %x %x", at, gauge, h.Schema, bits(h.ZeroThreshold), bits(h.ZeroCount),
		bits(h.Count), bits(h.Sum), h.PositiveSpans, allBits(h.PositiveBuckets), h.NegativeSpans, allBits(h.NegativeBuckets), allBits(h.CustomValues))
}

func bits(v float64) uint64 { return math.Float64bits(v) }

func allBits(list []float64) []uint64 {
	all := make([]uint64, len(list))
	for i, v := range list {
		all[i] = bits(v)
	}
	return all
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
