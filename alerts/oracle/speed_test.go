package oracle_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
)

// burnRates is a drill like those that people run: n series of counters, and
// recording rules and alerts of burn rates over windows up to three days.
func burnRates(t testing.TB, length time.Duration, n int) drill {
	t.Helper()
	d := drill{start: morning, scrape: 15 * time.Second, rules: []string{write(t, burnRateRules())}}
	random := rand.New(rand.NewPCG(1, 1))
	counts := make([]float64, n)
	all := make([]labels.Labels, n)
	for i := range all {
		all[i] = labels.FromStrings(model.MetricNameLabel, "http_requests_total", "service", fmt.Sprint(i%4), "pod", fmt.Sprint(i/8), "code", []string{"200", "500"}[i/4%2])
	}
	for i := range int(length / d.scrape) {
		samples := make([]point, n)
		for j := range samples {
			counts[j] += float64(random.IntN(50))
			samples[j] = point{labels: all[j], t: morning.Add(time.Duration(i) * d.scrape).UnixMilli(), v: counts[j]}
		}
		d.scrapes = append(d.scrapes, samples)
	}
	return d
}

func burnRateRules() string {
	var b strings.Builder
	b.WriteString("groups:\n  - name: burn\n    rules:\n")
	for _, slo := range []string{"one", "two", "three"} {
		for _, w := range []string{"5m", "30m", "1h", "2h", "6h", "1d", "3d"} {
			fmt.Fprintf(&b, "      - record: slo:error:ratio_rate%s\n        labels: {slo: %s}\n", w, slo)
			fmt.Fprintf(&b, "        expr: sum by (service) (rate(http_requests_total{code=\"500\"}[%s])) / sum by (service) (rate(http_requests_total[%s]))\n", w, w)
		}
		for _, w := range [][2]string{{"1h", "5m"}, {"6h", "30m"}, {"1d", "2h"}, {"3d", "6h"}} {
			fmt.Fprintf(&b, "      - alert: Burn\n        labels: {long: %s}\n", w[0])
			fmt.Fprintf(&b, "        expr: slo:error:ratio_rate%s{slo=%q} > 14.4 * (1 - 0.999) and on (service, slo) slo:error:ratio_rate%s{slo=%q} > 14.4 * (1 - 0.999)\n", w[0], slo, w[1], slo)
		}
	}
	return b.String()
}

// cpu returns the processor time that this process has used.
func cpu(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// TestFaster holds that promengine needs a twentieth of the processor time of
// the storage and the rules of Prometheus for an hour of burn-rate rules in one
// span, samples included.
func TestFaster(t *testing.T) {
	const atLeast = 20
	d := burnRates(t, time.Hour, 496)
	ways := []func() outcome{
		func() outcome { return runStock(t, d) },
		func() outcome { return runSteps(t, d) },
		func() outcome { return runSpans(t, d, func() int { return len(d.scrapes) }) },
	}
	var took [3]time.Duration
	for i, way := range ways {
		before := cpu(t)
		way()
		took[i] = cpu(t) - before
	}
	ratio := float64(took[0]) / float64(took[2])
	t.Logf("stock %v, step by step %v (%.0f times as fast), one span %v (%.0f times)", took[0], took[1], float64(took[0])/float64(took[1]), took[2], ratio)
	if ratio < atLeast {
		t.Errorf("one span is %.1f times as fast as stock, want %d", ratio, atLeast)
	}
}
