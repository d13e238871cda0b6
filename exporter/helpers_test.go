package exporter_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/firedrill/firedrill/exporter"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/latency"
	"github.com/firedrill/firedrill/simulator/schema"
	"github.com/firedrill/firedrill/simulator/web"
)

// start is the simulated time at tick 0, epoch the wall time then.
var (
	start = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	epoch = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
)

// small is the configuration of a service of three pods, without noise.
func small() schema.Args {
	return schema.Args{"noise": false, "queueing": "exact", "base_rate": 250, "floor": 3, "objects": 5000, "baseline_error_ratio": 1e-3,
		"budget_remaining": 0.2, "database_capacity": 1000}
}

// newEngine returns an engine of services of the kind web.
func newEngine(t testing.TB, services map[string]schema.Args, order ...string) *simulator.Engine {
	t.Helper()
	config := simulator.Config{Seed: 7, Start: start}
	for _, name := range order {
		kind := web.Kind()
		values, problems := kind.Config.Parse("configuration key", services[name])
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		model, err := kind.New(simulator.Setup{Name: name, Seed: config.Seed, Start: start}, values)
		if err != nil {
			t.Fatal(err)
		}
		config.Services = append(config.Services, simulator.Service{Name: name, Kind: kind, Model: model})
	}
	engine, err := simulator.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

// order gives a command to a service.
func order(t testing.TB, e *simulator.Engine, service, do string, args schema.Args) {
	t.Helper()
	if _, err := e.Submit(simulator.Command{Service: service, Do: do, Args: args, Source: simulator.Operator}); err != nil {
		t.Fatal(err)
	}
}

// run simulates n seconds.
func run(e *simulator.Engine, n simulator.Tick) {
	for range n {
		e.Step()
	}
}

// stage is a source that shows what a test puts there.
type stage struct {
	mu       sync.Mutex
	snapshot *simulator.Snapshot
	clock    exporter.Clock
	wall     time.Time
	err      error
	reads    int // of the wall time: one at each update
}

func newStage() *stage {
	return &stage{clock: exporter.Clock{Run: 1, Scenario: "bad-deploy", Speed: 60}, wall: epoch}
}

func (s *stage) put(snapshot *simulator.Snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.snapshot = snapshot
}

func (s *stage) source(context.Context) (*simulator.Snapshot, exporter.Clock, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.snapshot, s.clock, s.err
}

func (s *stage) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	return s.wall
}

// exporter returns an exporter of what is on the stage.
func (s *stage) exporter() *exporter.Exporter {
	return exporter.New(exporter.Options{Source: s.source, Now: s.now,
		Build: exporter.Build{Version: "v0.1.0", Revision: "abc1234", GoVersion: "go1.26"}})
}

// get asks for a page and returns the response.
func get(h http.Handler, path, accept string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, "http://firedrill.test:9464"+path, nil)
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// handMade returns a snapshot of one service, called shop, with these pods.
func handMade(tick simulator.Tick, pods ...web.Pod) *simulator.Snapshot {
	for i := range pods {
		pods[i].ID, pods[i].Version = i+1, "v1"
		if pods[i].Latency.Count == nil {
			pods[i].Latency = latency.NewHistogram()
		}
	}
	return &simulator.Snapshot{Tick: tick, Start: start, Seed: 7, Services: []simulator.ServiceSnapshot{{
		Name: "shop", Kind: "web", State: &web.Snapshot{Name: "shop", Version: "v1", Pods: pods, Latency: latency.NewHistogram()},
	}}}
}

// pods returns the pods of the first service.
func pods(s *simulator.Snapshot) []web.Pod { return s.Services[0].State.(*web.Snapshot).Pods }
