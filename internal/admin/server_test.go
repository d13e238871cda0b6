package admin

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/internal/driver"
	"github.com/firedrill/firedrill/internal/pager"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// rehearsed returns the scenario of the tests.
func rehearsed(t testing.TB) *scenario.Scenario {
	t.Helper()
	file := filepath.Join("testdata", "drill.yaml")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenario.Parse(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// newServer makes an API over a driver that runs, paused, the tests' scenario.
func newServer(t testing.TB, change func(*Config)) *Server {
	t.Helper()
	what := rehearsed(t)
	calm, _ := scenario.FindBuiltin("calm")
	config := Config{
		Driver: drive(t.Context(), t, what), Pager: pagerOf(what), Scenarios: []Playable{{Scenario: what}, {Scenario: calm}},
		Loopback: true, Logger: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}
	if change != nil {
		change(&config)
	}
	s := New(config)
	t.Cleanup(s.Close)
	return s
}

// pagerOf makes a pager for the first run of a scenario.
func pagerOf(what *scenario.Scenario) *pager.Pager {
	p := pager.New(pager.Config{Policy: alerts.PagerPolicy()})
	p.Reset(1, what.Start, time.Now())
	return p
}

// drive starts a paused driver that stops with ctx, or with the test.
func drive(ctx context.Context, t testing.TB, what *scenario.Scenario) *Driver {
	t.Helper()
	run, err := what.NewRun(scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := driver.New(run, driver.Config{Start: driver.StartManual})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return d
}

// stopped makes an API over a driver that has stopped.
func stopped(t testing.TB) *Server {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	d := drive(ctx, t, rehearsed(t))
	cancel()
	for subscription := d.Subscribe(1); ; {
		if _, _, err := subscription.Next(t.Context()); err != nil {
			return newServer(t, func(c *Config) { c.Driver = d })
		}
	}
}

// ask executes one request without a network.
func ask(s *Server, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}
