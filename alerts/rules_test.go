package alerts

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/simulator/latency"
	"github.com/firedrill/firedrill/simulator/web"
)

// ruleOf is a rule as it is read from a file.
type ruleOf struct {
	Record, Alert, Expr string
	For                 string
	KeepFiringFor       string `yaml:"keep_firing_for"`
	Labels, Annotations map[string]string
}

// shipped reads the rules that are shipped at a speed.
func shipped(t testing.TB, speed float64) []ruleOf {
	t.Helper()
	o := DefaultOptions(speed)
	o.ScrapeInterval = min(o.ScrapeInterval, max(time.Millisecond, (o.clock(windows()[0])/scrapesNeeded).Truncate(time.Millisecond)))
	files, err := Rules(o)
	if err != nil {
		t.Fatal(err)
	}
	var all []ruleOf
	for _, f := range files {
		var file struct {
			Groups []struct {
				Name, Interval string
				Rules          []ruleOf
			}
		}
		decode(t, f, &file)
		for _, g := range file.Groups {
			all = append(all, g.Rules...)
		}
	}
	return all
}

// decode reads a file.
func decode(t testing.TB, f File, into any) {
	t.Helper()
	if err := yaml.Unmarshal(f.Data, into); err != nil {
		t.Fatalf("%s: %v", f.Path, err)
	}
}

// alertNames lists the alerts of the rules, each once.
func alertNames(rules []ruleOf) []string {
	var names []string
	for _, r := range rules {
		if r.Alert != "" && !slices.Contains(names, r.Alert) {
			names = append(names, r.Alert)
		}
	}
	slices.Sort(names)
	return names
}

// TestAlertsAreComplete: every alert has a severity, a summary, a description
// with values, and the URL of a page that exists.
func TestAlertsAreComplete(t *testing.T) {
	rules := shipped(t, 1)
	for _, r := range rules {
		if r.Alert == "" {
			continue
		}
		if s := Severity(r.Labels[metric.Severity]); !slices.Contains([]Severity{Page, Ticket, Warning, None}, s) {
			t.Errorf("%s has severity %q", r.Alert, s)
		}
		if r.Annotations[summaryAnnotation] == "" {
			t.Errorf("%s has no summary", r.Alert)
		}
		if !strings.Contains(r.Annotations[descriptionAnnotation], "{{ $") && r.Alert != "Watchdog" {
			t.Errorf("%s has no values in its description %q", r.Alert, r.Annotations[descriptionAnnotation])
		}
		if r.Annotations[runbookAnnotation] != metric.Runbooks+r.Alert+".md" {
			t.Errorf("%s has the runbook %q", r.Alert, r.Annotations[runbookAnnotation])
		}
	}
	if n := len(alertNames(rules)); n < 15 {
		t.Errorf("there are %d alerts", n)
	}
}

// TestRunbooks: there is a page for every alert, and one for the SLOs of other
// people, and no other; each has the sections that a runbook needs, and the
// document on alerts names it.
func TestRunbooks(t *testing.T) {
	want := append(alertNames(shipped(t, 1)), DefaultAlert)
	slices.Sort(want)
	pages, err := filepath.Glob("../docs/runbooks/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, page := range pages {
		got = append(got, strings.TrimSuffix(filepath.Base(page), ".md"))
	}
	if !slices.Equal(got, want) {
		t.Errorf("pages %q, alerts %q", got, want)
	}
	overview, err := os.ReadFile("../docs/alerts.md")
	if err != nil {
		t.Fatal(err)
	}
	for i, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{"# " + got[i], "## What it means", "## What to look at", "## What helps", "## When it is over"} {
			if !strings.Contains(string(text), line+"\n") {
				t.Errorf("%s has no line %q", page, line)
			}
		}
		if !strings.Contains(string(overview), "(runbooks/"+got[i]+".md)") {
			t.Errorf("docs/alerts.md does not link to %s", page)
		}
	}
}

// TestOnlySymptomsPage: what users feel, what cannot be measured, and traffic
// that stays away page; nothing else does.
func TestOnlySymptomsPage(t *testing.T) {
	var pages []ruleOf
	for _, r := range shipped(t, 1) {
		if r.Labels[metric.Severity] == string(Page) {
			pages = append(pages, r)
		}
	}
	want := []string{"AvailabilityBudgetBurn", "LatencyBudgetBurn", "SLIMissing", "TrafficDropped"}
	if got := alertNames(pages); !slices.Equal(got, want) {
		t.Errorf("%q page, want %q", got, want)
	}
}

// TestRatios: every recorded ratio is of sums of rates over its own window, for
// the one service that the sum keeps, and nothing stands in for missing data.
func TestRatios(t *testing.T) {
	for _, r := range shipped(t, 1) {
		if strings.Contains(r.Expr, "vector(") && r.Alert != "Watchdog" || strings.Contains(r.Expr, " or ") || strings.Contains(r.Expr, "avg") {
			t.Errorf("%s%s makes up data: %s", r.Record, r.Alert, r.Expr)
		}
		window, ok := strings.CutPrefix(r.Record, "slo:sli_error:ratio_rate")
		if !ok {
			continue
		}
		if n := strings.Count(r.Expr, "sum by (service) (rate("); n != 2 || strings.Count(r.Expr, "["+window+"]") != 2 || strings.Count(r.Expr, "[") != 2 {
			t.Errorf("%s is recorded from %s", r.Record, r.Expr)
		}
	}
}

