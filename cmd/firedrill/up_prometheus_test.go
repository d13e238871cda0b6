package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/firedrill/firedrill/internal/admin"
)

// api reads an answer of the API, or of the Prometheus beside it.
func (l *live) api(path string, into any) {
	l.t.Helper()
	if err := json.Unmarshal([]byte(get(l.t, http.DefaultClient, l.url("API")+path)), into); err != nil {
		l.t.Fatal(err)
	}
}

// firing returns the alerts that fire, by name, with their labels.
func (l *live) firing() map[string]map[string]string {
	l.t.Helper()
	var answer struct {
		Data struct {
			Alerts []struct {
				Labels map[string]string
				State  string
			}
		}
	}
	l.api("/prometheus/api/v1/alerts", &answer)
	all := map[string]map[string]string{}
	for _, a := range answer.Data.Alerts {
		if a.State == "firing" {
			all[a.Labels["alertname"]] = a.Labels
		}
	}
	return all
}

// query returns the value of the first series of an instant query, "" where
// there is none.
func (l *live) query(base, expr string) string {
	l.t.Helper()
	var answer struct {
		Data struct{ Result []struct{ Value [2]any } }
	}
	l.api(base+"/api/v1/query?query="+url.QueryEscape(expr), &answer)
	if len(answer.Data.Result) == 0 {
		return ""
	}
	value, _ := answer.Data.Result[0].Value[1].(string)
	return value
}

// pages returns the pages of one severity.
func (l *live) pages(severity string) []admin.Page {
	l.t.Helper()
	var answer admin.Pages
	l.api("/api/v1/pages?severity="+severity, &answer)
	return answer.Pages
}

// TestUpPages: a bad deploy fires an alert, the alert calls somebody, and what
// they do ends both.
func TestUpPages(t *testing.T) {
	l := startUp(t, "--scenario", "bad-deploy", "--start", "manual")
	if got := l.query("/prometheus/now", "count_over_time(up{pod=\"\",service!=\"\"}[6h])"); got != "1440" {
		t.Errorf("before the start it has seen %s scrapes, want 1440", got)
	}
	l.do("clock", "advance", "30m")
	if labels := l.firing()["AvailabilityBudgetBurn"]; labels["service"] != "shop" {
		t.Errorf("the alerts %v fire", l.firing())
	}
	pages := l.pages("page")
	if len(pages) != 1 || pages[0].State != "triggered" || pages[0].Service != "shop" || pages[0].Alerts[0].Name != "AvailabilityBudgetBurn" {
		t.Fatalf("the pages are %+v", pages)
	}
	if opened, since := pages[0].Opened.Time, pages[0].Alerts[0].Since.Time; opened.Sub(since) != 30*time.Second {
		t.Errorf("an alert of %v has opened a page at %v", since, opened)
	}
	l.do("do", "shop", "rollback")
	l.do("clock", "advance", "2h")
	if pages := l.pages("page"); len(pages) != 1 || pages[0].State != "resolved" || pages[0].Resolved.By != "alerts" {
		t.Errorf("after a rollback the pages are %+v", pages)
	}
	l.do("scenario", "restart", "--paused")
	if pages := l.pages("page"); len(pages) > 0 {
		t.Errorf("another drill begins with the pages %+v", pages)
	}
	if got := l.query("/prometheus", "time() - timestamp(load_balancer_requests_total{code=\"200\"})"); got != "0" {
		t.Errorf("when another drill begins the last sample is %q seconds old", got)
	}
	l.end()
}

// TestUpWithOwnRules: people's own rule files fire as they are, at any speed.
func TestUpWithOwnRules(t *testing.T) {
	const rules = "testdata/prometheus/burn.yml"
	l := startUp(t, "--scenario", "bad-deploy", "--speed", "600", "--start", "manual", "--rules", rules, "--no-shipped-rules")
	l.do("clock", "advance", "35m")
	if firing := l.firing(); len(firing) != 1 || firing["ShopAvailabilityFastBurn"]["severity"] != "critical" {
		t.Errorf("the alerts %v fire", firing)
	}
	pages := l.pages("page")
	if len(pages) != 1 || !strings.HasPrefix(pages[0].Title, "shop fails ") || pages[0].Alerts[0].Labels["team"] != "web" {
		t.Errorf("the pages are %+v", pages)
	}
	l.end()
}

