package oracle_test

import (
	"debug/buildinfo"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
)

// hours is how many hours of rules are compared for speed: 24 take promtool more
// than ten minutes.
var hours = flag.Int("hours", 2, "simulated hours that promtool is timed over")

// promtool returns the genuine promtool of the version that is linked. .ci/run
// builds it and puts it into PATH.
func promtool(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is not installed")
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	version := moduleVersion(t, "go.mod")
	if !slices.ContainsFunc(append(info.Deps, &info.Main), func(m *debug.Module) bool {
		return m.Path == "github.com/prometheus/prometheus" && m.Version == version
	}) {
		t.Skipf("%s is not of %s", path, version)
	}
	return path
}

// unitTest writes a drill as a test file of promtool, with one expectation that
// holds at its end, and returns its name.
func unitTest(t *testing.T, d drill) string {
	t.Helper()
	values := make([]strings.Builder, len(d.scrapes[0]))
	names := make([]labels.Labels, len(values))
	for _, samples := range d.scrapes {
		for i, p := range samples {
			names[i] = p.labels
			fmt.Fprintf(&values[i], "%.0f ", p.v)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "rule_files: [%s]\nevaluation_interval: %v\ntests:\n  - interval: %v\n    input_series:\n", d.rules[0], evaluation, d.scrape)
	for i := range values {
		fmt.Fprintf(&b, "      - {series: '%s', values: '%s'}\n", names[i], values[i].String())
	}
	fmt.Fprintf(&b, "    promql_expr_test:\n      - {expr: count(http_requests_total), eval_time: %v, exp_samples: [{labels: '{}', value: %d}]}\n",
		d.end().Sub(d.start), len(values))
	name := filepath.Join(t.TempDir(), "tests.yml")
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestFasterThanPromtool holds that promengine needs a twentieth of the
// processor time of promtool test rules for hours of burn-rate rules, samples
// included.
func TestFasterThanPromtool(t *testing.T) {
	const atLeast = 20
	path, d := promtool(t), burnRates(t, time.Duration(*hours)*time.Hour, 496)
	cmd := exec.Command(path, "test", "rules", unitTest(t, d))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	theirs := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	before := cpu(t)
	runSpans(t, d, func() int { return len(d.scrapes) })
	ours := cpu(t) - before
	ratio := float64(theirs) / float64(ours)
	t.Logf("promtool %v, one span %v (%.0f times as fast)", theirs, ours, ratio)
	if ratio < atLeast {
		t.Errorf("one span is %.1f times as fast as promtool, want %d", ratio, atLeast)
	}
}
