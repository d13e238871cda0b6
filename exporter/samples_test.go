package exporter_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/firedrill/firedrill/exporter/series"
	"github.com/firedrill/firedrill/simulator/latency"
)

// Accept headers of the formats.
const (
	acceptText        = "text/plain;version=0.0.4"
	acceptOpenMetrics = "application/openmetrics-text;version=1.0.0"
	acceptProtobuf    = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited"
)

// samples are the values of the series by their name and labels.
type samples map[string]float64

// natives are native histograms by their name and labels, written out.
type natives map[string]string

// key writes a series down.
func key(name string, labels map[string]string) string {
	var b strings.Builder
	b.WriteString(name)
	for _, label := range slices.Sorted(maps.Keys(labels)) {
		fmt.Fprintf(&b, " %s=%q", label, labels[label])
	}
	return b.String()
}

// with returns the labels and one more.
func with(labels map[string]string, name, value string) map[string]string {
	labels = maps.Clone(labels)
	labels[name] = value
	return labels
}

func bound(upper float64) string { return fmt.Sprint(upper) }

// addHistogram adds the series of a classic histogram.
func (s samples) addHistogram(name string, labels map[string]string, uppers []float64, counts []float64, sum float64) {
	for i, upper := range uppers {
		s[key(name+"_bucket", with(labels, "le", bound(upper)))] = counts[i]
	}
	s[key(name+"_sum", labels)] = sum
	s[key(name+"_count", labels)] = counts[len(counts)-1]
}

// ofMessages returns the samples of messages, with more labels.
func ofMessages(families []*dto.MetricFamily, more map[string]string) (samples, natives) {
	all, histograms := samples{}, natives{}
	for _, family := range families {
		for _, m := range family.Metric {
			labels := map[string]string{}
			maps.Copy(labels, more)
			for _, pair := range m.Label {
				labels[pair.GetName()] = pair.GetValue()
			}
			h := m.Histogram
			if h == nil {
				all[key(family.GetName(), labels)] = m.GetCounter().GetValue() + m.GetGauge().GetValue() + m.GetUntyped().GetValue()
				continue
			}
			var uppers, counts []float64
			for _, b := range h.Bucket {
				if !math.IsInf(b.GetUpperBound(), 1) {
					uppers, counts = append(uppers, b.GetUpperBound()), append(counts, float64(b.GetCumulativeCount()))
				}
			}
			all.addHistogram(family.GetName(), labels, append(uppers, math.Inf(1)), append(counts, float64(h.GetSampleCount())), h.GetSampleSum())
			if h.Schema != nil {
				var spans []string
				for _, span := range h.PositiveSpan {
					spans = append(spans, fmt.Sprint(span.GetOffset(), "+", span.GetLength()))
				}
				histograms[key(family.GetName(), labels)] = fmt.Sprint(h.GetSchema(), h.GetZeroThreshold(), h.GetZeroCount(), h.GetSampleCount(), h.GetSampleSum(), spans, h.PositiveDelta)
			}
		}
	}
	return all, histograms
}

// scrape reads a page in a format.
func scrape(t testing.TB, h http.Handler, path, accept string) []*dto.MetricFamily {
	t.Helper()
	w := get(h, path, accept)
	if w.Code != http.StatusOK {
		t.Fatalf("GET %s: %d %s", path, w.Code, w.Body)
	}
	if got, want := w.Header().Get("Content-Type"), strings.Split(accept, ";")[0]; !strings.HasPrefix(got, want) {
		t.Fatalf("GET %s: content type %q, want %q", path, got, want)
	}
	if accept == acceptProtobuf {
		return decode(t, w.Body)
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(w.Body)
	if err != nil {
		t.Fatalf("GET %s: %v", path, err)
	}
	return slices.Collect(maps.Values(families))
}

func decode(t testing.TB, body *bytes.Buffer) []*dto.MetricFamily {
	t.Helper()
	var families []*dto.MetricFamily
	decoder := expfmt.NewDecoder(body, expfmt.FmtProtoDelim)
	for {
		var family dto.MetricFamily
		err := decoder.Decode(&family)
		if errors.Is(err, io.EOF) {
			return families
		}
		if err != nil {
			t.Fatal(err)
		}
		families = append(families, &family)
	}
}

// target is a target of discovery.
type target struct {
	Targets []string          `json:"targets"`
	Labels  map[string]string `json:"labels"`
}

// discover returns what /sd lists.
func discover(t testing.TB, h http.Handler) []target {
	t.Helper()
	var targets []target
	w := get(h, "/sd", "")
	if err := json.Unmarshal(w.Body.Bytes(), &targets); err != nil {
		t.Fatalf("GET /sd: %v", err)
	}
	return targets
}

// ofTargets scrapes all targets that discovery lists and that answer, as
// Prometheus would, with the labels service and pod.
func ofTargets(t testing.TB, h http.Handler, accept string) (samples, natives) {
	t.Helper()
	all, histograms := samples{}, natives{}
	for _, target := range discover(t, h) {
		path := target.Labels["__metrics_path__"]
		if get(h, path, "").Code == http.StatusServiceUnavailable {
			continue
		}
		more := map[string]string{}
		for _, name := range []string{"service", "pod"} {
			if value, ok := target.Labels[name]; ok {
				more[name] = value
			}
		}
		families := scrape(t, h, path, accept)
		for _, family := range families {
			for _, m := range family.Metric {
				for _, pair := range m.Label {
					if _, set := target.Labels[pair.GetName()]; set {
						t.Errorf("%s: a series carries the target's label %s", path, pair.GetName())
					}
				}
			}
		}
		s, n := ofMessages(families, more)
		maps.Copy(all, s)
		maps.Copy(histograms, n)
	}
	return all, histograms
}

// ofFrame reads a frame sample by sample, without any text in between.
func ofFrame(f *series.Frame) (samples, natives) {
	all, histograms := samples{}, natives{}
	for target := range f.Targets() {
		if !target.Status().Up() {
			continue
		}
		for s := range target.Samples() {
			labels := map[string]string{}
			for _, l := range slices.Concat(target.Labels().Sorted(), s.Series.Labels) {
				if l.Name != "job" && l.Name != "instance" {
					labels[l.Name] = l.Value
				}
			}
			if s.Series.Desc.Type.String() != "histogram" {
				all[key(s.Series.Desc.Name, labels)] = s.Value
				continue
			}
			uppers := append(latency.Classic(), math.Inf(1))
			counts := make([]int64, len(uppers))
			s.Histogram.ClassicCounts(counts)
			var floats []float64
			for _, n := range counts {
				floats = append(floats, float64(n))
			}
			all.addHistogram(s.Series.Desc.Name, labels, uppers, floats, s.Histogram.Sum)
			n := series.NewNative(s.Histogram)
			var spans []string
			for _, span := range n.Spans {
				spans = append(spans, fmt.Sprint(span.Offset, "+", span.Length))
			}
			histograms[key(s.Series.Desc.Name, labels)] = fmt.Sprint(n.Schema, n.ZeroThreshold, n.ZeroCount, n.Count, n.Sum, spans, n.Deltas)
		}
	}
	return all, histograms
}