// TestUpWithConfig: a prometheus.yml gives intervals, labels and rule files.
func TestUpWithConfig(t *testing.T) {
	l := startUp(t, "--scenario", "bad-deploy", "--start", "manual", "--history", "0s", "--config", "testdata/prometheus/prometheus.yml")
	want := "firedrill: warning: testdata/prometheus/prometheus.yml:8: rule_files: no file is called testdata/prometheus/missing/*.yml\n"
	if string(*l.errs) != want {
		t.Errorf("it warns %q, want %q", *l.errs, want)
	}
	l.do("clock", "advance", "40m")
	for expr, want := range map[string]string{
		"count_over_time(up{instance=\"firedrill:9464\"}[5m])":                       "30",
		"count_over_time(ALERTS{alertname=\"ShopAvailabilityFastBurn\"}[5m])":        "15",
		"count_over_time(service:errors:ratio5m[5m])":                                "5",
		"count_over_time(ALERTS{alertname=\"Watchdog\",alertstate=\"firing\"}[10m])": "20",
	} {
		if got := l.query("/prometheus", expr); got != want {
			t.Errorf("%s is %q, want %q", expr, got, want)
		}
	}
	if pages := l.pages("page"); len(pages) != 2 || pages[0].Alerts[0].Labels["cluster"] != "drill" {
		t.Errorf("the pages are %+v", pages)
	}
	var config struct{ Data struct{ YAML string } }
	l.api("/prometheus/api/v1/status/config", &config)
	if !strings.Contains(config.Data.YAML, "cluster: drill") {
		t.Errorf("its configuration is %q", config.Data.YAML)
	}
	l.end()
}

// TestUpOnTheWallClock: on the wall clock it scrapes once a second, and its time
// is ours.
func TestUpOnTheWallClock(t *testing.T) {
	l := startUp(t, "--start", "manual", "--prometheus-clock", "wall")
	deadline := time.Now().Add(20 * time.Second)
	for l.query("/prometheus", "firedrill_speed_ratio") != "60" || l.firing()["Watchdog"] == nil {
		if time.Now().After(deadline) {
			t.Fatal("it has scraped nothing in 20 seconds")
		}
	}
	now, err := strconv.ParseFloat(l.query("/prometheus/now", "vector(time())"), 64)
	if err != nil || time.Since(time.UnixMilli(int64(now*1000))).Abs() > time.Minute {
		t.Errorf("its time is %v, %v", now, err)
	}
	l.end()
}

// TestUpWithoutPrometheus: where there is none, there is none.
func TestUpWithoutPrometheus(t *testing.T) {
	l := startUp(t, "--no-prometheus", "--start", "manual")
	response, err := http.Get(l.url("API") + "/prometheus/api/v1/alerts")
	if err != nil {
		t.Fatal(err)
	}
	if response.Body.Close(); response.StatusCode != http.StatusNotFound || strings.Contains(l.output, "  Prometheus  ") {
		t.Errorf("it answers %s and says\n%s", response.Status, l.output)
	}
	l.end()
}

// TestUpRefusesRules: what is wrong with rules and configurations is said before
// anything starts, with file and line.
func TestUpRefusesRules(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	broken := write("broken.yml", "groups:\n- name: a\n  rules:\n  - alert: B\n    expr: sum(\n  - alert: C\n    expr: up[\n")
	long := write("long.yml", "groups:\n- name: a\n  rules:\n  - alert: Long\n    expr: |\n      rate(up[90d]) > 0\n")
	fast := write("fast.yml", "global:\n  scrape_interval: 1500ms\n")
	wrong := write("wrong.yml", "global:\n  scrape_intervall: 5s\n")
	slow := write("slow.yml", "global:\n  scrape_interval: 2m\n")
	for _, c := range []struct {
		args []string
		code int
		says []string
	}{
		{[]string{"--rules", broken}, codeUsage, []string{broken + ": 5:11: ", broken + ": 7:11: "}},
		{[]string{"--rules", long, "--prometheus-memory", "64"}, codeUsage, []string{long + ": 5:11: ", `"Long"`, "more than the limit of 67108864"}},
		{[]string{"--rules", folder + "/none*.yml"}, codeUsage, []string{"none*.yml", "no file is called so"}},
		{[]string{"--config", fast}, codeFailed, []string{fast + `:2: global.scrape_interval: "1.5s" is no whole number of seconds`, "--prometheus-clock wall"}},
		{[]string{"--config", wrong}, codeFailed, []string{wrong + `:2: global.scrape_intervall: "scrape_intervall" is no key of the section global`, `did you mean "scrape_interval"?`}},
		{[]string{"--config", slow}, codeUsage, []string{"the shortest window, 5m", "a scrape interval of at most 1m15s"}},
		{[]string{"--config", folder + "/none.yml"}, codeFailed, []string{"read configuration of Prometheus", "none.yml: no such file"}},
		{[]string{"--prometheus-clock", "wall", "--speed", "3600"}, codeUsage, []string{"at speed 3600 the shortest window", "a speed of at most 75"}},
		{[]string{"--prometheus-clock", "sun"}, codeUsage, []string{`--prometheus-clock: "sun" is none of the options; allowed: simulated, wall`}},
		{[]string{"--history", "90s"}, codeUsage, []string{"--history", `"90s"`}},
	} {
		got := runFiredrill(t, append([]string{"up", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"}, c.args...)...)
		for _, part := range c.says {
			if got.code != c.code || !strings.Contains(got.err, part) || got.out != "" {
				t.Errorf("%q exits with %d and says %q, want %d and %q", c.args, got.code, got.err, c.code, part)
			}
		}
	}
}
