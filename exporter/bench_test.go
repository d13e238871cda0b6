package exporter_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/firedrill/firedrill/exporter"
	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/exporter/series"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/latency"
	"github.com/firedrill/firedrill/simulator/schema"
	"github.com/firedrill/firedrill/simulator/web"
)

// fleet returns the snapshot of a service with forty pods.
func fleet(b *testing.B) *simulator.Snapshot {
	b.Helper()
	e := newEngine(b, map[string]schema.Args{"shop": {"base_rate": 4000, "floor": 40, "database_capacity": 20000}}, "shop")
	run(e, 10*simulator.Minute)
	return e.Snapshot()
}

// newTable returns a table that shows the snapshot.
func newTable(b *testing.B, snapshot *simulator.Snapshot) *exporter.Table {
	b.Helper()
	table := exporter.NewTable(exporter.Build{})
	if err := table.Update(snapshot, exporter.Clock{Speed: 60}, epoch); err != nil {
		b.Fatal(err)
	}
	return table
}

// BenchmarkUpdate writes a snapshot of forty pods into the table.
func BenchmarkUpdate(b *testing.B) {
	snapshot := fleet(b)
	table := newTable(b, snapshot)
	b.ReportAllocs()
	for b.Loop() {
		if err := table.Update(snapshot, exporter.Clock{Speed: 60}, epoch); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkText writes forty pods as text.
func BenchmarkText(b *testing.B) {
	f := newTable(b, fleet(b)).Current()
	defer f.Release()
	buffer := f.AppendText(nil)
	b.ReportAllocs()
	for b.Loop() {
		buffer = f.AppendText(buffer[:0])
	}
	b.ReportMetric(float64(len(buffer)), "bytes/page")
}

// BenchmarkSamples reads forty pods sample by sample.
func BenchmarkSamples(b *testing.B) {
	f := newTable(b, fleet(b)).Current()
	defer f.Release()
	b.ReportAllocs()
	sum := 0.0
	for b.Loop() {
		for target := range f.Targets() {
			for s := range target.Samples() {
				sum += s.Value
			}
		}
	}
}

// discard is a client that throws everything away.
type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(b []byte) (int, error) { return len(b), nil }
func (d discard) WriteHeader(int)             {}

// serve benchmarks one request after another.
func serve(b *testing.B, h http.Handler, path, accept string) {
	b.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Accept", accept)
	b.ReportAllocs()
	for b.Loop() {
		h.ServeHTTP(discard{http.Header{}}, r)
	}
}

// BenchmarkPage serves forty pods in each format, without an update.
func BenchmarkPage(b *testing.B) {
	s := newStage()
	s.put(fleet(b))
	e := s.exporter()
	for name, accept := range map[string]string{"text": acceptText, "OpenMetrics": acceptOpenMetrics, "protobuf": acceptProtobuf} {
		b.Run(name, func(b *testing.B) { serve(b, e, "/metrics", accept) })
	}
}

// BenchmarkTarget serves the page of one pod of forty.
func BenchmarkTarget(b *testing.B) {
	s := newStage()
	s.put(fleet(b))
	e := s.exporter()
	for name, accept := range map[string]string{"text": acceptText, "protobuf": acceptProtobuf} {
		b.Run(name, func(b *testing.B) { serve(b, e, firstPod(b, s.snapshot), accept) })
	}
}

// crowd returns a snapshot of services enough for at least n lines of text.
func crowd(b *testing.B, n int) *simulator.Snapshot {
	b.Helper()
	one := fleet(b)
	lines := 0
	f := newTable(b, one).Current()
	for _, c := range f.AppendText(nil) {
		if c == '\n' {
			lines++
		}
	}
	f.Release()
	all := &simulator.Snapshot{Tick: one.Tick, Start: one.Start}
	state := *one.Services[0].State.(*web.Snapshot)
	for i := range n/lines + 2 {
		name := fmt.Sprint("service-", i)
		all.Services = append(all.Services, simulator.ServiceSnapshot{Name: name, Kind: "web", State: &state})
	}
	return all
}

// constant exposes a frame as many exporters do: a new metric for each sample
// at each scrape.
type constant struct{ frame *series.Frame }

func (c constant) Describe(chan<- *prometheus.Desc) {}

func (c constant) Collect(ch chan<- prometheus.Metric) {
	for target := range c.frame.Targets() {
		for s := range target.Samples() {
			d := s.Series.Desc
			values := []string{}
			for _, name := range d.Labels {
				values = append(values, valueOf(name, target.Labels(), s.Series.Labels))
			}
			desc := prometheus.NewDesc(d.Name, d.Help, d.Labels, nil)
			switch d.Type {
			case metric.Counter:
				ch <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, s.Value, values...)
			case metric.Histogram:
				ch <- prometheus.MustNewConstHistogram(desc, uint64(s.Histogram.Total()), s.Histogram.Sum, buckets(s.Histogram), values...)
			default:
				ch <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, s.Value, values...)
			}
		}
	}
}

func valueOf(name string, target series.Labels, own []series.Label) string {
	switch name {
	case "service":
		return target.Service
	case "pod":
		return target.Pod
	}
	for _, l := range own {
		if l.Name == name {
			return l.Value
		}
	}
	return ""
}

func buckets(h latency.Histogram) map[float64]uint64 {
	bounds := latency.Classic()
	counts := make([]int64, len(bounds)+1)
	h.ClassicCounts(counts)
	all := map[float64]uint64{}
	for i, upper := range bounds {
		all[upper] = uint64(counts[i])
	}
	return all
}

// BenchmarkHundredThousand writes 100 000 series as text: from the table, and
// with a collector of constant metrics for comparison.
func BenchmarkHundredThousand(b *testing.B) {
	table := newTable(b, crowd(b, 100_000))
	f := table.Current()
	defer f.Release()
	b.Run("table", func(b *testing.B) {
		buffer := f.AppendText(nil)
		b.ReportAllocs()
		for b.Loop() {
			buffer = f.AppendText(buffer[:0])
		}
		b.ReportMetric(float64(len(buffer)), "bytes/page")
	})
	b.Run("constant", func(b *testing.B) {
		registry := prometheus.NewRegistry()
		registry.MustRegister(constant{f})
		serve(b, promhttp.HandlerFor(registry, promhttp.HandlerOpts{DisableCompression: true}), "/metrics", acceptText)
	})
}

// BenchmarkUpdateHundredThousand writes the values of 100 000 series.
func BenchmarkUpdateHundredThousand(b *testing.B) {
	snapshot := crowd(b, 100_000)
	table := newTable(b, snapshot)
	b.ReportAllocs()
	for b.Loop() {
		if err := table.Update(snapshot, exporter.Clock{Speed: 60}, epoch); err != nil {
			b.Fatal(err)
		}
	}
}
