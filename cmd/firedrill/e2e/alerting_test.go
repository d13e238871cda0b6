//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// lag is how long a page may take from the transition in Prometheus to the
// pager.
const lag = 5 * time.Second

const burning = `ALERTS{alertname="AvailabilityBudgetBurn",alertstate="firing",severity="page"}`

// alerting is a firedrill with the Prometheus and the Alertmanager that it has
// made the configuration of.
type alerting struct {
	drill
}

func newAlerting(ctx context.Context, t *testing.T) *alerting {
	t.Helper()
	folder := t.TempDir()
	a := &alerting{drill{firedrill: buildFiredrill(ctx, t), metrics: freeAddress(t), admin: freeAddress(t)}}
	manager := freeAddress(t)
	run(ctx, t, nil, a.firedrill, "generate", "rules", "--speed", "60", "--out", folder,
		"--discovery", "http://"+a.metrics+"/sd", "--alertmanager", manager, "--webhook", "http://"+a.admin+"/api/v1/alertmanager")
	onOnePage(t, filepath.Join(folder, "prometheus.yml"), a.metrics)
	a.process = start(t, a.firedrill, "up", "--scenario", "bad-deploy", "--speed", "60", "--start", "manual", "--no-prometheus",
		"--listen", a.metrics, "--admin", a.admin)
	start(t, "prometheus-alertmanager", "--config.file="+filepath.Join(folder, "alertmanager.yml"), "--storage.path="+filepath.Join(folder, "notifications"),
		"--web.listen-address="+manager, "@"+filepath.Join(folder, "alertmanager.flags"))
	a.prometheus = &prometheus{base: "http://" + freeAddress(t)}
	start(t, "prometheus", "--config.file="+filepath.Join(folder, "prometheus.yml"), "--storage.tsdb.path="+filepath.Join(folder, "data"),
		"--web.listen-address="+a.base[len("http://"):], "@"+filepath.Join(folder, "prometheus.flags"))
	a.waitForInstances(ctx, t, "Prometheus scrapes", `up == 1`, 1)
	eventually(ctx, t, "Alertmanager is ready", func() error {
		_, err := fetch(ctx, "http://"+manager+"/-/ready", "")
		return err
	})
	return a
}

// onOnePage has Prometheus scrape the page that has everything in place of what
// discovery lists: it looks at a list of targets no more than every five seconds,
// which are five minutes of the drill, and the engine in firedrill at once.
func onOnePage(t *testing.T, config, metrics string) {
	t.Helper()
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(text), "    http_sd_configs:\n")
	if !found {
		t.Fatalf("%s finds no targets:\n%s", config, text)
	}
	before += fmt.Sprintf("    static_configs: [{targets: [%q]}]\n", metrics)
	if err := os.WriteFile(config, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestPage plays bad-deploy with the genuine servers: the page comes and goes
// soon after the alert, and the engine in firedrill sees the same alerts.
func TestPage(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	a := newAlerting(ctx, t)
	a.command(ctx, t, "clock", "resume")

	var opened page
	eventually(ctx, t, "the page is in the pager", func() (err error) {
		opened, err = a.page(ctx)
		return err
	})
	a.command(ctx, t, "do", "shop", "rollback")
	eventually(ctx, t, "the page is resolved", func() (err error) {
		if opened, err = a.page(ctx); err == nil && opened.Resolved == nil {
			err = errors.New("it is open")
		}
		return err
	})
	began, ended := a.span(ctx, t, burning)
	checkLag(t, "the page was opened", began, opened.Opened.Wall)
	checkLag(t, "the page was resolved", ended, opened.Resolved.Wall)
	a.compareEngines(ctx, t)
	a.process.interrupt(ctx, t)
}

// checkLag compares when the pager heard of a transition with when it was.
func checkLag(t *testing.T, what string, transition, heard time.Time) {
	t.Helper()
	took := heard.Sub(transition)
	t.Logf("%s %.1f s after the transition", what, took.Seconds())
	if took < 0 || took > lag {
		t.Errorf("%s %v after the transition at %v, want at most %v", what, took, transition, lag)
	}
}

// page is a page as the admin API shows it.
type page struct {
	SLO      string
	Opened   struct{ Wall time.Time }
	Resolved *struct{ Wall time.Time }
}

// page returns the page about availability.
func (a *alerting) page(ctx context.Context) (page, error) {
	body, err := fetch(ctx, "http://"+a.admin+"/api/v1/pages?severity=page", "")
	if err != nil {
		return page{}, err
	}
	var all struct{ Pages []page }
	if err := json.Unmarshal(body, &all); err != nil {
		return page{}, err
	}
	for _, p := range all.Pages {
		if p.SLO == "availability" {
			return p, nil
		}
	}
	return page{}, fmt.Errorf("no page about availability: %s", body)
}

// span returns when a series first was there, and when it first was not any
// more, as Prometheus has recorded it.
func (a *alerting) span(ctx context.Context, t *testing.T, selector string) (began, ended time.Time) {
	t.Helper()
	for _, s := range a.samples(ctx, t, selector, time.Now()) {
		first, last := s.times[0], s.times[len(s.times)-1]
		if began.IsZero() || first.Before(began) {
			began = first
		}
		if last.After(ended) {
			ended = last
		}
	}
	return began, ended.Add(evaluation / 60)
}
