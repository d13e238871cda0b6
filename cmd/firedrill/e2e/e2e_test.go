//go:build e2e

package e2e

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const scenario = "testdata/drill.yaml"

// What Prometheus 2.42 asks for when it scrapes.
const scrapeAccept = "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"

// drill is a running firedrill with a Prometheus that watches it.
type drill struct {
	*prometheus
	firedrill      string // the program
	process        *process
	metrics, admin string // where it listens
}

func newDrill(ctx context.Context, t *testing.T) *drill {
	t.Helper()
	d := &drill{firedrill: buildFiredrill(ctx, t), metrics: freeAddress(t), admin: freeAddress(t)}
	d.process = start(t, d.firedrill, "up", "--scenario", scenario, "--speed", "60", "--start", "manual", "--listen", d.metrics, "--admin", d.admin)
	eventually(ctx, t, "firedrill listens", func() error {
		_, err := fetch(ctx, "http://"+d.metrics+"/sd", "")
		return errors.Join(err, d.process.hasEnded())
	})
	d.prometheus = startPrometheus(ctx, t, "http://"+d.metrics+"/sd")
	return d
}

// buildFiredrill builds the program and returns its path.
func buildFiredrill(ctx context.Context, t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "firedrill")
	run(ctx, t, nil, "go", "build", "-o", program, "..")
	return program
}

// TestDrill kills pods and scales the fleet, through each of the ways that
// there are, while a real Prometheus watches.
func TestDrill(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 110*time.Second)
	defer cancel()
	d := newDrill(ctx, t)

	first := d.waitForPods(ctx, t, "the first pods are up", 4)
	d.checkExposition(ctx, t)

	d.command(ctx, t, "clock", "resume")
	d.waitForDown(ctx, t, "the scenario kills a pod", 1)
	d.waitForNew(ctx, t, "the killed pod is replaced", first, 1)

	d.act(ctx, t, "kill_instances", `{"args": {"count": 2}}`)
	killed := d.waitForDown(ctx, t, "the API kills two pods more", 3)
	d.waitForNew(ctx, t, "they are replaced", first, 3)

	d.command(ctx, t, "do", "shop", "set", "floor=8")
	d.waitForPods(ctx, t, "the fleet scales out", 8)
	d.command(ctx, t, "do", "shop", "set", "floor=3")
	left := d.waitForPods(ctx, t, "the fleet scales in", 3)

	d.act(ctx, t, "restart_instances", `{"args": {"count": 1}}`)
	restarted := d.waitForResets(ctx, t, "a pod restarts", 1)
	if !slices.Contains(left, restarted[0]) {
		t.Errorf("%s restarted, want one of %q", restarted, left)
	}

	d.checkHistory(ctx, t, killed)
	d.process.interrupt(ctx, t)
}

// act asks for an action through the admin API.
func (d *drill) act(ctx context.Context, t *testing.T, action, document string) {
	t.Helper()
	body, err := post(ctx, "http://"+d.admin+"/api/v1/services/shop/actions/"+action, document, http.StatusAccepted)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %s", action, body)
}

// command runs firedrill as a client of its API.
func (d *drill) command(ctx context.Context, t *testing.T, args ...string) {
	t.Helper()
	t.Logf("firedrill %s: %s", strings.Join(args, " "), run(ctx, t, nil, d.firedrill, append(args, "--url", "http://"+d.admin)...))
}

// waitForPods waits until Prometheus has exactly n pods as targets, all up,
// and returns their instances.
func (d *drill) waitForPods(ctx context.Context, t *testing.T, what string, n int) []string {
	t.Helper()
	var pods []string
	eventually(ctx, t, what, func() error {
		targets, err := d.targets(ctx)
		if err != nil {
			return err
		}
		pods = nil
		for _, target := range targets {
			if target.Health == "up" && target.Labels["pod"] != "" {
				pods = append(pods, target.Labels["instance"])
			}
		}
		if len(pods) != n {
			return fmt.Errorf("%d pods are up, want %d, of targets %v", len(pods), n, targets)
		}
		return nil
	})
	return pods
}

