package exporter_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	dto "github.com/prometheus/client_model/go"

	"github.com/firedrill/firedrill/exporter"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/web"
)

func TestStatuses(t *testing.T) {
	s := newStage()
	s.put(handMade(100, web.Pod{Name: "shop-a", State: web.Serving}, web.Pod{Name: "shop-b", State: web.Down, Ended: 90}))
	server := httptest.NewServer(s.exporter())
	defer server.Close()
	for _, test := range []struct {
		method, path string
		status       int
		body         string // "" where it does not matter
	}{
		{http.MethodGet, "/", 200, ""},
		{http.MethodGet, "/metrics", 200, ""},
		{http.MethodGet, "/sd", 200, ""},
		{http.MethodGet, "/targets/shop/metrics", 200, ""},
		{http.MethodGet, "/targets/shop/shop-a/metrics", 200, ""},
		{http.MethodGet, "/simulator/metrics", 200, ""},
		{http.MethodGet, "/targets/shop/shop-b/metrics", 503, "pod is down\n"},
		{http.MethodGet, "/targets/shop/shop-c/metrics", 404, "no such target\n"},
		{http.MethodGet, "/targets/search/metrics", 404, "no such target\n"},
		{http.MethodGet, "/targets/search/shop-a/metrics", 404, "no such target\n"},
		{http.MethodGet, "/other", 404, ""},
		{http.MethodPost, "/metrics", 405, ""},
		{http.MethodPut, "/sd", 405, ""},
		{http.MethodDelete, "/targets/shop/shop-a/metrics", 405, ""},
		{http.MethodOptions, "/", 405, ""},
	} {
		what := test.method + " " + test.path
		status, body, _ := do(t, server, test.method, test.path)
		if status != test.status || test.body != "" && body != test.body {
			t.Errorf("%s: %d %q, want %d %q", what, status, body, test.status, test.body)
		}
		if test.method != http.MethodGet {
			continue
		}
		headStatus, headBody, headLength := do(t, server, http.MethodHead, test.path)
		if headStatus != test.status || headBody != "" {
			t.Errorf("HEAD %s: %d %q, want %d and no body", test.path, headStatus, headBody, test.status)
		}
		if status == http.StatusOK && headLength != int64(len(body)) {
			t.Errorf("HEAD %s: a length of %d, want that of GET, %d", test.path, headLength, len(body))
		}
	}
}

func do(t *testing.T, server *httptest.Server, method, path string) (status int, body string, length int64) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Body.Close()
	all, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.StatusCode, string(all), w.ContentLength
}

// TestNegotiation shows which format answers which Accept header.
func TestNegotiation(t *testing.T) {
	s := newStage()
	s.put(handMade(100, web.Pod{Name: "shop-a", State: web.Serving}))
	e := s.exporter()
	const prometheus3 = "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5," +
		"text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2"
	for accept, want := range map[string]string{
		"":                "text/plain; version=0.0.4; charset=utf-8; escaping=underscores",
		"*/*":             "text/plain; version=0.0.4; charset=utf-8; escaping=underscores",
		"text/html,*/*":   "text/plain; version=0.0.4; charset=utf-8; escaping=underscores",
		acceptText:        "text/plain; version=0.0.4; charset=utf-8; escaping=underscores",
		acceptOpenMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8; escaping=underscores",
		acceptProtobuf:    "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited; escaping=underscores",
		prometheus3:       "application/openmetrics-text; version=1.0.0; charset=utf-8; escaping=allow-utf-8",
		"text/plain;version=1.0.0;escaping=allow-utf-8": "text/plain; version=1.0.0; charset=utf-8; escaping=allow-utf-8",
	} {
		w := get(e, "/metrics", accept)
		if got := w.Header().Get("Content-Type"); got != want {
			t.Errorf("Accept %q: %q, want %q", accept, got, want)
		}
		if w.Header().Get("Vary") != "Accept" {
			t.Errorf("Accept %q: Vary is %q", accept, w.Header().Get("Vary"))
		}
	}
}

// TestNames picks metrics by name, as promhttp can.
func TestNames(t *testing.T) {
	s := newStage()
	s.put(handMade(100, web.Pod{Name: "shop-a", State: web.Serving}))
	body := get(s.exporter(), "/metrics?name[]=firedrill_paused", "").Body.String()
	if n := strings.Count(body, "# TYPE"); n != 1 || !strings.Contains(body, "\nfiredrill_paused 0\n") {
		t.Errorf("name[]=firedrill_paused gives\n%s", body)
	}
}

func TestDiscovery(t *testing.T) {
	s := newStage()
	s.put(handMade(100, web.Pod{Name: "shop/a", State: web.Serving}))
	e := s.exporter()
	r := httptest.NewRequest(http.MethodGet, "https://drill.example/sd", nil)
	r.TLS = &tls.ConnectionState{}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	if got := w.Header().Get("Content-Type"); got != "application/json" {
		t.Errorf("content type %q, want application/json", got)
	}
	const want = `[` +
		`{"targets":["drill.example"],"labels":{"__metrics_path__":"/targets/shop/shop%2Fa/metrics","__scheme__":"https","instance":"shop/a:8080","job":"shop","pod":"shop/a","service":"shop"}},` +
		`{"targets":["drill.example"],"labels":{"__metrics_path__":"/targets/shop/metrics","__scheme__":"https","instance":"shop:8080","job":"shop","service":"shop"}},` +
		`{"targets":["drill.example"],"labels":{"__metrics_path__":"/simulator/metrics","__scheme__":"https","instance":"firedrill:9464","job":"firedrill"}}]`
	if diff := cmp.Diff(want, w.Body.String()); diff != "" {
		t.Errorf("/sd (-want +got):\n%s", diff)
	}
	if got := get(e, "/targets/shop/shop%2Fa/metrics", "").Code; got != http.StatusOK {
		t.Errorf("the page of a pod with a strange name answers %d", got)
	}
}

