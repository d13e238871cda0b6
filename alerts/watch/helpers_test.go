package watch_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/tsdb/chunkenc"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/alerts/watch"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

const (
	minute = simulator.Minute
	hour   = 60 * minute
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

// file returns a rule file.
func file(text string) promengine.Source {
	return promengine.Source{Name: "mine.yml", Text: []byte(text)}
}

// start begins a drill.
func start(t testing.TB, name string) *scenario.Run {
	t.Helper()
	s, known := scenario.FindBuiltin(name)
	if !known {
		t.Fatalf("there is no scenario %q", name)
	}
	run, err := s.NewRun(scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// newWatch returns a watch of a run.
func newWatch(t testing.TB, run *scenario.Run, o watch.Options) *watch.Watch {
	t.Helper()
	o.Origin = run.Start()
	w, err := watch.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// look is Observe or Gather.
type look func(*watch.Watch, *scenario.Run) ([]promengine.Transition, error)

func observe(t testing.TB) look {
	return func(w *watch.Watch, run *scenario.Run) ([]promengine.Transition, error) {
		return w.Observe(t.Context(), run.Now().After(run.Start()), watch.Simulated(1, run.Scenario().Name, run.Snapshot))
	}
}

func gather(t testing.TB) look {
	return func(w *watch.Watch, run *scenario.Run) ([]promengine.Transition, error) {
		return w.Gather(t.Context(), run.Now().After(run.Start()), watch.Simulated(1, run.Scenario().Name, run.Snapshot))
	}
}

// watchUntil simulates up to a tick, looking whenever the watch wants to, and
// returns what became of alerts, one a line.
func watchUntil(t testing.TB, w *watch.Watch, run *scenario.Run, to simulator.Tick, l look) []string {
	t.Helper()
	var all []string
	note := func(transitions []promengine.Transition, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range transitions {
			all = append(all, fmt.Sprintf("%v %s -> %s %s %v", c.Time.Sub(run.Start()), c.From, c.Alert.State, c.Alert.Labels, c.Alert.Value))
		}
	}
	for due := w.Due(run.Now() - 1); ; due = w.Due(due) {
		for run.Now() < min(due, to) {
			run.Step()
		}
		if due > to {
			break
		}
		note(l(w, run))
	}
	note(w.Finish(t.Context(), to.After(run.Start())))
	return all
}

// samples returns what is in a store, a sample a line.
func samples(t testing.TB, store *promengine.Store) []string {
	t.Helper()
	size := store.Size()
	q, err := store.Querier(size.First, size.Last)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	set := q.Select(t.Context(), true, nil, labels.MustNewMatcher(labels.MatchRegexp, "__name__", ".+"))
	var all []string
	for set.Next() {
		one := set.At()
		it := one.Iterator(nil)
		for kind := it.Next(); kind != chunkenc.ValNone; kind = it.Next() {
			if kind != chunkenc.ValFloat {
				continue
			}
			at, v := it.At()
			all = append(all, fmt.Sprintf("%s %d %v", one.Labels(), at, v))
		}
	}
	return slices.Clip(all)
}
