package promengine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"

	"github.com/firedrill/firedrill/alerts/promengine"
)

// burnRates returns rules as people have them for burn rates.
func burnRates() string {
	var b strings.Builder
	b.WriteString("groups:\n  - name: burn\n    interval: 30s\n    rules:\n")
	windows := []string{"5m", "30m", "1h", "2h", "6h", "1d", "3d"}
	for _, w := range windows {
		fmt.Fprintf(&b, "      - record: ratio_rate%s\n", w)
		fmt.Fprintf(&b, "        expr: sum by (service) (rate(requests_total{code=\"500\"}[%s])) / sum by (service) (rate(requests_total[%s]))\n", w, w)
	}
	for _, w := range [][2]string{{"1h", "5m"}, {"6h", "30m"}, {"1d", "2h"}, {"3d", "6h"}} {
		fmt.Fprintf(&b, "      - alert: Burn\n        labels: {long: %s}\n", w[0])
		fmt.Fprintf(&b, "        expr: ratio_rate%s > 14.4 * (1 - 0.999) and on (service) ratio_rate%s > 14.4 * (1 - 0.999)\n", w[0], w[1])
	}
	return b.String()
}

// filled returns an engine with burn-rate rules over hours of 400 series.
func filled(b *testing.B, hours int) *promengine.Engine {
	b.Helper()
	store, engine := open(b, promengine.Options{}, burnRates())
	for i := range 400 {
		l := labels.FromStrings(model.MetricNameLabel, "requests_total", "service", fmt.Sprint(i%4), "pod", fmt.Sprint(i/8), "code", []string{"200", "500"}[i/4%2])
		v := 0.0
		for j := range hours * 240 {
			v += float64((i*j + j) % 50)
			if err := store.Append(l, at(15*j), v); err != nil {
				b.Fatal(err)
			}
		}
	}
	return engine
}

// BenchmarkEvalRange evaluates two hours of burn-rate rules in one span.
func BenchmarkEvalRange(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		engine := filled(b, 2)
		b.StartTimer()
		if _, err := engine.EvalRange(b.Context(), start.Add(-1), start.Add(2*time.Hour)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEval evaluates burn-rate rules once, behind two hours of samples.
func BenchmarkEval(b *testing.B) {
	engine := filled(b, 2)
	ts := start.Add(2 * time.Hour)
	for b.Loop() {
		if _, err := engine.Eval(b.Context(), ts); err != nil {
			b.Fatal(err)
		}
		ts = ts.Add(30 * time.Second)
	}
}

// BenchmarkAppend appends samples to 400 series.
func BenchmarkAppend(b *testing.B) {
	var store promengine.Store
	list := make([]labels.Labels, 400)
	for i := range list {
		list[i] = labels.FromStrings(model.MetricNameLabel, "requests_total", "pod", fmt.Sprint(i))
	}
	b.ReportAllocs()
	for j := 0; b.Loop(); j++ {
		for _, l := range list {
			if err := store.Append(l, at(15*j), float64(j)); err != nil {
				b.Fatal(err)
			}
		}
		if j%1000 == 999 {
			store.Truncate(at(15 * (j - 500)))
		}
	}
}
