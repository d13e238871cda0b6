package exporter_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/web"
)

// TestListing follows pods through their lives: which /sd lists, what their
// pages answer and which /metrics shows.
func TestListing(t *testing.T) {
	pod := func(state web.PodState, started, ended simulator.Tick) web.Pod {
		return web.Pod{Name: "shop-a", State: state, Started: started, Ended: ended}
	}
	type step struct {
		what   string
		tick   simulator.Tick
		speed  float64
		pods   []web.Pod
		gap    bool
		listed bool
		page   int
	}
	for name, steps := range map[string][]step{
		"booting": {
			{"boots", 10, 1, []web.Pod{pod(web.Booting, 0, 0)}, false, false, 404},
			{"serves", 20, 1, []web.Pod{pod(web.Serving, 20, 0)}, false, true, 200},
		},
		"killed at speed 1": {
			{"serves", 100, 1, []web.Pod{pod(web.Serving, 0, 0)}, false, true, 200},
			{"is killed", 101, 1, []web.Pod{pod(web.Down, 0, 100)}, false, true, 503},
			{"is still listed", 399, 1, []web.Pod{pod(web.Down, 0, 100)}, false, true, 503},
			{"has been down for 5 minutes", 400, 1, []web.Pod{pod(web.Down, 0, 100)}, false, false, 404},
		},
		"killed at speed 60": {
			{"is killed", 101, 60, []web.Pod{pod(web.Down, 0, 100)}, false, true, 503},
			{"is still listed", 999, 60, []web.Pod{pod(web.Down, 0, 100)}, false, true, 503},
			{"has been down for 15 seconds", 1000, 60, []web.Pod{pod(web.Down, 0, 100)}, false, false, 404},
		},
		"scaled in at speed 1": {
			{"serves", 100, 1, []web.Pod{pod(web.Serving, 0, 0)}, false, true, 200},
			{"is scaled in", 101, 1, []web.Pod{pod(web.Retired, 0, 100)}, false, false, 200},
			{"still answers", 399, 1, []web.Pod{pod(web.Retired, 0, 100)}, false, false, 200},
			{"answers no more", 400, 1, []web.Pod{pod(web.Retired, 0, 100)}, false, false, 404},
		},
		"scaled in at speed 60": {
			{"still answers", 3699, 60, []web.Pod{pod(web.Retired, 0, 100)}, false, false, 200},
			{"answers no more", 3700, 60, []web.Pod{pod(web.Retired, 0, 100)}, false, false, 404},
		},
		"replaced": {
			{"another stands in its place", 101, 1, []web.Pod{pod(web.Retired, 0, 100), {Name: "shop-b", State: web.Serving, Started: 100}}, false, false, 200},
			{"the snapshot forgets it", 102, 1, []web.Pod{{Name: "shop-b", State: web.Serving, Started: 100}}, false, false, 404},
		},
		"the speed rises": {
			{"serves", 100, 1, []web.Pod{pod(web.Serving, 0, 0)}, false, true, 200},
			{"has been down for 5 minutes", 400, 1, []web.Pod{pod(web.Down, 0, 100)}, false, false, 404},
			{"does not come back", 401, 3600, []web.Pod{pod(web.Down, 0, 100)}, false, false, 404},
		},
		"the speed falls": {
			{"is listed for 15 seconds", 700, 60, []web.Pod{pod(web.Down, 0, 100)}, false, true, 503},
			{"which are over now", 701, 1, []web.Pod{pod(web.Down, 0, 100)}, false, false, 404},
			{"and do not come back", 702, 60, []web.Pod{pod(web.Down, 0, 100)}, false, false, 404},
		},
		"killed between two scrapes": {
			{"another serves", 100, 1, []web.Pod{{Name: "shop-b", State: web.Serving}}, false, false, 404},
			{"it booted and died since", 400, 1, []web.Pod{pod(web.Down, 150, 200)}, false, true, 503},
		},
		"monitoring gap": {
			{"serves, but nobody knows", 100, 1, []web.Pod{pod(web.Serving, 0, 0)}, true, true, 503},
			{"is scaled in", 101, 1, []web.Pod{pod(web.Retired, 0, 100)}, true, false, 503},
			{"the gap ends", 102, 1, []web.Pod{pod(web.Retired, 0, 100)}, false, false, 200},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage()
			e := s.exporter()
			for _, step := range steps {
				snapshot := handMade(step.tick, step.pods...)
				snapshot.Services[0].State.(*web.Snapshot).MonitoringGap = step.gap
				s.clock.Speed = step.speed
				s.put(snapshot)
				if got := get(e, "/targets/shop/shop-a/metrics", "").Code; got != step.page {
					t.Errorf("%s: its page answers %d, want %d", step.what, got, step.page)
				}
				if got := listed(t, e, "shop-a"); got != step.listed {
					t.Errorf("%s: listed %v, want %v", step.what, got, step.listed)
				}
				if got, want := shows(t, e, "shop-a"), step.listed && step.page == http.StatusOK; got != want {
					t.Errorf("%s: shown on /metrics %v, want %v", step.what, got, want)
				}
			}
		})
	}
}

