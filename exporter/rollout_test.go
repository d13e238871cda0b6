package exporter_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/firedrill/firedrill/exporter"
	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/rollout"
	"github.com/firedrill/firedrill/simulator/schema"
)

// platform returns a rollout service, called platform.
func platform(t testing.TB, config schema.Args) *simulator.Engine {
	t.Helper()
	kind := rollout.Kind()
	values, problems := kind.Config.Parse("configuration key", config)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	model, err := kind.New(simulator.Setup{Name: "platform", Seed: 7, Start: start}, values)
	if err != nil {
		t.Fatal(err)
	}
	engine, err := simulator.New(simulator.Config{Seed: 7, Start: start,
		Services: []simulator.Service{{Name: "platform", Kind: kind, Model: model}}})
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

// raced returns a service on which the watchdog has won a race: the first server
// has lost its gateway in a deploy that said success, and the second is being
// drained by the next deploy.
func raced(t testing.TB) *simulator.Engine {
	e := platform(t, schema.Args{"noise": false, "watchdog_phase": 31})
	order(t, e, "platform", "preset", schema.Args{"name": "before"})
	run(e, 600)
	order(t, e, "platform", "deploy", nil)
	run(e, 900)
	order(t, e, "platform", "pause_watchdog", nil)
	order(t, e, "platform", "deploy", nil)
	run(e, 240)
	return e
}

// beside returns a snapshot with the services of another one as well.
func beside(s, other *simulator.Snapshot) *simulator.Snapshot {
	both := *s
	both.Services = slices.Concat(s.Services, other.Services)
	return &both
}

// TestRolloutPages compares the text of the pages with the committed ones.
func TestRolloutPages(t *testing.T) {
	s := newStage()
	s.put(raced(t).Snapshot())
	e := s.exporter()
	for name, path := range map[string]string{
		"rollout.prom": "/targets/platform/metrics", "rollout_server.prom": "/targets/platform/platform-2/metrics", "rollout_sd.json": "/sd",
	} {
		w := get(e, path, "")
		if w.Code != http.StatusOK {
			t.Fatalf("GET %s: %d %s", path, w.Code, w.Body)
		}
		golden(t, name, w.Body.Bytes())
	}
}

// TestRolloutCountsAgree: requests are the sum over the codes, what the servers
// answered is what the load balancer saw, and every request that it could not
// hand over was refused by somebody. No counter ever falls.
func TestRolloutCountsAgree(t *testing.T) {
	s := newStage()
	engine := platform(t, nil)
	order(t, engine, "platform", "preset", schema.Args{"name": "before"})
	order(t, engine, "platform", "deploy", nil)
	e := s.exporter()
	before := samples{}
	for range 40 {
		run(engine, 17)
		s.put(engine.Snapshot())
		all, _ := ofMessages(scrape(t, e, "/metrics", acceptText), nil)
		ok := all.sum("load_balancer_requests_total", `code="200"`)
		for what, got := range map[string]float64{
			"answers of the servers":         all.sum("gateway_requests_total", `code="200"`),
			"times of the load balancer":     all.sum("load_balancer_request_duration_seconds_count"),
			"times of the servers":           all.sum("gateway_request_duration_seconds_count"),
			"last buckets of all histograms": all.sum("gateway_request_duration_seconds_bucket", `le="+Inf"`),
		} {
			if got != ok {
				t.Errorf("tick %d: %s: %g, want %g", engine.Now(), what, got, ok)
			}
		}
		if refused, bad := all.sum("gateway_refused_connections_total"), all.sum("load_balancer_requests_total", `code="502"`); refused > bad || refused < 0.9*bad {
			t.Errorf("tick %d: %g connections refused, %g 502s", engine.Now(), refused, bad)
		}
		for _, d := range metric.Rollouts() {
			if d.Type == metric.Counter && all.sum(d.Name) < before.sum(d.Name) {
				t.Errorf("tick %d: %s falls from %g to %g", engine.Now(), d.Name, before.sum(d.Name), all.sum(d.Name))
			}
		}
		before = all
	}
	if before.sum("load_balancer_requests_total", `code="502"`) == 0 {
		t.Error("no request has failed")
	}
}

// TestStatesAreOneOf: of the series of a state set exactly one is 1.
func TestStatesAreOneOf(t *testing.T) {
	s := newStage()
	engine := raced(t)
	e := s.exporter()
	for range 30 {
		run(engine, 11)
		s.put(engine.Snapshot())
		all, _ := ofMessages(scrape(t, e, "/metrics", acceptText), nil)
		for name, want := range map[string]float64{
			"deploy_phase": 1, "deploy_last_outcome": 1, "load_balancer_target_state": rollout.Servers,
			"server_lock_holder": rollout.Servers, "container_state": rollout.Servers * rollout.Containers,
		} {
			if got := all.sum(name); got != want {
				t.Errorf("tick %d: %g of the series of %s are 1, want %g", engine.Now(), got, name, want)
			}
		}
	}
}

// TestLastDeployShowsWhenThereIsOne: before the first deploy has ended there is
// nothing to tell of it.
func TestLastDeployShowsWhenThereIsOne(t *testing.T) {
	table := exporter.NewTable(exporter.Build{})
	engine := platform(t, nil)
	shown := func() bool {
		if err := table.Update(engine.Snapshot(), exporter.Clock{Speed: 1}, epoch); err != nil {
			t.Fatal(err)
		}
		f := table.Current()
		defer f.Release()
		for target := range f.Targets() {
			for s := range target.Samples() {
				if s.Series.Desc.Name == metric.DeployLastBrokenRatio.Name {
					return true
				}
			}
		}
		return false
	}
	order(t, engine, "platform", "deploy", nil)
	run(engine, 60)
	if shown() {
		t.Error("a deploy is told of that has not ended")
	}
	run(engine, 1200)
	if !shown() {
		t.Error("the deploy that has ended is not told of")
	}
}
