//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/dashboards"
	"github.com/firedrill/firedrill/dashboards/dashtest"
)

// everything is the scenario in which everything happens that a panel shows.
const everything = "../../../dashboards/testdata/everything.yaml"

// TestDashboards lets a real Prometheus watch everything at two speeds, once
// target by target and once on the page that has it all, and asks it every query
// of every dashboard.
func TestDashboards(t *testing.T) {
	program := filepath.Join(t.TempDir(), "firedrill")
	run(t.Context(), t, nil, "go", "build", "-o", program, "..")
	for targets, o := range map[string]dashboards.Options{
		"http_sd_configs: [{url: http://%s/sd, refresh_interval: 500ms}]": {Speed: 60, ScrapeInterval: time.Second},
		"static_configs: [{targets: ['%s']}]":                             {Speed: 120, ScrapeInterval: 500 * time.Millisecond},
	} {
		t.Run(fmt.Sprintf("speed %g", o.Speed), func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			w := newWatch(ctx, t, program, o, targets)
			w.play(ctx, t)
			w.check(ctx, t)
		})
	}
}

// watch is a drill that is watched on dashboards.
type watch struct {
	*drill
	options dashboards.Options
	story   story
	log     bytes.Buffer // of what the operator does, as simulate reads it

	from, to time.Time
}

// story is what this test reads of the scenario.
type story struct {
	Duration time.Duration
	Operator []action
}

// action is what the operator does and when, in simulated time from the start.
type action struct {
	At          time.Duration
	Service, Do string
	Args        map[string]any
}

func newWatch(ctx context.Context, t *testing.T, program string, o dashboards.Options, targets string) *watch {
	t.Helper()
	w := &watch{drill: &drill{firedrill: program, metrics: freeAddress(t), admin: freeAddress(t)}, options: o}
	text, err := os.ReadFile(everything)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &w.story); err != nil {
		t.Fatal(err)
	}
	w.process = start(t, program, "up", "--scenario", everything, "--speed", fmt.Sprint(o.Speed), "--start", "manual", "--listen", w.metrics, "--admin", w.admin)
	eventually(ctx, t, "firedrill listens", func() error {
		_, err := fetch(ctx, "http://"+w.metrics+"/sd", "")
		return errors.Join(err, w.process.hasEnded())
	})
	w.prometheus = w.startPrometheus(ctx, t, fmt.Sprintf(targets, w.metrics))
	return w
}

// startPrometheus starts a Prometheus that scrapes the targets, with the rules
// for the speed.
func (w *watch) startPrometheus(ctx context.Context, t *testing.T, targets string) *prometheus {
	t.Helper()
	o := alerts.DefaultOptions(w.options.Speed)
	o.ScrapeInterval = w.options.ScrapeInterval
	rules, err := alerts.Rules(o)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, f := range rules {
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(f.Path)), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var flags []string
	for _, f := range o.Flags() {
		if f.Server == "prometheus" {
			flags = append(flags, f.String())
		}
	}
	return startPrometheusWith(ctx, t, fmt.Sprintf(`
global:
  scrape_interval: %[1]v
  scrape_timeout: %[1]v
rule_files: [%[2]s/*.yml]
scrape_configs:
  - job_name: firedrill
    %[3]s
`, o.ScrapeInterval, folder, targets), flags...)
}

// play runs the scenario to its end. The scenario's scripted operator is a
// person here, who acts through the API when the time has come.
func (w *watch) play(ctx context.Context, t *testing.T) {
	t.Helper()
	w.waitForInstances(ctx, t, "the pods are seen", "count(pod_info) == 10", 1)
	w.command(ctx, t, "clock", "resume")
	w.from = time.Now()
	for _, a := range w.story.Operator {
		w.waitFor(ctx, t, a.At-time.Minute/2)
		w.operate(ctx, t, a)
	}
	w.waitFor(ctx, t, w.story.Duration)
	w.to = time.Now()
	w.command(ctx, t, "clock", "pause")
	eventually(ctx, t, "Prometheus sees the pause", func() error {
		result, err := w.query(ctx, "min_over_time(firedrill_paused[2s]) == 1")
		if err == nil && len(result) == 0 {
			err = errors.New("it does not stand still yet")
		}
		return err
	})
}

// waitFor waits until so much simulated time has passed.
func (w *watch) waitFor(ctx context.Context, t *testing.T, passed time.Duration) {
	t.Helper()
	eventually(ctx, t, fmt.Sprintf("%v have passed", passed), func() error {
		var clock struct{ Tick int }
		body, err := fetch(ctx, "http://"+w.admin+"/api/v1/clock", "")
		if err != nil {
			return err
		}
		if err := json.Unmarshal(body, &clock); err != nil {
			return err
		}
		if clock.Tick < int(passed.Seconds()) {
			return fmt.Errorf("it is tick %d", clock.Tick)
		}
		return nil
	})
}

// operate does what the scripted operator would, and notes when it takes effect.
func (w *watch) operate(ctx context.Context, t *testing.T, a action) {
	t.Helper()
	args := a.Args
	if args == nil {
		args = map[string]any{}
	}
	request, err := json.Marshal(map[string]any{"args": args})
	if err != nil {
		t.Fatal(err)
	}
	body, err := post(ctx, "http://"+w.admin+"/api/v1/services/"+a.Service+"/actions/"+a.Do, string(request), http.StatusAccepted)
	if err != nil {
		t.Fatal(err)
	}
	var receipt struct{ Applies struct{ Tick int } }
	if err := json.Unmarshal(body, &receipt); err != nil {
		t.Fatal(err)
	}
	line, err := json.Marshal(map[string]any{"at": receipt.Applies.Tick, "service": a.Service, "do": a.Do, "args": args})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", line)
	w.log.Write(append(line, '\n'))
}

// check asks for everything that the dashboards show, and compares it with what
// firedrill simulate says of the same drill.
func (w *watch) check(ctx context.Context, t *testing.T) {
	t.Helper()
	files, err := dashboards.All(w.options)
	if err != nil {
		t.Fatal(err)
	}
	c := dashtest.Case{Speed: w.options.Speed, Truth: w.truth(ctx, t), Scrape: w.options.ScrapeInterval, From: w.from, To: w.to, End: time.Now()}
	for _, f := range files {
		b, err := dashtest.Read(f.Data)
		if err != nil {
			t.Fatal(err)
		}
		b.Values["service"] = "shop"
		c.Boards = append(c.Boards, b)
	}
	sum, err := dashtest.Check(ctx, dashtest.Client{URL: w.base, HTTP: http.DefaultClient}, c)
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range sum.Problems {
		t.Error(problem)
	}
	t.Log(sum)
}

// truth simulates the drill again.
func (w *watch) truth(ctx context.Context, t *testing.T) dashtest.Truth {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log.jsonl")
	if err := os.WriteFile(log, w.log.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	lines := run(ctx, t, nil, w.firedrill, "simulate", everything, "--commands", log, "--format", "jsonl")
	truth, err := dashtest.ReadTruth(strings.NewReader(lines))
	if err != nil {
		t.Fatal(err)
	}
	return truth
}
