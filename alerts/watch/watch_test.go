package watch_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/alerts/watch"
	"github.com/firedrill/firedrill/exporter"
	"github.com/firedrill/firedrill/simulator"
)

// odd is a rule file whose groups have intervals of their own, one of them below
// a second.
const odd = `
groups:
- name: quick
  interval: 400ms
  rules:
  - record: quick:requests:rate1m
    expr: sum by (service) (rate(http_requests_total[1m]))
- name: slow
  interval: 70s
  rules:
  - alert: Busy
    expr: quick:requests:rate1m > 0
`

// TestAnyWay: alerts and recorded samples are the same whether evaluations are
// made one by one, in stretches, or one after the other way, staggered or not.
func TestAnyWay(t *testing.T) {
	const length = 12*minute + 7
	for _, stagger := range []bool{false, true} {
		o := watch.Options{Rules: append(shipped(t), file(odd)), Engine: promengine.Options{Stagger: stagger}}
		run := start(t, "bad-deploy")
		w := newWatch(t, run, o)
		want := watchUntil(t, w, run, length, observe(t))
		if !slices.ContainsFunc(want, func(line string) bool { return strings.Contains(line, "AvailabilityBudgetBurn") }) {
			t.Fatalf("no burn-rate alert among\n%s", strings.Join(want, "\n"))
		}
		stored := samples(t, w.Store())
		for _, stretch := range []time.Duration{time.Nanosecond, 101 * time.Second, time.Hour} {
			o.Stretch = stretch
			run := start(t, "bad-deploy")
			w := newWatch(t, run, o)
			got := watchUntil(t, w, run, 5*minute, gather(t))
			got = append(got, watchUntil(t, w, run, length, observe(t))...)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("stagger %v, stretches of %v:\n%s", stagger, stretch, diff)
			}
			if diff := cmp.Diff(stored, samples(t, w.Store())); diff != "" {
				t.Errorf("stagger %v, stretches of %v, samples:\n%s", stagger, stretch, diff)
			}
		}
	}
}

// TestDue: it wants to look at its scrapes, and at the seconds by which an
// evaluation is due.
func TestDue(t *testing.T) {
	run := start(t, "calm")
	rules := func(interval string) []promengine.Source {
		return []promengine.Source{file("groups: [{name: a, interval: " + interval + ", rules: [{record: a, expr: up}]}]")}
	}
	for _, c := range []struct {
		name string
		o    watch.Options
		want []simulator.Tick
	}{
		{"no rules", watch.Options{}, []simulator.Tick{-15, 0, 15, 30}},
		{"no rules, a minute", watch.Options{Scrape: time.Minute}, []simulator.Tick{0, 60, 120}},
		{"whole seconds", watch.Options{Rules: rules("20s")}, []simulator.Tick{-15, 0, 15, 20, 30, 40}},
		{"as the options have it", watch.Options{Rules: []promengine.Source{file("groups: [{name: a, rules: [{record: a, expr: up}]}]")}, Engine: promengine.Options{Interval: 10 * time.Second}}, []simulator.Tick{-15, -10, 0, 10, 15, 20}},
		{"half a second", watch.Options{Rules: rules("500ms")}, []simulator.Tick{-18, -17, -16}},
		{"seven halves", watch.Options{Rules: rules("3500ms"), Scrape: time.Minute}, []simulator.Tick{-17, -13, -10, -6, -3, 0, 1, 4}},
	} {
		w := newWatch(t, run, c.o)
		after := simulator.Tick(-19)
		for _, want := range c.want {
			if after = w.Due(after); after != want {
				t.Errorf("%s: due at %d, want %d of %d", c.name, after, want, c.want)
				break
			}
		}
	}
}

// TestBetweenSeconds: an evaluation between two seconds has its own time and
// sees only what had been scraped by then.
func TestBetweenSeconds(t *testing.T) {
	run := start(t, "calm")
	w := newWatch(t, run, watch.Options{Scrape: time.Second, Rules: []promengine.Source{file(`
groups: [{name: a, interval: 400ms, rules: [{record: seen, expr: firedrill_simulated_seconds_total}]}]`)}})
	watchUntil(t, w, run, 2, observe(t))
	var got []string
	for _, line := range samples(t, w.Store()) {
		if strings.HasPrefix(line, `{__name__="seen"`) {
			fields := strings.Fields(line)
			got = append(got, strings.Join(fields[len(fields)-2:], " "))
		}
	}
	begin := run.Start().UnixMilli()
	if begin%2000 != 0 {
		t.Fatal("the test counts on a start at an even second")
	}
	want := make([]string, 0, len(got))
	for _, at := range []int64{0, 400, 800, 1200, 1600, 2000} {
		want = append(want, fmt.Sprintf("%d %d", begin+at, at/1000))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestForgets: samples that nothing needs any more are let go of.
func TestForgets(t *testing.T) {
	run := start(t, "calm")
	w := newWatch(t, run, watch.Options{Scrape: time.Minute})
	watchUntil(t, w, run, 10*hour, observe(t))
	first := time.UnixMilli(w.Store().Size().First).Sub(run.Start())
	if first < time.Hour || first > 4*time.Hour {
		t.Errorf("after ten hours the first sample is of %v, want one a little over six hours old", first)
	}
}

// TestNatives: native histograms are kept where a rule reads one, and on demand.
func TestNatives(t *testing.T) {
	reads := file("groups: [{name: a, rules: [{record: a, expr: 'histogram_count(rate(http_request_duration_seconds[5m]))'}]}]")
	for _, c := range []struct {
		o    watch.Options
		want bool
	}{
		{watch.Options{}, false}, {watch.Options{Natives: true}, true}, {watch.Options{Rules: []promengine.Source{reads}}, true},
	} {
		run := start(t, "calm")
		w := newWatch(t, run, c.o)
		watchUntil(t, w, run, minute, observe(t))
		got := false
		for pair := range w.Store().Pairs() {
			got = got || pair.Value == "http_request_duration_seconds"
		}
		if got != c.want {
			t.Errorf("native histograms are there: %v, want %v", got, c.want)
		}
	}
}

// TestRefused: what cannot be is said, all of it.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		o    watch.Options
		want []string
	}{
		{watch.Options{Scrape: -time.Second, Stretch: -1, Engine: promengine.Options{Interval: -1}},
			[]string{"scrape interval -1s", "stretch of -1ns", "evaluation interval -1ns"}},
		{watch.Options{Rules: []promengine.Source{file("groups:\n- name: a\n  rules:\n  - alert: B\n    expr: sum(\n  - alert: C\n    expr: up[\n")}},
			[]string{"mine.yml: 5:11: ", "mine.yml: 7:11: "}},
	} {
		_, err := watch.New(c.o)
		for _, part := range c.want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("the error has no %q: %v", part, err)
			}
		}
	}
}

// TestNoSource: where the state cannot be had, it is said.
func TestNoSource(t *testing.T) {
	gone := errors.New("gone")
	run := start(t, "calm")
	w := newWatch(t, run, watch.Options{})
	source := func(context.Context) (*simulator.Snapshot, exporter.Clock, error) { return nil, exporter.Clock{}, gone }
	if _, err := w.Observe(t.Context(), w.Next(run.Start()), source); !errors.Is(err, gone) {
		t.Errorf("the error is %v", err)
	}
}
