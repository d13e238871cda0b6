//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// evaluation is the simulated time between two evaluations.
const evaluation = 30 * time.Second

const firing = `ALERTS{alertstate="firing"}`

// samples are the times and values of a series.
type samples struct {
	labels map[string]string
	times  []time.Time
	values []float64
}

// samples queries the samples of the hours before a time.
func (p *prometheus) samples(ctx context.Context, t *testing.T, selector string, at time.Time) []samples {
	t.Helper()
	var data struct {
		Result []struct {
			Metric map[string]string
			Values [][2]any
		}
	}
	moment := strconv.FormatFloat(float64(at.UnixMilli())/1000, 'f', 3, 64)
	if err := p.api(ctx, "/api/v1/query?query="+url.QueryEscape(selector+"[3h]")+"&time="+moment, &data); err != nil {
		t.Fatal(err)
	}
	all := make([]samples, len(data.Result))
	for i, series := range data.Result {
		all[i].labels = series.Metric
		for _, v := range series.Values {
			seconds, _ := v[0].(float64)
			text, _ := v[1].(string)
			value, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			all[i].times = append(all[i].times, time.UnixMilli(int64(seconds*1000)))
			all[i].values = append(all[i].values, value)
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s has no samples at %s", selector, p.base)
	}
	return all
}

// firings returns when each alert began to fire, in simulated time.
func firings(all []samples, simulated func(time.Time) time.Duration) map[string]time.Duration {
	began := map[string]time.Duration{}
	for _, s := range all {
		delete(s.labels, "alertstate")
		delete(s.labels, "__name__")
		var labels []string
		for _, name := range slices.Sorted(maps.Keys(s.labels)) {
			labels = append(labels, name+"="+s.labels[name])
		}
		began[strings.Join(labels, " ")] = simulated(s.times[0])
	}
	return began
}

// clock tells the simulated time at a wall time, from what Prometheus scraped.
func (p *prometheus) clock(ctx context.Context, t *testing.T) func(time.Time) time.Duration {
	t.Helper()
	ticks := p.samples(ctx, t, "firedrill_simulated_seconds_total", time.Now())[0]
	return func(wall time.Time) time.Duration {
		after, _ := slices.BinarySearchFunc(ticks.times, wall, time.Time.Compare)
		after = min(max(after, 1), len(ticks.times)-1)
		a, b := ticks.times[after-1], ticks.times[after]
		share := float64(wall.Sub(a)) / float64(b.Sub(a))
		seconds := ticks.values[after-1] + share*(ticks.values[after]-ticks.values[after-1])
		return time.Duration(seconds * float64(time.Second))
	}
}

// command is an entry of the log of commands.
type command struct {
	At          int
	Service, Do string
}

// compareEngines plays the drill again in another firedrill, whose own engine
// watches it, and expects of it the alerts of Prometheus, in the same order.
func (a *alerting) compareEngines(ctx context.Context, t *testing.T) {
	t.Helper()
	a.command(ctx, t, "clock", "pause")
	end := a.tick(ctx, t)
	genuine := firings(a.prometheus.samples(ctx, t, firing, time.Now()), a.prometheus.clock(ctx, t))

	again := &drill{firedrill: a.firedrill, metrics: freeAddress(t), admin: freeAddress(t)}
	again.process = start(t, again.firedrill, "up", "--scenario", "bad-deploy", "--start", "manual", "--history", "0s",
		"--listen", again.metrics, "--admin", again.admin)
	eventually(ctx, t, "the other firedrill listens", func() error {
		_, err := fetch(ctx, "http://"+again.admin+"/api/v1/clock", "")
		return errors.Join(err, again.process.hasEnded())
	})
	now := 0
	for _, cmd := range a.commands(ctx, t) {
		again.advance(ctx, t, cmd.At-now)
		again.command(ctx, t, "do", cmd.Service, cmd.Do)
		now = cmd.At
	}
	again.advance(ctx, t, end-now)
	monday := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	embedded := &prometheus{base: "http://" + again.admin + "/prometheus"}
	own := firings(embedded.samples(ctx, t, firing, monday.Add(time.Duration(end)*time.Second)), func(at time.Time) time.Duration { return at.Sub(monday) })
	again.process.interrupt(ctx, t)
	compareFirings(t, genuine, own)
}

// compareFirings expects the same alerts, in the same order where they lie
// more than two evaluations apart.
func compareFirings(t *testing.T, genuine, own map[string]time.Duration) {
	t.Helper()
	for _, alert := range slices.Sorted(maps.Keys(genuine)) {
		at, fired := own[alert]
		if !fired {
			t.Errorf("%s fires in Prometheus at %v, and not in firedrill", alert, genuine[alert])
		}
		t.Logf("%s: Prometheus at %v, firedrill at %v", alert, genuine[alert].Round(time.Second), at)
		for _, other := range slices.Sorted(maps.Keys(genuine)) {
			before := genuine[other] - genuine[alert]
			if after, both := own[other]; both && before > 2*evaluation && after-at < -2*evaluation {
				t.Errorf("%s fires %v before %s in Prometheus, and %v after it in firedrill", alert, before, other, at-after)
			}
		}
	}
	for _, alert := range slices.Sorted(maps.Keys(own)) {
		if _, fired := genuine[alert]; !fired {
			t.Errorf("%s fires in firedrill at %v, and not in Prometheus", alert, own[alert])
		}
	}
}

// tick returns how many seconds have been simulated.
func (d *drill) tick(ctx context.Context, t *testing.T) int {
	t.Helper()
	body, err := fetch(ctx, "http://"+d.admin+"/api/v1/clock", "")
	if err != nil {
		t.Fatal(err)
	}
	var clock struct{ Tick int }
	if err := json.Unmarshal(body, &clock); err != nil {
		t.Fatal(err)
	}
	return clock.Tick
}

// commands returns the log of commands.
func (d *drill) commands(ctx context.Context, t *testing.T) []command {
	t.Helper()
	body, err := fetch(ctx, "http://"+d.admin+"/api/v1/commands", "")
	if err != nil {
		t.Fatal(err)
	}
	var all []command
	for lines := bufio.NewScanner(bytes.NewReader(body)); lines.Scan(); {
		var cmd command
		if err := json.Unmarshal(lines.Bytes(), &cmd); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	return all
}

// advance simulates seconds at once.
func (d *drill) advance(ctx context.Context, t *testing.T, seconds int) {
	t.Helper()
	if seconds > 0 {
		d.command(ctx, t, "clock", "advance", fmt.Sprintf("%ds", seconds))
	}
}