// TestBurnRateAlerts: each SLO has the four pairs; none waits, and the
// arithmetic is printed.
func TestBurnRateAlerts(t *testing.T) {
	for _, s := range Web() {
		var got []string
		for _, r := range shipped(t, 1) {
			if r.Alert != s.Alert {
				continue
			}
			got = append(got, r.Labels[metric.Severity]+" "+r.Labels[metric.Window])
			if r.For != "" || strings.Count(r.Expr, "\nand on (service, slo)\n") != 1 || strings.Count(r.Expr, " * (1 - "+number(s.Objective)+")") != 2 {
				t.Errorf("%s: for %q: %s", r.Alert, r.For, r.Expr)
			}
		}
		if want := []string{"page 1h", "page 6h", "ticket 1d", "ticket 3d"}; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", s.Name, got, want)
		}
	}
}

// TestSpeedsAgree: whatever the speed, the rules differ in spans alone.
func TestSpeedsAgree(t *testing.T) {
	spans := regexp.MustCompile(`\[[0-9a-z]+\]`)
	made := regexp.MustCompile(`(/ |made for )[0-9.]+`)
	canonical := shipped(t, 1)
	for _, speed := range []float64{2.5, 7, 60, 600, 3600} {
		for i, r := range shipped(t, speed) {
			want := canonical[i]
			plain := func(text string) string { return made.ReplaceAllString(spans.ReplaceAllString(text, "[]"), "") }
			if r.Record != want.Record || r.Alert != want.Alert || plain(r.Expr) != plain(want.Expr) ||
				plain(r.Annotations[descriptionAnnotation]) != plain(want.Annotations[descriptionAnnotation]) || (r.For == "") != (want.For == "") {
				t.Errorf("speed %g: %+v\nwant %+v", speed, r, want)
			}
		}
	}
}

// TestTargetDownIsInTime: a killed pod is listed for five simulated minutes. A
// scrape and an evaluation may pass before the alert begins to wait, and one
// more evaluation before it ends.
func TestTargetDownIsInTime(t *testing.T) {
	const listed = 5 * time.Minute
	hold := maker{DefaultOptions(1)}.targetDown().hold.canonical
	if latest := 15*time.Second + 2*EvaluationInterval + hold; latest >= listed {
		t.Errorf("TargetDown fires after up to %v, and pods are listed for %v", latest, listed)
	}
}

// TestNamesExist: what the rules read is exported, recorded, or Prometheus'
// own, and each label that they match belongs to the metric.
func TestNamesExist(t *testing.T) {
	labels := map[string][]string{metric.Up: nil}
	for _, d := range metric.All() {
		labels[d.Name] = d.Labels
		if d.Type == metric.Histogram {
			labels[d.Bucket()], labels[d.Count()] = append(slices.Clone(d.Labels), metric.LE), d.Labels
		}
	}
	rules := shipped(t, 1)
	for _, r := range rules {
		if r.Record != "" {
			labels[r.Record] = []string{metric.Service, metric.SLO}
		}
	}
	selectors := regexp.MustCompile(`([a-z_:][a-z0-9_:]*)(\{[^}]*\})?(\[[0-9a-z]+\]|$|[) ])`)
	noName := []string{"and", "on", "unless", "by", "service", "slo", "version", "pod", "group_left", "sum", "max"}
	seen := 0
	for _, r := range rules {
		for line := range strings.Lines(r.Expr) {
			for _, found := range selectors.FindAllStringSubmatch(strings.TrimSpace(line), -1) {
				if slices.Contains(noName, found[1]) {
					continue
				}
				own, known := labels[found[1]]
				if !known {
					t.Errorf("%s%s reads %q, which nobody writes", r.Record, r.Alert, found[1])
					continue
				}
				seen++
				s, err := ParseSelector(found[1] + found[2])
				if err != nil {
					t.Error(err)
				}
				for _, m := range s.Matchers {
					if !slices.Contains(own, m.Label) {
						t.Errorf("%s%s: %s has no label %s", r.Record, r.Alert, found[1], m.Label)
					}
				}
			}
		}
	}
	if seen < 60 {
		t.Errorf("found only %d selectors", seen)
	}
}

// TestWebWords: the rules use the words of the model and of the exporter.
func TestWebWords(t *testing.T) {
	for word, want := range map[string]string{metric.Serving: web.Serving.String(), metric.Booting: web.Booting.String(), metric.Down: web.Down.String()} {
		if word != want {
			t.Errorf("%q is called %q by the model", word, want)
		}
	}
	for _, s := range Web() {
		if problems := s.Validate(); len(problems) > 0 {
			t.Errorf("%s: %v", s.Name, problems)
		}
		if b, ok := s.Indicator.(Buckets); ok && !slices.Contains(latency.Classic(), b.Threshold) {
			t.Errorf("%s: %g is no bucket", s.Name, b.Threshold)
		}
	}
	var codes []string
	for code := range web.Codes {
		codes = append(codes, strconv.Itoa(web.Code(code).Status()))
	}
	for _, code := range []string{metric.ShedCode, metric.TimeoutCode} {
		if !slices.Contains(codes, code) {
			t.Errorf("the model has no code %s, but %q", code, codes)
		}
	}
}
