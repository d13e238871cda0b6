package series

import (
	"slices"

	dto "github.com/prometheus/client_model/go"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/simulator/latency"
)

// Gather returns the series of all targets that are up as protobuf messages,
// with their service and pod. The messages are the caller's and stay valid
// after the frame's release.
func (f *Frame) Gather() []*dto.MetricFamily {
	all := make([]*dto.MetricFamily, 0, len(f.layout.families))
	for _, family := range f.layout.families {
		var metrics []*dto.Metric
		for _, p := range family.parts {
			t := Target{f, p.slot}
			if t.Status().Up() {
				metrics = t.appendMetrics(metrics, t.Labels().inPage(), p.from, p.to)
			}
		}
		if len(metrics) > 0 {
			all = append(all, newFamily(family.desc, metrics))
		}
	}
	return all
}

// Gather returns the series of the target as protobuf messages, without the
// labels that discovery gives it. The messages are the caller's and stay valid
// after the frame's release.
func (t Target) Gather() []*dto.MetricFamily {
	var all []*dto.MetricFamily
	for _, b := range t.slot().list.families {
		all = append(all, newFamily(b.desc, t.appendMetrics(nil, nil, b.from, b.to)))
	}
	return all
}

func newFamily(d *metric.Desc, metrics []*dto.Metric) *dto.MetricFamily {
	kind := dto.MetricType_GAUGE
	switch d.Type {
	case metric.Counter:
		kind = dto.MetricType_COUNTER
	case metric.Histogram:
		kind = dto.MetricType_HISTOGRAM
	}
	return &dto.MetricFamily{Name: &d.Name, Help: &d.Help, Type: &kind, Metric: metrics}
}

func (t Target) appendMetrics(dst []*dto.Metric, target []Label, from, to int) []*dto.Metric {
	created := timestamppb.New(t.Created())
	for i := from; i < to; i++ {
		sample := t.sample(i)
		value := sample.Value
		m := &dto.Metric{Label: pairs(sample.Series.Labels, target)}
		switch sample.Series.Desc.Type {
		case metric.Counter:
			m.Counter = &dto.Counter{Value: &value, CreatedTimestamp: created}
		case metric.Histogram:
			m.Histogram = newHistogram(sample.Histogram)
			m.Histogram.CreatedTimestamp = created
		default:
			m.Gauge = &dto.Gauge{Value: &value}
		}
		dst = append(dst, m)
	}
	return dst
}

func pairs(own, target []Label) []*dto.LabelPair {
	labels := slices.Concat(own, target)
	sortLabels(labels)
	messages := make([]dto.LabelPair, len(labels))
	list := make([]*dto.LabelPair, len(labels))
	for i := range labels {
		messages[i].Name, messages[i].Value = &labels[i].Name, &labels[i].Value
		list[i] = &messages[i]
	}
	return list
}

// newHistogram returns a histogram with classic and native buckets.
func newHistogram(h latency.Histogram) *dto.Histogram {
	n := NewNative(h)
	m := &dto.Histogram{
		SampleCount: &n.Count, SampleSum: &n.Sum, Bucket: classic(h),
		Schema: &n.Schema, ZeroThreshold: &n.ZeroThreshold, ZeroCount: &n.ZeroCount, PositiveDelta: n.Deltas,
	}
	for i := range n.Spans {
		m.PositiveSpan = append(m.PositiveSpan, &dto.BucketSpan{Offset: &n.Spans[i].Offset, Length: &n.Spans[i].Length})
	}
	return m
}

func classic(h latency.Histogram) []*dto.Bucket {
	bounds := latency.Classic()
	counts := make([]int64, len(bounds)+1)
	h.ClassicCounts(counts)
	list := make([]*dto.Bucket, len(bounds))
	for i := range bounds {
		n := uint64(counts[i])
		list[i] = &dto.Bucket{UpperBound: &bounds[i], CumulativeCount: &n}
	}
	return list
}
