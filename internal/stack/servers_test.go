//go:build e2e

package stack

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// testServers: the real Prometheus and Alertmanager come up with the very flags
// of the compose file, find each other and firedrill, and an outage becomes a
// page there. Only the names of the containers are 127.0.0.1, and folders others.
func (i image) testServers(t *testing.T) {
	for _, name := range []string{"prometheus", "prometheus-alertmanager"} {
		if out, err := exec.Command(name, "--version").CombinedOutput(); err != nil || strings.Contains(string(out), "prometheus, version 2.") {
			t.Skipf("there is no %s, or an old one: %v %.100s", name, err, out)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	rules := load(t).Services["rules"]
	rules.Command = slices.Concat(rules.Command, []string{
		"--discovery", "http://127.0.0.1:9464/sd", "--alertmanager", "127.0.0.1:9093", "--webhook", "http://127.0.0.1:8080/api/v1/alertmanager",
	})
	if out, err := i.run(t, rules); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	i.serve(ctx, t)
	i.server(ctx, t, "alertmanager", "prometheus-alertmanager")
	i.server(ctx, t, "prometheus", "prometheus")
	eventually(ctx, t, "Prometheus sees all targets", func() error {
		_, body := get(ctx, t, "127.0.0.1:9090/api/v1/targets?state=active")
		if up := strings.Count(body, `"health":"up"`); up < 10 || up != strings.Count(body, `"health":"`) {
			return fmt.Errorf("%d are up: %.500s", up, body)
		}
		return nil
	})
	began := time.Now()
	if out, err := i.start(ctx, i.entrypoint[0], "do", "shop", "set_baseline_errors", "ratio=0.5").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	eventually(ctx, t, "Alertmanager has the page", func() error {
		_, body := get(ctx, t, `127.0.0.1:9093/api/v2/alerts?filter=severity%3D%22page%22`)
		if !strings.Contains(body, `"alertname":"AvailabilityBudgetBurn"`) || !strings.Contains(body, `"generatorURL":"http://localhost:9090/`) {
			return errors.New(body)
		}
		return nil
	})
	t.Logf("half of all requests fail: Alertmanager has the page after %v", time.Since(began).Round(100*time.Millisecond))
	eventually(ctx, t, "firedrill has the page", func() error {
		_, body := get(ctx, t, "127.0.0.1:8080/api/v1/pages")
		if !strings.Contains(body, `"name":"AvailabilityBudgetBurn"`) || !strings.Contains(body, `"origins":["alertmanager"]`) {
			return errors.New(body)
		}
		return nil
	})
	_, counters := get(ctx, t, "127.0.0.1:9093/metrics")
	if failed := regexp.MustCompile(`(?m)^alertmanager_notifications_failed_total\{.*integration="webhook".*\} [1-9].*$`).FindString(counters); failed != "" {
		t.Error(failed)
	}
	t.Logf("half of all requests fail: firedrill has the page after %v", time.Since(began).Round(100*time.Millisecond))
}

// server starts a server as the compose file does and waits until it is ready
// where its health check asks.
func (i image) server(ctx context.Context, t *testing.T, name, program string) {
	t.Helper()
	s := load(t).Services[name]
	var args []string
	for _, arg := range s.Command {
		arg = strings.Replace(arg, "/etc/firedrill", filepath.Join(i.folder, "etc", "firedrill"), 1)
		for _, v := range s.Volumes {
			if v.Source == name {
				arg = strings.Replace(arg, "="+v.Target, "="+t.TempDir(), 1)
			}
		}
		args = append(args, arg)
	}
	background(t, name, exec.CommandContext(ctx, program, args...))
	address, ok := strings.CutPrefix(s.HealthCheck.Test[len(s.HealthCheck.Test)-1], "http://")
	if !ok {
		t.Fatalf("%s: %v asks for no page", name, s.HealthCheck.Test)
	}
	eventually(ctx, t, name+" is ready", func() error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address, http.NoBody)
		if err != nil {
			return err
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return errors.New(response.Status)
		}
		return nil
	})
}
