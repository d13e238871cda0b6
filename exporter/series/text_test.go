package series_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/exporter/series"
	"github.com/firedrill/firedrill/simulator/latency"
)

// TestText shows the text of a small table: only what is up, labels by name,
// classic buckets as client_golang writes them.
func TestText(t *testing.T) {
	var table series.Table
	u := table.Begin(moment(1))
	writePod(u, "down", series.Status{Listed: true}, 1)
	u.Target(podLabels("a"), up)
	u.SetHistogram(&metric.HTTPRequestDuration, observed(0.003, 0.4, 1, 2.2, 70))
	u.Set(&metric.HTTPRequests, 1e6, "v\"1\\", "high", "2\n0")
	writePod(u, "retired", series.Status{Answers: true}, 1)
	u.Target(series.Labels{Job: "firedrill", Instance: "firedrill:9464"}, up)
	u.Set(&metric.Paused, 0)
	u.Commit()
	const want = `# HELP firedrill_paused 1 while simulated time stands still, else 0.
# TYPE firedrill_paused gauge
firedrill_paused 0
# HELP http_request_duration_seconds Time from a request's arrival to the pod's answer, its wait for a worker included; a request that times out counts with the timeout.
# TYPE http_request_duration_seconds histogram
http_request_duration_seconds_bucket{pod="a",service="shop",le="0.005"} 1
http_request_duration_seconds_bucket{pod="a",service="shop",le="0.01"} 1
http_request_duration_seconds_bucket{pod="a",service="shop",le="0.025"} 1
http_request_duration_seconds_bucket{pod="a",service="shop",le="0.05"} 1
http_request_duration_seconds_bucket{pod="a",service="shop",le="0.1"} 1
http_request_duration_seconds_bucket{pod="a",service="shop",le="0.25"} 1
http_request_duration_seconds_bucket{pod="a",service="shop",le="0.5"} 2
http_request_duration_seconds_bucket{pod="a",service="shop",le="1"} 3
http_request_duration_seconds_bucket{pod="a",service="shop",le="2"} 3
http_request_duration_seconds_bucket{pod="a",service="shop",le="2.5"} 4
http_request_duration_seconds_bucket{pod="a",service="shop",le="5"} 4
http_request_duration_seconds_bucket{pod="a",service="shop",le="10"} 4
http_request_duration_seconds_bucket{pod="a",service="shop",le="+Inf"} 5
http_request_duration_seconds_sum{pod="a",service="shop"} 73.603
http_request_duration_seconds_count{pod="a",service="shop"} 5
# HELP http_requests_total Requests that the pod has answered, by the version of its build, the request's priority and the HTTP status code.
# TYPE http_requests_total counter
http_requests_total{code="2\n0",pod="a",priority="high",service="shop",version="v\"1\\"} 1e+06
`
	if diff := cmp.Diff(want, string(current(t, &table).AppendText(nil))); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

// TestTextIsThatOfTheMessages compares the text with what client_golang makes
// of the messages, byte for byte, for any labels and values.
func TestTextIsThatOfTheMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table series.Table
		u := table.Begin(moment(1))
		value := rapid.OneOf(rapid.Float64(), rapid.Map(rapid.IntRange(-2_000_000, 2_000_000), func(n int) float64 { return float64(n) }),
			rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 999_999, 1e6, 1e21, 1 << 53, math.MaxFloat64}))
		for i := range rapid.IntRange(0, 3).Draw(t, "targets") {
			u.Target(podLabels(string(rune('a'+i))+rapid.String().Draw(t, "pod")), series.Status{Listed: rapid.Bool().Draw(t, "listed"), Answers: true})
			u.SetHistogram(&metric.HTTPRequestDuration, drawHistogram(t))
			for range rapid.IntRange(0, 3).Draw(t, "series") {
				u.Set(&metric.HTTPRequests, value.Draw(t, "value"), rapid.String().Draw(t, "version"), "high", "200")
			}
			u.Set(&metric.FleetBusyWorkers, value.Draw(t, "value"))
		}
		u.Commit()
		f := table.Current()
		defer f.Release()
		compareText(t, "the page", f.AppendText(nil), asText(t, f.Gather()))
		for target := range f.Targets() {
			compareText(t, "the target's page", target.AppendText(nil), asText(t, target.Gather()))
		}
	})
}

func compareText(t failer, what string, got []byte, want string) {
	t.Helper()
	if string(got) != want {
		t.Fatalf("%s differs from the messages:\n%s", what, cmp.Diff(want, string(got)))
	}
}

func drawHistogram(t *rapid.T) latency.Histogram {
	h := latency.NewHistogram()
	for range rapid.IntRange(0, 20).Draw(t, "cells") {
		h.Count[rapid.IntRange(0, latency.Cells()-1).Draw(t, "cell")] += rapid.Int64Range(0, 1e7).Draw(t, "count")
	}
	h.Sum = rapid.Float64Range(0, 1e9).Draw(t, "sum")
	return h
}

// TestNoAllocations shows that neither the text nor an update of the values
// allocates for each series.
func TestNoAllocations(t *testing.T) {
	pods := make([]string, 100)
	for i := range pods {
		pods[i] = string(rune('a' + i))
	}
	h := observed(0.1)
	labels := make([]series.Labels, len(pods))
	for i, pod := range pods {
		labels[i] = podLabels(pod)
	}
	var table series.Table
	update := func() {
		u := table.Begin(moment(1))
		for i := range labels {
			u.Target(labels[i], up)
			u.SetHistogram(&metric.HTTPRequestDuration, h)
			u.Set(&metric.HTTPRequests, 1, "v1", "high", "200")
		}
		u.Commit()
	}
	update()
	update()
	if n := testing.AllocsPerRun(100, update); n > 5 {
		t.Errorf("an update allocates %v times, want a few at most", n)
	}
	f := current(t, &table)
	buffer := f.AppendText(nil)
	if n := testing.AllocsPerRun(100, func() { buffer = f.AppendText(buffer[:0]) }); n > 0 {
		t.Errorf("the text allocates %v times, want never", n)
	}
}
