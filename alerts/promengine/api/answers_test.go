package api_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/alerts/promengine/api"
	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/exporter/series"
)

// full returns an API over a state in which everything is set.
func full(t *testing.T) *api.API {
	t.Helper()
	store, engine := filled(t)
	list := []promengine.TargetStatus{
		{Labels: series.Labels{Job: "shop", Instance: "a:8080", Pod: "a"}, Answers: true, LastScrape: simulated.Add(-5 * time.Second), Metrics: []*metric.Desc{&metric.HTTPRequests}},
		{Labels: series.Labels{Job: "shop", Instance: "b:8080", Pod: "b"}, LastScrape: simulated.Add(-5 * time.Second)},
	}
	return api.New(api.Options{Source: func(context.Context) (api.State, error) {
		return api.State{
			Store: store, Engine: engine, Now: simulated, Wall: wall, Config: "global: {}\n", Build: api.Build{Version: "1.2.3"},
			Scrape:  api.Scrape{Pool: "firedrill", Interval: 15 * time.Second, Targets: func() []promengine.TargetStatus { return list }},
			Runtime: api.Runtime{Start: simulated.Add(-time.Hour), ConfigTime: simulated.Add(-time.Hour), Retention: 7 * time.Hour, Directory: "/work", Hostname: "here"},
		}, nil
	}})
}

// TestTimesOfAnswers: all times in answers are on the clock of the request.
func TestTimesOfAnswers(t *testing.T) {
	a := full(t)
	for _, c := range []struct {
		path   string
		fields map[string]time.Duration // before now
	}{
		{"rules", map[string]time.Duration{"lastEvaluation": 0, "activeAt": 9 * time.Minute}},
		{"targets", map[string]time.Duration{"lastScrape": 5 * time.Second}},
		{"status/runtimeinfo", map[string]time.Duration{"startTime": time.Hour, "lastConfigTime": time.Hour, "serverTime": 0}},
		{"status/tsdb", map[string]time.Duration{"minTime": 10 * time.Minute, "maxTime": 0}},
	} {
		for _, clock := range []struct {
			name string
			h    http.Handler
			now  time.Time
		}{{"samples", a.Handler(), simulated}, {"wall", a.Shifted(), wall}} {
			text := string(get(t, clock.h, "/api/v1/"+c.path).Data)
			for field, before := range c.fields {
				want, _ := json.Marshal(clock.now.Add(-before))
				if strings.HasSuffix(field, "Time") && c.path == "status/tsdb" {
					want, _ = json.Marshal(clock.now.Add(-before).UnixMilli())
				}
				if !strings.Contains(text, `"`+field+`":`+string(want)) {
					t.Errorf("%s on the clock of the %s: no %q of %s in %s", c.path, clock.name, field, want, text)
				}
			}
		}
	}
}

// TestTargets: where no address is known, it is the instance's.
func TestTargets(t *testing.T) {
	compare(t, "silent", string(get(t, full(t).Handler(), "/api/v1/targets", "state", "active").Data), `{"activeTargets":[`+
		`{"discoveredLabels":{"__address__":"a:8080","__metrics_path__":"/metrics","__scheme__":"http","__scrape_interval__":"15s","__scrape_timeout__":"15s","instance":"a:8080","job":"shop","pod":"a"},`+
		`"labels":{"instance":"a:8080","job":"shop","pod":"a"},"scrapePool":"firedrill","scrapeUrl":"http://a:8080/metrics","globalUrl":"http://a:8080/metrics","lastError":"",`+
		`"lastScrape":"2026-01-05T07:59:55Z","lastScrapeDuration":0,"health":"up","scrapeInterval":"15s","scrapeTimeout":"15s"},`+
		`{"discoveredLabels":{"__address__":"b:8080","__metrics_path__":"/metrics","__scheme__":"http","__scrape_interval__":"15s","__scrape_timeout__":"15s","instance":"b:8080","job":"shop","pod":"b"},`+
		`"labels":{"instance":"b:8080","job":"shop","pod":"b"},"scrapePool":"firedrill","scrapeUrl":"http://b:8080/metrics","globalUrl":"http://b:8080/metrics",`+
		`"lastError":"server returned HTTP status 503 Service Unavailable","lastScrape":"2026-01-05T07:59:55Z","lastScrapeDuration":0,"health":"down","scrapeInterval":"15s","scrapeTimeout":"15s"}],`+
		`"droppedTargets":[],"droppedTargetCounts":null}`)
}

// TestWithoutRules: a state may have no engine and no targets.
func TestWithoutRules(t *testing.T) {
	h := api.New(api.Options{Source: source(new(promengine.Store), nil)}).Handler()
	for path, want := range map[string]string{
		"rules": `{"groups":[]}`, "alerts": `{"alerts":[]}`, "metadata": `{}`, "targets/metadata": `[]`, "status/flags": `{}`, "labels": `[]`,
		"query_exemplars": `[]`,
	} {
		compare(t, path, string(get(t, h, "/api/v1/"+path, "query", "up").Data), want)
	}
}

// TestGzip: whoever takes gzip gets it.
func TestGzip(t *testing.T) {
	r := httptest.NewRequest(http.MethodGet, "/api/v1/status/config", nil)
	r.Header.Set("Accept-Encoding", "br, gzip")
	w := httptest.NewRecorder()
	full(t).Handler().ServeHTTP(w, r)
	if got := w.Header().Get("Content-Encoding"); got != "gzip" {
		t.Fatalf("the encoding is %q", got)
	}
	unzip, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unzip)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "config", string(text), `{"status":"success","data":{"yaml":"global: {}\n"}}`)
}

// TestPages: what is there besides the API.
func TestPages(t *testing.T) {
	h := full(t).Handler()
	for _, c := range []struct {
		method, path string
		code         int
		text         string
	}{
		{http.MethodGet, "/-/healthy", 200, "Prometheus Server is Healthy.\n"}, {http.MethodHead, "/-/ready", 200, "Prometheus Server is Ready.\n"},
		{http.MethodPost, "/-/ready", 405, "Method Not Allowed\n"}, {http.MethodGet, "/graph", 404, "404 page not found\n"}, {http.MethodGet, "/api/v1/x", 404, "404 page not found\n"},
		{http.MethodGet, "/api/v1", 404, "404 page not found\n"},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(c.method, c.path, nil))
		if w.Code != c.code || w.Body.String() != c.text {
			t.Errorf("%s %s: %d %q, want %d %q", c.method, c.path, w.Code, w.Body, c.code, c.text)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	if w.Code != 200 || !strings.Contains(w.Body.String(), "promtool query instant") {
		t.Errorf("the first page: %d %q", w.Code, w.Body)
	}
}
