package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/tsdb/chunkenc"

	"github.com/firedrill/firedrill/alerts/rehearsal"
	"github.com/firedrill/firedrill/internal/admin"
	"github.com/firedrill/firedrill/internal/driver"
	"github.com/firedrill/firedrill/internal/pager"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// watched is a driver with a Prometheus and a pager, in a bubble of time.
type watched struct {
	*admin.Driver
	t       *testing.T
	monitor *monitor
	pager   *pager.Pager
}

// watchInBubble lets a scenario that a Prometheus watches run at a speed while
// the test does something to it, and returns what it was like in the end.
func watchInBubble(t *testing.T, name string, speed float64, test func(*watched)) (alerts, pages []string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		run := newRun(t, name)
		c := new(upCmd)
		c.Prometheus.PrometheusMemory = 512
		if err := c.Prometheus.Page.UnmarshalText([]byte(rehearsal.DefaultPage)); err != nil {
			t.Fatal(err)
		}
		what, err := c.monitoring(t.Output())
		if err != nil {
			t.Fatal(err)
		}
		what.history = 30 * simulator.Minute
		d, err := driver.New(run, driver.Config{Speed: speed})
		if err != nil {
			t.Fatal(err)
		}
		w := &watched{Driver: d, t: t, pager: c.newPager(run, what)}
		w.monitor = newMonitor(*what, newDesk(w.pager, *what, newSender(nil, "", nil), ""), slog.New(slog.NewTextHandler(t.Output(), nil)))
		w.prepare(run)
		d.Attach(w.monitor)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- d.Run(ctx) }()
		test(w)
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		alerts, pages = w.alerts(), w.pages()
	})
	return alerts, pages
}

