package exporter_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/firedrill/firedrill/exporter"
	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
	"github.com/firedrill/firedrill/simulator/web"
)

// town returns two services in trouble of many kinds.
func town(t testing.TB) *simulator.Engine {
	late := small()
	late["late_series"] = true
	e := newEngine(t, map[string]schema.Args{"shop": {"base_rate": 400, "floor": 6}, "search": late}, "shop", "search")
	run(e, 3*simulator.Minute)
	order(t, e, "shop", "deploy_bad_build", nil)
	order(t, e, "shop", "break_pod", schema.Args{"error_ratio": 0.5, "for": "5m"})
	order(t, e, "search", "flush_cache", nil)
	order(t, e, "search", "surge", schema.Args{"factor": 4, "rise": "1m", "hold": "20m", "fall": "1m"})
	run(e, 2*simulator.Minute)
	order(t, e, "shop", "kill_instances", schema.Args{"count": 2})
	order(t, e, "shop", "restart_instances", schema.Args{"count": 1})
	order(t, e, "search", "set", schema.Args{"shed": 0.3, "recommendations": false})
	order(t, e, "shop", "rollback", nil)
	run(e, 6*simulator.Minute+17)
	return e
}

// TestReadersAgree reads one tick in every way that there is.
func TestReadersAgree(t *testing.T) {
	s := newStage()
	s.put(beside(withCDN(t, town(t).Snapshot()), raced(t).Snapshot()))
	e := s.exporter()
	f, err := e.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Release()
	want, wantNative := ofFrame(f)
	if len(want) < 300 || len(wantNative) < 10 {
		t.Fatalf("the frame shows %d samples and %d native histograms, want more", len(want), len(wantNative))
	}
	for _, accept := range []string{acceptText, acceptOpenMetrics, acceptProtobuf} {
		page, pageNative := ofMessages(scrape(t, e, "/metrics", accept), nil)
		targets, targetsNative := ofTargets(t, e, accept)
		for how, got := range map[string]samples{"/metrics": page, "/sd": targets} {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s as %s (-frame +page):\n%s", how, accept, diff)
			}
		}
		if accept != acceptProtobuf {
			wantNone(t, pageNative)
			wantNone(t, targetsNative)
			continue
		}
		for how, got := range map[string]natives{"/metrics": pageNative, "/sd": targetsNative} {
			if diff := cmp.Diff(wantNative, got); diff != "" {
				t.Errorf("%s: native histograms (-frame +page):\n%s", how, diff)
			}
		}
	}
}

func wantNone(t *testing.T, n natives) {
	t.Helper()
	if len(n) > 0 {
		t.Errorf("text carries %d native histograms", len(n))
	}
}

// sum adds up the samples of a name that have all these labels.
func (s samples) sum(name string, labels ...string) float64 {
	total := 0.0
	for k, v := range s {
		has := func(label string) bool { return strings.Contains(k+" ", " "+label+" ") }
		if strings.HasPrefix(k, name+" ") && !slices.ContainsFunc(labels, func(l string) bool { return !has(l) }) {
			total += v
		}
	}
	return total
}

// TestCountsAgree shows that the counters of one page tell one story.
func TestCountsAgree(t *testing.T) {
	s := newStage()
	engine := town(t)
	e := s.exporter()
	for range 5 {
		run(engine, 13)
		s.put(engine.Snapshot())
		all, _ := ofMessages(scrape(t, e, "/metrics", acceptText), nil)
		for _, service := range engine.Snapshot().Services {
			countsAgree(t, all, service.State.(*web.Snapshot))
		}
	}
}

func countsAgree(t *testing.T, all samples, s *web.Snapshot) {
	t.Helper()
	service := `service="` + s.Name + `"`
	equal := func(what string, got, want float64) {
		if got != want {
			t.Errorf("%s: %s is %v, want %v", s.Name, what, got, want)
		}
	}
	answered := 0.0
	for _, code := range []string{"200", "500", "504"} {
		answered += all.sum("load_balancer_requests_total", service, `code="`+code+`"`)
	}
	equal("the load balancer's count of the pods' answers", all.sum("load_balancer_request_duration_seconds_count", service), answered)
	for _, p := range s.Pods {
		pod := `pod="` + p.Name + `"`
		requests := all.sum("http_requests_total", service, pod)
		equal(p.Name+"'s count of times", all.sum("http_request_duration_seconds_count", service, pod), requests)
		equal(p.Name+"'s last bucket", all.sum("http_request_duration_seconds_bucket", service, pod, `le="+Inf"`), requests)
		if p.State == web.Serving && requests == 0 {
			t.Errorf("%s: the pod %s serves and has answered nothing", s.Name, p.Name)
		}
	}
	gone := 0.0
	for _, n := range s.Codes[:web.PodCodes] {
		gone += float64(n)
	}
	equal("the sum over all pods there ever were", answered, gone)
}

