package dashboards_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/alerts/promengine/api"
	"github.com/firedrill/firedrill/dashboards"
	"github.com/firedrill/firedrill/dashboards/dashtest"
	"github.com/firedrill/firedrill/exporter"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// watched is a scenario that a Prometheus has watched from its beginning to its
// end.
type watched struct {
	speed    float64 // of the simulation on the clock of Prometheus
	options  dashboards.Options
	store    *promengine.Store
	engine   *promengine.Engine
	from, to time.Time // on that clock, without the history
	paused   time.Time // until when time stood still after it
	truth    dashtest.Truth
}

// watch lets a Prometheus whose clock runs at a speed watch testdata/everything.
// At speed 1 it lives on simulated time, and has a history.
func watch(t testing.TB, speed float64) *watched {
	t.Helper()
	run := everything(t)
	w := &watched{speed: speed, options: dashboards.DefaultOptions(speed), store: new(promengine.Store), from: run.Start()}
	if speed != 1 {
		w.from = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	}
	w.truth.Start = run.Start()
	w.play(t, run)
	return w
}

func everything(t testing.TB) *scenario.Run {
	t.Helper()
	text, err := os.ReadFile("testdata/everything.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenario.Parse("everything.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.NewRun(scenario.Options{Scripted: true})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// clock converts a span of simulated time to the clock of Prometheus.
func (w *watched) clock(d time.Duration) time.Duration { return time.Duration(float64(d) / w.speed) }

// at returns the time of a tick on the clock of Prometheus.
func (w *watched) at(tick simulator.Tick) time.Time {
	return w.from.Add(w.clock(time.Duration(tick) * time.Second))
}

// play simulates it all, scrapes it, and evaluates the rules. In the end the
// simulation is paused, which no clock but a wall clock sees.
func (w *watched) play(t testing.TB, run *scenario.Run) {
	t.Helper()
	every := simulator.Tick(float64(w.options.ScrapeInterval) * w.speed / 1e9)
	table, scraper := exporter.NewTable(exporter.Build{Version: "v0", Revision: "r", GoVersion: "go1"}), promengine.NewScraper(w.store, true)
	scrape := func(at time.Time, snapshot *simulator.Snapshot, paused bool) {
		clock := exporter.Clock{Run: 1, Scenario: "everything", Speed: w.speed, Paused: paused}
		if err := table.Update(snapshot, clock, at); err != nil {
			t.Fatal(err)
		}
		frame := table.Current()
		defer frame.Release()
		scraper.Scrape(at, frame)
	}
	look := func(tick simulator.Tick, snapshot func() *simulator.Snapshot) {
		if tick%every == 0 {
			scrape(w.at(tick), snapshot(), false)
		}
	}
	begin := simulator.Tick(0)
	if w.speed == 1 {
		begin = -6 * 60 * simulator.Minute
		h, err := run.History(-begin)
		if err != nil {
			t.Fatal(err)
		}
		for ; h.Now() < 0; h.Step() {
			look(h.Now(), h.Snapshot)
		}
	}
	for end := run.End(); run.Now() < end; run.Step() {
		look(run.Now(), run.Snapshot)
		if run.Now()%simulator.Minute == 1 {
			w.note(run)
		}
	}
	w.to, w.paused = w.at(run.Now()), w.at(run.Now())
	if w.speed != 1 {
		for range 10 {
			w.paused = w.paused.Add(w.options.ScrapeInterval)
			scrape(w.paused, run.Snapshot(), true)
		}
	}
	w.rules(t, w.at(begin))
}

// note notes the minute that has begun.
func (w *watched) note(run *scenario.Run) {
	row := map[string]float64{}
	for i, x := range run.AppendRow(nil, 0) {
		row[run.Services()[0].Kind.Columns[i].Key] = x
	}
	w.truth.Add(row)
}

// rules evaluates the shipped rules for the speed.
func (w *watched) rules(t testing.TB, begin time.Time) {
	t.Helper()
	files, err := alerts.Rules(alerts.DefaultOptions(w.speed))
	if err != nil {
		t.Fatal(err)
	}
	w.engine, err = promengine.New(w.store, promengine.Options{Interval: w.clock(alerts.EvaluationInterval), Lookback: w.clock(5 * time.Minute)})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := w.engine.LoadText(promengine.Source{Name: f.Path, Text: f.Data}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.engine.EvalRange(t.Context(), begin, w.to); err != nil {
		t.Fatal(err)
	}
}

// api returns a client of the API over the store. Where now is not zero, the API
// is the one that takes the end of the scenario for that time.
func (w *watched) api(now time.Time) dashtest.Client {
	a := api.New(api.Options{
		Interval: w.clock(alerts.EvaluationInterval), Lookback: w.clock(5 * time.Minute),
		Source: func(context.Context) (api.State, error) {
			return api.State{Store: w.store, Engine: w.engine, Now: w.to, Wall: now}, nil
		},
	})
	handler := a.Handler()
	if !now.IsZero() {
		handler = a.Shifted()
	}
	return dashtest.Client{URL: "http://prometheus.test", HTTP: &http.Client{Transport: inProcess{handler}}}
}

// inProcess answers requests in the process.
type inProcess struct{ http.Handler }

func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w.Result(), nil
}

// boards reads the dashboards that are made for the speed.
func (w *watched) boards(t testing.TB) []dashtest.Board {
	t.Helper()
	files, err := dashboards.All(w.options)
	if err != nil {
		t.Fatal(err)
	}
	var all []dashtest.Board
	for _, f := range files {
		b, err := dashtest.Read(f.Data)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		b.Values["service"] = "shop"
		all = append(all, b)
	}
	return all
}