func newRun(t *testing.T, name string) *scenario.Run {
	t.Helper()
	what, known := scenario.FindBuiltin(name)
	if !known {
		t.Fatalf("there is no scenario %q", name)
	}
	run, err := what.NewRun(scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func (w *watched) prepare(run *scenario.Run) {
	w.t.Helper()
	if _, err := w.monitor.prepare(w.t.Context(), run); err != nil {
		w.t.Fatal(err)
	}
}

// runTo lets bubble time pass until the driver is at a tick.
func (w *watched) runTo(tick simulator.Tick, speed float64) {
	w.t.Helper()
	s := w.must(w.SetSpeed(w.t.Context(), speed))
	time.Sleep(time.Duration(float64(tick-s.Tick) / speed * float64(time.Second)))
	w.must(w.Driver.Status(w.t.Context()))
}

// step is what somebody does to the clock: lets time pass up to a tick at a
// speed or, where none is given, pauses for a while and simulates so many
// seconds meanwhile.
type step struct {
	to      simulator.Tick
	speed   float64
	pause   time.Duration
	advance simulator.Tick
}

func (w *watched) play(steps []step) {
	w.t.Helper()
	for _, s := range steps {
		if s.speed > 0 {
			w.runTo(s.to, s.speed)
			continue
		}
		w.must(w.Pause(w.t.Context()))
		time.Sleep(s.pause)
		w.must(w.Advance(w.t.Context(), s.advance))
		w.must(w.Resume(w.t.Context()))
	}
}

// stopAt ends at exactly a tick, which the fraction of a second may have kept
// the driver from.
func (w *watched) stopAt(tick simulator.Tick) {
	w.t.Helper()
	s := w.must(w.Pause(w.t.Context()))
	if s = w.must(w.Advance(w.t.Context(), tick-s.Tick)); s.Tick != tick {
		w.t.Errorf("it stops at %d, not at %d", s.Tick, tick)
	}
}

func (w *watched) must(s driver.Status, err error) driver.Status {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// alerts returns the samples of ALERTS that were written, a sample a line.
func (w *watched) alerts() []string {
	w.t.Helper()
	if w.monitor.watch == nil {
		return nil
	}
	store := w.monitor.watch.Store()
	size := store.Size()
	q, err := store.Querier(size.First, size.Last)
	if err != nil {
		w.t.Fatal(err)
	}
	defer q.Close()
	var all []string
	set := q.Select(w.t.Context(), true, nil, labels.MustNewMatcher(labels.MatchEqual, "__name__", "ALERTS"))
	for set.Next() {
		it := set.At().Iterator(nil)
		for it.Next() != chunkenc.ValNone {
			at, v := it.At()
			all = append(all, fmt.Sprintf("%s %d %v", set.At().Labels(), at, v))
		}
	}
	return all
}

// pages returns the history of the pages at simulated times.
func (w *watched) pages() []string {
	var all []string
	for _, p := range w.pager.Pages(pager.Filter{}) {
		for _, e := range p.History {
			all = append(all, fmt.Sprintf("%d %s %s %s %s", p.ID, p.Severity, e.At.Simulated.Format(time.TimeOnly), e.Kind, e.Alert))
		}
	}
	return all
}

// TestSameAlertsAtAnyPace: alerts change and pages come at the same simulated
// times at any speed, and across pauses, steps and changes of speed.
func TestSameAlertsAtAnyPace(t *testing.T) {
	const end = 40 * simulator.Minute
	alerts, pages := watchInBubble(t, "bad-deploy", 3600, func(w *watched) {
		w.runTo(end, 3600)
		w.stopAt(end)
	})
	if !slices.ContainsFunc(pages, func(line string) bool { return strings.HasPrefix(line, "1 ") && strings.Contains(line, "page_opened") }) ||
		!slices.ContainsFunc(alerts, func(line string) bool { return strings.Contains(line, `"AvailabilityBudgetBurn"`) }) {
		t.Fatalf("no page among\n%s", strings.Join(pages, "\n"))
	}
	for name, pace := range map[string][]step{
		"speed 1":  {{to: end, speed: 1}},
		"speed 60": {{to: end, speed: 60}},
		"pauses, steps and changes": {
			{to: 7*simulator.Minute + 3, speed: 3600}, {advance: 4*simulator.Minute + 11, pause: time.Hour},
			{to: 16 * simulator.Minute, speed: 1.5}, {pause: time.Millisecond}, {to: 17 * simulator.Minute, speed: 17}, {to: end, speed: 600},
		},
	} {
		gotAlerts, gotPages := watchInBubble(t, "bad-deploy", 60, func(w *watched) {
			w.play(pace)
			w.stopAt(end)
		})
		if diff := cmp.Diff(alerts, gotAlerts); diff != "" {
			t.Errorf("%s: alerts:\n%s", name, diff)
		}
		if diff := cmp.Diff(pages, gotPages); diff != "" {
			t.Errorf("%s: pages:\n%s", name, diff)
		}
	}
}

// TestAnotherRunAnotherStore: with another run come other samples and other
// pages; who still asks the old store gets its answer.
func TestAnotherRunAnotherStore(t *testing.T) {
	_, pages := watchInBubble(t, "bad-deploy", 3600, func(w *watched) {
		w.runTo(30*simulator.Minute, 3600)
		before := w.monitor.watch
		last := before.Store().Size().Last
		run := newRun(t, "calm")
		w.prepare(run)
		err := w.Load(w.t.Context(), run, 0, true, func(v view) []simulator.Event {
			w.pager.Reset(v.Status.Run, v.Status.Start, time.Now())
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		after, err := w.monitor.look(w.t.Context(), w.Driver)
		if err != nil {
			t.Fatal(err)
		}
		if after.watch == before || !after.now.Equal(run.Start()) || after.watch.Store().Size().Last != run.Start().UnixMilli() {
			t.Errorf("after a change of runs it is %v, with samples until %d", after.now, after.watch.Store().Size().Last)
		}
		if before.Store().Size().Last != last {
			t.Error("the old store has changed")
		}
		w.must(w.Resume(w.t.Context()))
		w.runTo(30*simulator.Minute, 3600)
	})
	if len(pages) > 0 {
		t.Errorf("a calm run has the pages %q", pages)
	}
}

// TestNobodyPrepared: a run that nothing was made ready for is not watched, and
// the log says so.
func TestNobodyPrepared(t *testing.T) {
	_, pages := watchInBubble(t, "bad-deploy", 3600, func(w *watched) {
		said := new(buffer)
		w.monitor.log = slog.New(slog.NewTextHandler(said, nil))
		if err := w.Load(w.t.Context(), newRun(t, "calm"), 0, false, func(view) []simulator.Event { return nil }); err != nil {
			t.Fatal(err)
		}
		w.runTo(simulator.Minute, 60)
		if !strings.Contains(string(*said), "run 2: nothing has been made ready") {
			t.Errorf("the log says %q", *said)
		}
		if _, err := w.monitor.look(w.t.Context(), w.Driver); !errors.Is(err, errNotWatched) {
			t.Errorf("who asks is told %v", err)
		}
	})
	if len(pages) > 0 {
		t.Errorf("it has the pages %q", pages)
	}
}
