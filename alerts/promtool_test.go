package alerts

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/firedrill/firedrill/exporter/metric"
)

// tool returns the path of a program; without it the test is skipped.
func tool(t *testing.T, name, debian string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed (Debian's package %s has it)", name, debian)
	}
	return path
}

// run runs a program, which must succeed.
func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Errorf("%s %q: %v\n%s", filepath.Base(name), args, err, out)
	}
}

// glob lists the files of a pattern, of which there must be one at least.
func glob(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no file is called %s: %v", pattern, err)
	}
	return names
}

// TestPromtoolChecks: Prometheus accepts the rules, at the committed speeds and
// at those with odd spans.
func TestPromtoolChecks(t *testing.T) {
	promtool := tool(t, "promtool", "prometheus")
	lint := []string{"check", "rules", "--lint=all", "--lint-fatal"}
	run(t, promtool, append(lint, glob(t, "gen/speed-*/rules/*.yml")...)...)
	run(t, promtool, append(lint, glob(t, "slofile/testdata/*.rules.yml")...)...)
	folder := t.TempDir()
	for _, speed := range []float64{2.5, 7, 3600} {
		o := DefaultOptions(speed)
		o.ScrapeInterval = o.clock(EvaluationInterval)
		rules, err := Rules(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range rules {
			name := filepath.Join(folder, filepath.Base(f.Path))
			if err := os.WriteFile(name, f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
			run(t, promtool, append(lint, name)...)
		}
	}
}

// TestPromtoolRules runs the rule tests: every alert fires in one of them and
// stays silent in another.
func TestPromtoolRules(t *testing.T) {
	promtool := tool(t, "promtool", "prometheus")
	for _, file := range glob(t, "testdata/*.yml") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			run(t, promtool, "test", "rules", file)
		})
	}
}

// TestAmtoolChecks: Alertmanager accepts its configurations.
func TestAmtoolChecks(t *testing.T) {
	amtool := tool(t, "amtool", "prometheus-alertmanager")
	run(t, amtool, append([]string{"check-config"}, glob(t, "gen/speed-*/alertmanager.yml")...)...)
}

// TestRoutes: where the alerts of each severity go.
func TestRoutes(t *testing.T) {
	amtool := tool(t, "amtool", "prometheus-alertmanager")
	for severity, receiver := range map[Severity]string{Page: pager, Ticket: pager, Warning: pager, None: nobody} {
		run(t, amtool, "config", "routes", "test", "--config.file=gen/speed-60/alertmanager.yml",
			"--verify.receivers="+receiver, metric.Severity+"="+string(severity))
	}
}
