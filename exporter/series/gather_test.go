package series_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"google.golang.org/protobuf/testing/protocmp"
	"pgregory.net/rapid"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/exporter/series"
	"github.com/firedrill/firedrill/simulator/latency"
)

// TestHistogramIsThatOfClientGolang compares our histograms with those of
// client_golang that has observed the same times.
func TestHistogramIsThatOfClientGolang(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.SliceOf(rapid.OneOf(rapid.Float64Range(0, 30), rapid.Float64Range(0, 0.01), rapid.SampledFrom(latency.Classic()))).Draw(t, "times")
		theirs := prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: metric.HTTPRequestDuration.Name, Help: metric.HTTPRequestDuration.Help, Buckets: latency.Classic(),
			NativeHistogramBucketFactor: 1.1, NativeHistogramZeroThreshold: latency.ZeroThreshold,
		})
		for _, x := range times {
			theirs.Observe(x)
		}
		var want dto.Metric
		if err := theirs.Write(&want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.Histogram, gathered(t, observed(times...)),
			protocmp.Transform(), protocmp.IgnoreFields(&dto.Histogram{}, "created_timestamp")); diff != "" {
			t.Fatalf("histograms of client_golang and ours differ (-theirs +ours):\n%s", diff)
		}
	})
}

func gathered(t failer, h latency.Histogram) *dto.Histogram {
	t.Helper()
	var table series.Table
	u := table.Begin(moment(1))
	u.Target(podLabels("a"), up)
	u.SetHistogram(&metric.HTTPRequestDuration, h)
	u.Commit()
	f := table.Current()
	defer f.Release()
	families := f.Gather()
	if len(families) != 1 || len(families[0].Metric) != 1 {
		t.Fatalf("gathered %v, want one histogram", families)
	}
	return families[0].Metric[0].Histogram
}

// TestNativeCountsAgree reads the native buckets back from spans and deltas.
func TestNativeCountsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHistogram(t)
		n := series.NewNative(h)
		want := make([]int64, latency.NativeLast-latency.NativeFirst+1)
		zero := h.NativeCounts(want)
		got := make([]int64, len(want))
		index, count, at := 0, int64(0), 0
		for _, span := range n.Spans {
			index += int(span.Offset)
			for range span.Length {
				count += n.Deltas[at]
				got[index-latency.NativeFirst] = count
				index, at = index+1, at+1
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || at != len(n.Deltas) {
			t.Fatalf("%d of %d deltas used; buckets (-want +got):\n%s", at, len(n.Deltas), diff)
		}
		if n.ZeroCount != uint64(zero) || n.Count != uint64(h.Total()) || n.Sum != h.Sum {
			t.Fatalf("zero %d, count %d, sum %v, want %d, %d, %v", n.ZeroCount, n.Count, n.Sum, zero, h.Total(), h.Sum)
		}
	})
}

// TestMessagesOutliveTheFrame changes the table while a reader keeps messages.
func TestMessagesOutliveTheFrame(t *testing.T) {
	var table series.Table
	write := func(n float64) {
		u := table.Begin(moment(1))
		writePod(u, "a", up, n)
		u.Commit()
	}
	write(1)
	f := table.Current()
	kept := f.Gather()
	want := asText(t, kept)
	f.Release()
	for n := range 10 {
		write(float64(n + 2))
	}
	if got := asText(t, kept); got != want {
		t.Errorf("the messages change with the table:\n%s", cmp.Diff(want, got))
	}
}