// waitForDown waits until Prometheus has seen n pods down in all and returns
// their instances.
func (d *drill) waitForDown(ctx context.Context, t *testing.T, what string, n int) []string {
	t.Helper()
	return d.waitForInstances(ctx, t, what, `min_over_time(up{pod!=""}[10m]) == 0`, n)
}

// waitForNew waits until n pods in all have been up that were not among the
// first ones.
func (d *drill) waitForNew(ctx context.Context, t *testing.T, what string, first []string, n int) {
	t.Helper()
	d.waitForInstances(ctx, t, what, fmt.Sprintf(`max_over_time(up{pod!="", instance!~%q}[10m]) == 1`, strings.Join(first, "|")), n)
}

// waitForResets waits until the request counters of n pods have gone back and
// returns their instances.
func (d *drill) waitForResets(ctx context.Context, t *testing.T, what string, n int) []string {
	t.Helper()
	return d.waitForInstances(ctx, t, what, `sum by (instance) (resets(http_requests_total[10m])) > 0`, n)
}

// waitForInstances waits until a query gives n instances and returns them.
func (d *drill) waitForInstances(ctx context.Context, t *testing.T, what, expr string, n int) []string {
	t.Helper()
	var instances []string
	eventually(ctx, t, what, func() error {
		result, err := d.query(ctx, expr)
		if err != nil {
			return err
		}
		instances = slices.Sorted(maps.Keys(result))
		if len(instances) != n {
			return fmt.Errorf("%s gives %q, want %d", expr, instances, n)
		}
		return nil
	})
	return instances
}

// checkExposition checks /metrics as promtool and as a Prometheus that scrapes
// see it.
func (d *drill) checkExposition(ctx context.Context, t *testing.T) {
	t.Helper()
	address := "http://" + d.metrics + "/metrics"
	for accept, want := range map[string]struct{ contentType, end string }{
		"":           {"text/plain; version=0.0.4", "\n"},
		"text/plain": {"text/plain; version=0.0.4", "\n"},
		scrapeAccept: {"application/openmetrics-text; version=1.0.0", "\n# EOF\n"},
	} {
		page, contentType, err := fetchAs(ctx, address, accept)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(contentType, want.contentType) {
			t.Errorf("Accept %q is answered with %q, want %q", accept, contentType, want.contentType)
		}
		if !strings.HasSuffix(string(page), want.end) {
			t.Errorf("Accept %q: the page does not end in %q", accept, want.end)
		}
		if accept == "" {
			run(ctx, t, page, "promtool", "check", "metrics")
		}
	}
}

// checkHistory checks what must hold over everything that Prometheus has seen.
func (d *drill) checkHistory(ctx context.Context, t *testing.T, killed []string) {
	t.Helper()
	for _, c := range []struct {
		what, expr string
		want       []string
	}{
		{"only killed pods were ever down", `min_over_time(up[10m]) == 0`, killed},
		{"what pods share never went back", `sum by (instance) (resets({__name__=~"(load_balancer_requests|cache_requests|db_queries)_total"}[10m])) > 0`, nil},
		{"every scrape that succeeded had samples", `min_over_time(scrape_samples_scraped[10m]) == 0 and min_over_time(up[10m]) == 1`, nil},
		{"histograms count all requests", `abs(sum by (instance) (http_requests_total) - sum by (instance) (http_request_duration_seconds_count)) > 0`, nil},
	} {
		result, err := d.query(ctx, c.expr)
		if err != nil {
			t.Error(err)
			continue
		}
		got, want := slices.Sorted(maps.Keys(result)), slices.Sorted(slices.Values(c.want))
		if !slices.Equal(got, want) {
			t.Errorf("%s: %s gives %q, want %q", c.what, c.expr, got, want)
		}
	}
}
