package series_test

import (
	"bytes"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/exporter/series"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/latency"
)

// up is the status of a target that has been there from the start.
var up = series.Status{Listed: true, Answers: true}

// epoch is the wall time of tick 0 in tests.
var epoch = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// moment returns the time of an update at speed 1.
func moment(tick simulator.Tick) series.Moment {
	return series.Moment{Tick: tick, Wall: epoch.Add(time.Duration(tick) * time.Second), Speed: 1}
}

func podLabels(pod string) series.Labels {
	return series.Labels{Job: "shop", Instance: pod + ":8080", Service: "shop", Pod: pod}
}

// observed returns a histogram of the given times.
func observed(times ...float64) latency.Histogram {
	h := latency.NewHistogram()
	for _, t := range times {
		h.Count[latency.CellOf(t)]++
		h.Sum += t
	}
	return h
}

// writePod writes a pod with n requests.
func writePod(u *series.Update, pod string, status series.Status, n float64) {
	u.Target(podLabels(pod), status)
	u.Set(&metric.PodStartTime, n)
	u.Set(&metric.HTTPRequests, n, "v1", "high", "200")
	u.Set(&metric.HTTPRequests, 0, "v1", "low", "200")
	u.SetHistogram(&metric.HTTPRequestDuration, observed(0.003, 0.4, 0.4, 70))
}

// current returns the table's frame, released when the test ends.
func current(t *testing.T, table *series.Table) *series.Frame {
	t.Helper()
	f := table.Current()
	if f == nil {
		t.Fatal("the table has no frame")
	}
	t.Cleanup(f.Release)
	return f
}

// asText writes the messages as client_golang does.
func asText(t failer, families []*dto.MetricFamily) string {
	t.Helper()
	var b bytes.Buffer
	for _, family := range families {
		if _, err := expfmt.MetricFamilyToText(&b, family); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// failer is the part of testing.TB that *rapid.T has too.
type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}