// listed reports whether discovery lists a pod.
func listed(t *testing.T, h http.Handler, pod string) bool {
	return slices.ContainsFunc(discover(t, h), func(target target) bool { return target.Labels["pod"] == pod })
}

// shows reports whether /metrics shows a pod.
func shows(t *testing.T, h http.Handler, pod string) bool {
	all, _ := ofMessages(scrape(t, h, "/metrics", acceptText), nil)
	_, ok := all[key("pod_start_time_seconds", map[string]string{"pod": pod, "service": "shop"})]
	return ok
}

// TestMonitoringGap shows that the gap of one service leaves the others and
// the simulator alone.
func TestMonitoringGap(t *testing.T) {
	s := newStage()
	snapshot := handMade(100, web.Pod{Name: "shop-a", State: web.Serving})
	snapshot.Services[0].State.(*web.Snapshot).MonitoringGap = true
	other := handMade(100, web.Pod{Name: "search-a", State: web.Serving}).Services[0]
	other.Name = "search"
	snapshot.Services = append(snapshot.Services, other)
	s.put(snapshot)
	e := s.exporter()
	for path, want := range map[string]int{
		"/targets/shop/shop-a/metrics": 503, "/targets/shop/metrics": 503,
		"/targets/search/search-a/metrics": 200, "/targets/search/metrics": 200, "/simulator/metrics": 200,
	} {
		if got := get(e, path, "").Code; got != want {
			t.Errorf("GET %s: %d, want %d", path, got, want)
		}
	}
	if n := len(discover(t, e)); n != 5 {
		t.Errorf("/sd lists %d targets, want 5", n)
	}
	all, _ := ofMessages(scrape(t, e, "/metrics", acceptText), nil)
	if n := all.sum("slo_objective_ratio", `service="shop"`) + all.sum("pod_info", `service="shop"`); n != 0 {
		t.Error("/metrics shows a service in a monitoring gap")
	}
	if all.sum("pod_info", `service="search"`) != 1 {
		t.Error("/metrics does not show the other service")
	}
}

// TestLateSeries shows which series of requests there are before any answer
// and after some.
func TestLateSeries(t *testing.T) {
	for name, test := range map[string]struct {
		late       bool
		pods, edge int // series of the pod and of the load balancer
		codes      []string
	}{
		"all from the start": {false, 6, 6, nil},
		"with the first":     {true, 2, 1, []string{"200", "504"}},
	} {
		t.Run(name, func(t *testing.T) {
			pod := web.Pod{Name: "shop-a", State: web.Serving}
			pod.Requests[web.High][web.OK] = 3
			pod.Requests[web.Low][web.GatewayTimeout] = 1
			snapshot := handMade(100, pod)
			state := snapshot.Services[0].State.(*web.Snapshot)
			state.Config.LateSeries = test.late
			state.Codes[web.TooMany] = 2
			s := newStage()
			s.put(snapshot)
			got := map[string]int{}
			for _, family := range scrape(t, s.exporter(), "/metrics", acceptText) {
				got[family.GetName()] = len(family.Metric)
			}
			want := map[string]int{"http_requests_total": test.pods, "load_balancer_requests_total": test.edge}
			for metric, n := range want {
				if diff := cmp.Diff(n, got[metric]); diff != "" {
					t.Errorf("series of %s (-want +got):\n%s", metric, diff)
				}
			}
		})
	}
}