// TestProcess shows where the metrics of our own process appear.
func TestProcess(t *testing.T) {
	s := newStage()
	s.put(handMade(100, web.Pod{Name: "shop-a", State: web.Serving}))
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(collectors.NewGoCollector())
	e := exporter.New(exporter.Options{Source: s.source, Now: s.now, Process: registry})
	for path, want := range map[string]bool{"/metrics": true, "/simulator/metrics": true, "/targets/shop/metrics": false, "/targets/shop/shop-a/metrics": false} {
		for _, accept := range []string{acceptText, acceptOpenMetrics, acceptProtobuf} {
			if got := strings.Contains(get(e, path, accept).Body.String(), "go_goroutines"); got != want {
				t.Errorf("%s as %s shows go_goroutines: %v, want %v", path, accept, got, want)
			}
		}
	}
}

// TestErrors shows what clients are told when something is wrong: no more than
// they can use.
func TestErrors(t *testing.T) {
	wrong := errors.New("secret")
	clash := prometheus.NewRegistry()
	clash.MustRegister(prometheus.NewGauge(prometheus.GaugeOpts{Name: "firedrill_paused"}))
	fails := prometheus.GathererFunc(func() ([]*dto.MetricFamily, error) { return nil, wrong })
	for name, test := range map[string]struct {
		source  error
		state   any
		process prometheus.Gatherer
		status  int
	}{
		"no snapshot":                     {wrong, &web.Snapshot{}, nil, 503},
		"a model that nobody shows":       {nil, wrong, nil, 503},
		"a failing collector":             {nil, &web.Snapshot{}, fails, 500},
		"a metric of ours in the process": {nil, &web.Snapshot{}, clash, 500},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage()
			snapshot := handMade(100)
			snapshot.Services[0].State = test.state
			s.put(snapshot)
			s.err = test.source
			e := exporter.New(exporter.Options{Source: s.source, Now: s.now, Process: test.process})
			for _, accept := range []string{acceptText, acceptProtobuf} {
				w := get(e, "/metrics", accept)
				if w.Code != test.status || strings.Contains(w.Body.String(), "secret") {
					t.Errorf("status %d, want %d; the client is told %q", w.Code, test.status, w.Body)
				}
			}
		})
	}
}

// TestWhoScrapes tells scrapes from other readers, which must not start a
// simulation that waits for the first scrape.
func TestWhoScrapes(t *testing.T) {
	s := newStage()
	s.put(handMade(100, web.Pod{Name: "shop-a", State: web.Serving}))
	looks := 0
	inspect := func(ctx context.Context) (*simulator.Snapshot, exporter.Clock, error) {
		looks++
		return s.source(ctx)
	}
	e := exporter.New(exporter.Options{Source: s.source, Inspect: inspect, Now: s.now})
	for path, want := range map[string]int{"/": 1, "/sd": 1, "/metrics": 0, "/targets/shop/metrics": 0, "/targets/shop/shop-a/metrics": 0, "/simulator/metrics": 0} {
		looks = 0
		if get(e, path, ""); looks != want {
			t.Errorf("GET %s: inspected %d times, want %d", path, looks, want)
		}
	}
}

// TestCreatedTimestamps reads the created timestamps off the wire.
func TestCreatedTimestamps(t *testing.T) {
	s := newStage()
	e := s.exporter()
	show := func(tick, started simulator.Tick, wall time.Duration) string {
		s.wall = epoch.Add(wall)
		s.put(handMade(tick, web.Pod{Name: "shop-a", State: web.Serving, Started: started}))
		got := map[string]time.Duration{}
		for _, family := range scrape(t, e, "/metrics", acceptProtobuf) {
			for _, m := range family.Metric {
				switch family.GetName() {
				case "http_requests_total", "load_balancer_requests_total":
					got[family.GetName()] = m.Counter.GetCreatedTimestamp().AsTime().Sub(epoch)
				case "http_request_duration_seconds", "load_balancer_request_duration_seconds":
					got[family.GetName()] = m.Histogram.GetCreatedTimestamp().AsTime().Sub(epoch)
				}
			}
		}
		return fmt.Sprint(got)
	}
	for _, step := range []struct {
		tick, started simulator.Tick
		wall          time.Duration
		pod, edge     string
	}{
		{600, 300, 0, "-5s", "-10s"},
		{660, 300, time.Second, "-5s", "-10s"},
		{720, 690, 2 * time.Second, "1.5s", "-10s"},
	} {
		want := fmt.Sprintf("map[http_request_duration_seconds:%[1]s http_requests_total:%[1]s load_balancer_request_duration_seconds:%[2]s load_balancer_requests_total:%[2]s]", step.pod, step.edge)
		if got := show(step.tick, step.started, step.wall); got != want {
			t.Errorf("tick %d: created\n%s, want\n%s", step.tick, got, want)
		}
	}
}