// TestEveryMetricIsShown compares the pages with the list of metrics: all of
// it and nothing else, with those labels.
func TestEveryMetricIsShown(t *testing.T) {
	s := newStage()
	s.put(beside(withCDN(t, drill(t).Snapshot()), raced(t).Snapshot()))
	labels := map[string][]string{}
	for _, family := range scrape(t, s.exporter(), "/metrics", acceptProtobuf) {
		for _, m := range family.Metric {
			names := []string{}
			for _, pair := range m.Label {
				names = append(names, pair.GetName())
			}
			if before, known := labels[family.GetName()]; known && !slices.Equal(before, names) {
				t.Errorf("%s has the labels %v and %v", family.GetName(), before, names)
			}
			labels[family.GetName()] = names
		}
	}
	want := map[string][]string{}
	for _, d := range metric.All() {
		want[d.Name] = slices.Sorted(slices.Values(d.Labels))
		if want[d.Name] == nil {
			want[d.Name] = []string{}
		}
	}
	if diff := cmp.Diff(want, labels); diff != "" {
		t.Errorf("metrics and their labels (-listed +shown):\n%s", diff)
	}
}

// TestLint runs promlint over every page.
func TestLint(t *testing.T) {
	s := newStage()
	s.put(beside(withCDN(t, town(t).Snapshot()), raced(t).Snapshot()))
	e := s.exporter()
	paths := []string{"/metrics"}
	for _, target := range discover(t, e) {
		if path := target.Labels["__metrics_path__"]; get(e, path, "").Code == http.StatusOK {
			paths = append(paths, path)
		}
	}
	for _, path := range paths {
		problems, err := promlint.New(bytes.NewReader(get(e, path, "").Body.Bytes())).Lint()
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		for _, p := range problems {
			t.Errorf("%s: %s: %s", path, p.Metric, p.Text)
		}
	}
}

// TestCountersGoBackOnlyWhereAProcessRestarts follows every counter over a
// service's troubles, tick by tick.
func TestCountersGoBackOnlyWhereAProcessRestarts(t *testing.T) {
	table := exporter.NewTable(exporter.Build{})
	engine := newEngine(t, map[string]schema.Args{"shop": {"base_rate": 400, "floor": 6}}, "shop")
	orders := map[simulator.Tick]func(){
		60:  func() { order(t, engine, "shop", "deploy_bad_build", nil) },
		180: func() { order(t, engine, "shop", "restart_instances", schema.Args{"count": 3}) },
		240: func() { order(t, engine, "shop", "kill_instances", schema.Args{"count": 3}) },
		300: func() { order(t, engine, "shop", "set", schema.Args{"autoscaler": false, "floor": 3}) },
		360: func() { order(t, engine, "shop", "rollback", nil) },
	}
	type counter struct {
		pod   string
		since simulator.Tick
		key   string
	}
	last := map[counter]float64{}
	restarts := 0
	for tick := range simulator.Tick(720) {
		if do, ok := orders[tick]; ok {
			do()
		}
		engine.Step()
		if err := table.Update(engine.Snapshot(), exporter.Clock{Speed: 1}, epoch); err != nil {
			t.Fatal(err)
		}
		f := table.Current()
		for target := range f.Targets() {
			if since := target.Status().Since; since == 180 {
				restarts++
			}
			for s := range target.Samples() {
				if s.Series.Desc.Type != metric.Counter {
					continue
				}
				c := counter{target.Labels().Instance, target.Status().Since, s.Series.Desc.Name}
				for _, l := range s.Series.Labels {
					c.key += " " + l.Value
				}
				if s.Value < last[c] {
					t.Errorf("tick %d: %v falls from %v to %v", tick, c, last[c], s.Value)
				}
				last[c] = s.Value
			}
		}
		f.Release()
	}
	if restarts == 0 {
		t.Error("no process has restarted")
	}
}
