package promconfig_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prometheus/prometheus/model/labels"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/alerts/promconfig"
	"github.com/firedrill/firedrill/simulator/schema"
)

func parse(text string) (promconfig.Config, error) {
	return promconfig.Parse("conf/prometheus.yml", []byte(text), func(name string) string { return map[string]string{"REGION": "eu"}[name] })
}

// TestParse: what concerns rules is read, the rest is accepted.
func TestParse(t *testing.T) {
	const text = `
global:
  scrape_interval: 1m30s
  evaluation_interval: 15s
  rule_query_offset: 5s
  scrape_timeout: 10s
  external_labels: {cluster: a, region: "${REGION}-1", price: 5$$, nothing: $NOTHING}
rule_files: [rules/*.yml, /etc/prometheus/more.yml, rules/*.yml]
alerting: {alertmanagers: [{static_configs: [{targets: [localhost:9093]}]}]}
scrape_configs:
- job_name: node
  scrape_interval: 5s
  anything: goes
remote_write: [{url: http://localhost}]
`
	got, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	want := promconfig.Config{
		ScrapeInterval: 90 * time.Second, EvaluationInterval: 15 * time.Second, RuleQueryOffset: 5 * time.Second,
		ExternalLabels: labels.FromStrings("cluster", "a", "region", "eu-1", "price", "5$", "nothing", ""),
		RuleFiles:      []promconfig.Pattern{{Glob: "conf/rules/*.yml", Line: 8}, {Glob: "/etc/prometheus/more.yml", Line: 8}},
		Text:           text,
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(labels.Equal), cmpopts.IgnoreUnexported(promconfig.Config{})); diff != "" {
		t.Error(diff)
	}
	const problem = `conf/prometheus.yml:3: global.scrape_interval: "1m30s" is too long; allowed: less`
	if err := got.Problem("global.scrape_interval", "1m30s", "is too long", "less"); err.Error() != problem {
		t.Errorf("the problem is %v", err)
	}
}

// TestDefaults: what is not said is as in Prometheus.
func TestDefaults(t *testing.T) {
	for _, text := range []string{"scrape_configs: []", "global:\n", "global: {scrape_interval: 0s, evaluation_interval: 0s}"} {
		got, err := parse(text)
		if err != nil || got.ScrapeInterval != time.Minute || got.EvaluationInterval != time.Minute || got.RuleQueryOffset != 0 {
			t.Errorf("%q gives %+v, %v", text, got, err)
		}
	}
}

// TestProblems: everything that is wrong is said, with its line.
func TestProblems(t *testing.T) {
	_, err := parse(`globl: {}
global:
  scrape_intervall: 5s
  evaluation_interval: 30
  rule_query_offset: [1]
  external_labels: {a: b, a: c, __name__: d, e: {}}
rule_files:
- "[a"
- {}
`)
	want := `conf/prometheus.yml:1: globl: "globl" is no key of a prometheus.yml; allowed: ` + strings.Join(promconfig.Keys(), ", ") + ` (did you mean "global"?)
conf/prometheus.yml:3: global.scrape_intervall: "scrape_intervall" is no key of the section global; allowed: ` + strings.Join(promconfig.GlobalKeys(), ", ") + ` (did you mean "scrape_interval"?)
conf/prometheus.yml:4: global.evaluation_interval: "30" is no span of time; allowed: a span of time as Prometheus has them, for example 15s or 1m30s
conf/prometheus.yml:5: global.rule_query_offset: is a list; allowed: a span of time as Prometheus has them, for example 15s or 1m30s
conf/prometheus.yml:6: global.external_labels.a: is given twice
conf/prometheus.yml:6: global.external_labels: "__name__" is no name of a label
conf/prometheus.yml:6: global.external_labels.e: is a mapping; allowed: text
conf/prometheus.yml:8: rule_files[0]: "[a" is no pattern of paths; allowed: a path in which * and ? stand for letters
conf/prometheus.yml:9: rule_files[1]: is a mapping; allowed: a path or a pattern of paths`
	var problems schema.Problems
	if !errors.As(err, &problems) {
		t.Fatalf("the error is %v", err)
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string]string{
		"":                             "conf/prometheus.yml: the file is empty",
		"global: {":                    "conf/prometheus.yml:1: is no YAML",
		"- 1":                          "conf/prometheus.yml:1: is a list; allowed: a mapping with global",
		"global: 5":                    `conf/prometheus.yml:1: global: "5" is a single value`,
		"global: {external_labels: 5}": `conf/prometheus.yml:1: global.external_labels: "5" is no mapping`,
		"a: 1\n---\nb: 2":              "conf/prometheus.yml",
	} {
		if _, err := parse(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q gives %v, want %s", text, err, want)
		}
	}
}

// TestShipped: the configurations that come with firedrill are read.
func TestShipped(t *testing.T) {
	for _, speed := range []string{"speed-1", "speed-60"} {
		file := filepath.Join("..", "gen", speed, "prometheus.yml")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := promconfig.Parse(file, text, os.Getenv)
		if err != nil || len(c.RuleFiles) != 1 {
			t.Errorf("%s gives %+v, %v", file, c, err)
		}
		if speed == "speed-1" && (c.ScrapeInterval != alerts.DefaultOptions(1).ScrapeInterval || c.EvaluationInterval != alerts.EvaluationInterval) {
			t.Errorf("%s has the intervals %v and %v", file, c.ScrapeInterval, c.EvaluationInterval)
		}
	}
}
