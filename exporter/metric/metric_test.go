package metric_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firedrill/firedrill/exporter/metric"
)

// TestNames checks that a metric's name says its type and unit.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range metric.All() {
		if seen[d.Name] {
			t.Errorf("%s is there twice", d.Name)
		}
		seen[d.Name] = true
		if strings.HasSuffix(d.Name, "_total") != (d.Type == metric.Counter) {
			t.Errorf("%s is a %s", d.Name, d.Type)
		}
		if strings.HasSuffix(d.Name, "_info") != (d.Type == metric.Info) {
			t.Errorf("%s: only an Info ends in _info", d.Name)
		}
		base := strings.TrimSuffix(d.Name, "_total")
		for unit, suffix := range map[string]string{"seconds": "_seconds", "ratio": "_ratio", "dollars": "_dollars", "queries per second": "_queries_per_second"} {
			if (d.Unit == unit) != (strings.HasSuffix(base, suffix) && (unit != "seconds" || !strings.HasSuffix(base, "_per_second"))) {
				t.Errorf("%s has the unit %q", d.Name, d.Unit)
			}
		}
		if (d.Unit == "") != (d.Type == metric.Info || d.Type == metric.Flag) {
			t.Errorf("%s is a %s with the unit %q", d.Name, d.Type, d.Unit)
		}
		if !strings.HasSuffix(d.Help, ".") || strings.ContainsAny(d.Help, "\n|\\") {
			t.Errorf("%s: the help %q is no sentence on one line", d.Name, d.Help)
		}
	}
}

// TestAllMetricsAreListed counts the metrics in the source.
func TestAllMetricsAreListed(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if literal, ok := node.(*ast.CompositeLit); ok {
				if name, ok := literal.Type.(*ast.Ident); ok && name.Name == "Desc" {
					n++
				}
			}
			return true
		})
	}
	if got := len(metric.All()); got != n || n == 0 {
		t.Errorf("%d metrics are listed, %d are described", got, n)
	}
}

func TestOwnLabels(t *testing.T) {
	if diff := cmp.Diff([]string{"version", "priority", "code"}, metric.HTTPRequests.OwnLabels()); diff != "" {
		t.Errorf("own labels (-want +got):\n%s", diff)
	}
	if got := metric.HTTPRequests.Labels[0]; got != metric.Service {
		t.Errorf("OwnLabels changes the metric: its first label is %q", got)
	}
}

func TestHistogramNames(t *testing.T) {
	d := &metric.HTTPRequestDuration
	got := []string{d.Bucket(), d.Sum(), d.Count()}
	want := []string{"http_request_duration_seconds_bucket", "http_request_duration_seconds_sum", "http_request_duration_seconds_count"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

func TestMarkdown(t *testing.T) {
	text := metric.Markdown()
	for _, d := range metric.All() {
		if n := strings.Count(text, "| `"+d.Name+"` |"); n != 1 {
			t.Errorf("%s stands %d times in the tables", d.Name, n)
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if strings.HasPrefix(line, "|") && strings.Count(line, "|") != 6 {
			t.Errorf("a row has %d bars: %s", strings.Count(line, "|"), line)
		}
	}
	const want = "| `http_request_duration_seconds` | histogram | seconds | `service`, `pod` | "
	if !strings.Contains(text, want) {
		t.Errorf("no row begins with %q", want)
	}
}
