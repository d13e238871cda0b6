package oracle_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/config"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/scrape"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/alerts/promengine/api"
	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/exporter/series"
)

// both are the two APIs over the same samples and rules.
type both struct {
	stock, own http.Handler
	answers    map[int]int // by status
}

// scrapes is how many scrapes the APIs have samples of.
const scrapes = 240

// newBoth returns both APIs over random series and some odd ones, with rules
// that have been evaluated at each scrape.
func newBoth(t *testing.T, seed uint64, rules ...string) both {
	t.Helper()
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 2))}
	d := drill{start: morning, scrape: 15 * time.Second, scrapes: g.scrapes(scrapes), rules: rules}
	for i := range d.scrapes {
		d.scrapes[i] = append(d.scrapes[i], oddities(i)...)
	}
	s := newStock(t, d.rules)
	store, engine := open(t, d)
	for i, samples := range d.scrapes {
		s.append(t, samples)
		fill(t, store, samples)
		ts := d.start.Add(time.Duration(i) * d.scrape)
		for _, group := range s.groups {
			if due(group, ts) {
				group.Eval(t.Context(), ts)
			}
		}
		if _, err := engine.Eval(t.Context(), ts); err != nil {
			t.Fatal(err)
		}
	}
	own := api.New(api.Options{Interval: evaluation, Lookback: lookback, Source: func(context.Context) (api.State, error) {
		return api.State{
			Store: store, Engine: engine, Now: time.Now(), Flags: map[string]string{"storage.tsdb.retention.time": "6h"},
			Build: api.Build{Version: "1.2.3", GoVersion: "go1"}, Scrape: ownScrape(),
		}, nil
	}})
	return both{stockAPI(t, s, stockTargets()), own.Handler(), map[int]int{}}
}

// oddities returns samples of series that random ones do not have: names that
// have to be quoted, numbers and histograms in one series, custom buckets, a
// histogram that has to be a counter, very small and large numbers.
func oddities(i int) []point {
	at := morning.Add(time.Duration(i) * 15 * time.Second).UnixMilli()
	n := float64(i)
	gauge := nativeOf(1 + i%7)
	gauge.CounterResetHint = histogram.GaugeType
	custom := &histogram.FloatHistogram{
		Schema: histogram.CustomBucketsSchema, Count: 3 * n, Sum: n / 2, CustomValues: []float64{0.1, 1},
		PositiveSpans: []histogram.Span{{Length: 3}}, PositiveBuckets: []float64{n, n, n},
	}
	negative := &histogram.FloatHistogram{
		Schema: 0, ZeroThreshold: 0.5, ZeroCount: n, Count: 4 * n, Sum: -n, PositiveSpans: []histogram.Span{{Offset: 1, Length: 1}}, PositiveBuckets: []float64{n},
		NegativeSpans: []histogram.Span{{Offset: 0, Length: 2}}, NegativeBuckets: []float64{n, n},
	}
	mixed := point{labels: labels.FromStrings(model.MetricNameLabel, "mixed", "job", "x"), t: at, v: n}
	if i/20%2 == 1 {
		mixed.v, mixed.h = 0, nativeOf(i)
	}
	ends := point{labels: labels.FromStrings(model.MetricNameLabel, "ends", "job", "x"), t: at, v: n}
	if i >= scrapes-10 {
		ends.v = math.Float64frombits(value.StaleNaN)
	}
	extreme := []float64{1e-7, 1e21, 1e300, 5e-324, math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 123456789.5}[i%9]
	return []point{
		{labels: labels.FromStrings(model.MetricNameLabel, "a metric", "a label", "ü<&>\"\\\n"), t: at, v: n},
		{labels: labels.FromStrings(model.MetricNameLabel, "service.requests", "http.status", "200", "job", "x"), t: at, v: n},
		{labels: labels.FromStrings(model.MetricNameLabel, "extreme", "job", "x"), t: at, v: extreme},
		{labels: labels.FromStrings(model.MetricNameLabel, "native_gauge", "job", "x"), t: at, h: gauge},
		{labels: labels.FromStrings(model.MetricNameLabel, "custom", "job", "x"), t: at, h: custom},
		{labels: labels.FromStrings(model.MetricNameLabel, "negative", "job", "x"), t: at, h: negative},
		mixed, ends,
	}
}

// The targets that both APIs have: one that answers and one that does not.
var (
	answering = series.Labels{Job: "shop", Instance: "a:8080", Service: "shop", Pod: "a"}
	silent    = series.Labels{Job: "shop", Instance: "b:8080", Service: "shop", Pod: "b"}
)

const target503 = "server returned HTTP status 503 Service Unavailable"

func pageOf(l series.Labels) string { return "http://10.0.0.1:9464/targets/" + l.Pod + "/metrics" }

func ownScrape() api.Scrape {
	list := []promengine.TargetStatus{
		{Labels: answering, Answers: true, LastScrape: morning, Metrics: []*metric.Desc{&metric.HTTPRequestDuration, &metric.HTTPRequests}},
		{Labels: silent, LastScrape: morning},
	}
	return api.Scrape{Pool: pool, Interval: 15 * time.Second, Timeout: 10 * time.Second, URL: pageOf, Targets: func() []promengine.TargetStatus { return list }}
}

func stockTargets() []*scrape.Target {
	cfg := &config.ScrapeConfig{
		JobName: pool, ScrapeInterval: model.Duration(15 * time.Second), ScrapeTimeout: model.Duration(10 * time.Second), MetricsPath: "/metrics", Scheme: "http",
	}
	var all []*scrape.Target
	for _, l := range []series.Labels{answering, silent} {
		found := model.LabelSet{model.AddressLabel: "10.0.0.1:9464", model.MetricsPathLabel: model.LabelValue("/targets/" + l.Pod + "/metrics")}
		for _, label := range l.Sorted() {
			found[model.LabelName(label.Name)] = model.LabelValue(label.Value)
		}
		b := labels.NewBuilder(labels.EmptyLabels())
		full, err := scrape.PopulateLabels(b, cfg, found, nil)
		if err != nil {
			panic(err)
		}
		one := scrape.NewTarget(full, cfg, found, nil)
		if l == answering {
			one.Report(morning, 0, nil)
			one.SetMetadataStore(metadataStore{&metric.HTTPRequestDuration, &metric.HTTPRequests})
		} else {
			one.Report(morning, 0, errors.New(target503))
		}
		all = append(all, one)
	}
	return all
}

// metadataStore is what is known of metrics, as a scrape would have found it.
type metadataStore []*metric.Desc

func (s metadataStore) ListMetadata() []scrape.MetricMetadata {
	var all []scrape.MetricMetadata
	for _, d := range s {
		all = append(all, scrape.MetricMetadata{MetricFamily: d.Name, Type: model.MetricType(d.Type.String()), Help: d.Help, Unit: d.Unit})
	}
	return all
}

func (s metadataStore) GetMetadata(name string) (scrape.MetricMetadata, bool) {
	all := s.ListMetadata()
	i := slices.IndexFunc(all, func(m scrape.MetricMetadata) bool { return m.MetricFamily == name })
	if i < 0 {
		return scrape.MetricMetadata{}, false
	}
	return all[i], true
}

func (s metadataStore) SizeMetadata() int   { return 0 }
func (s metadataStore) LengthMetadata() int { return len(s) }

// question is a request: a path and parameters, as name, value and so on.
type question struct {
	method, path string
	params       []string
	body         bool // parameters are a form in the body
	header       http.Header
	ordered      bool // the order of a result is part of it
	chance       bool // the last digits of a result may be left to chance
}

func (q question) String() string {
	return fmt.Sprintf("%s %s %q %v", q.method, q.path, q.params, q.header)
}

func (q question) request() *http.Request {
	form := url.Values{}
	for i := 0; i < len(q.params); i += 2 {
		form.Add(q.params[i], q.params[i+1])
	}
	path := "/api/v1/" + q.path
	method := cmp.Or(q.method, http.MethodGet)
	var r *http.Request
	if q.body {
		r = httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	} else {
		if len(form) > 0 {
			path += "?" + form.Encode()
		}
		r = httptest.NewRequest(method, path, nil)
	}
	for name, values := range q.header {
		r.Header[name] = values
	}
	return r
}

// chances is how often a question is asked whose answer depends on chance.
const chances = 20

// ask asks both and reports where they differ. In range queries Prometheus adds
// up what comes out of some expressions in random order, and finds one or
// another of several errors.
func (b both) ask(t *testing.T, q question) {
	t.Helper()
	want, got := reply(t, b.stock, q), reply(t, b.own, q)
	b.answers[want.status]++
	for i := 1; q.chance && i < chances && !want.near(got); i++ {
		want = reply(t, b.stock, q)
	}
	if want.text != got.text && !(q.chance && want.near(got)) {
		t.Errorf("%v\nPrometheus: %s\npromengine: %s", q, cut(want.text), cut(got.text))
	}
}

// answer is what a request is answered with, without what may differ.
type answer struct {
	status int
	body   any // decoded JSON; nil where it is none
	text   string
}

// near reports whether the answers are the same up to rounding.
func (a answer) near(b answer) bool { return a.status == b.status && near(a.body, b.body) }

// near compares decoded JSON. Numbers of results are strings.
func near(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && len(a) == len(b) && !slices.ContainsFunc(slices.Collect(maps.Keys(a)), func(name string) bool { return !near(a[name], b[name]) })
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, near)
	case string:
		b, ok := b.(string)
		return ok && (a == b || nearNumbers(a, b))
	}
	return a == b
}

func nearNumbers(a, b string) bool {
	const tolerance = 1e-9
	x, wrongX := strconv.ParseFloat(a, 64)
	y, wrongY := strconv.ParseFloat(b, 64)
	return wrongX == nil && wrongY == nil && math.Abs(x-y) <= tolerance*max(1, math.Abs(x), math.Abs(y))
}

func cut(text string) string {
	const most = 1500
	if len(text) > most {
		return text[:most] + fmt.Sprintf("… of %d", len(text))
	}
	return text
}

// reply returns the answer of one of the two.
func reply(t *testing.T, h http.Handler, q question) answer {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, q.request())
	a := answer{status: w.Code}
	if kind := w.Header().Get("Content-Type"); kind != "application/json" {
		a.text = fmt.Sprintf("%d %s %s", w.Code, kind, w.Header().Get("Allow"))
		return a
	}
	decoder := json.NewDecoder(bytes.NewReader(w.Body.Bytes()))
	decoder.UseNumber()
	if err := decoder.Decode(&a.body); err != nil {
		t.Fatalf("%v: %v in %s", q, err, w.Body)
	}
	a.body = normal(a.body, "", q)
	text, err := json.Marshal(a.body)
	if err != nil {
		t.Fatal(err)
	}
	a.text = fmt.Sprintf("%d %s", w.Code, text)
	return a
}

// differs are the fields whose values are of the server, and not compared:
//
//   - how long things took, and when on the wall clock they were,
//   - how many chunks there are, and how many series have a chunk that touches a
//     span without a sample in it,
//   - labels that tell targets how to scrape, of which only the common ones are here.
var differs = map[string]bool{
	"timings": true, "evaluationTime": true, "lastEvaluation": true, "chunkCount": true, "seriesTouched": true,
	"discoveredLabels": true,
}

// unordered are the lists that Prometheus gives in no particular order: those
// made of maps. The order of results is that of a map in some expressions too.
var unordered = map[string]bool{
	"warnings": true, "infos": true, "alerts": true,
	"seriesCountByMetricName": true, "labelValueCountByLabelName": true, "memoryInBytesByLabelName": true, "seriesCountByLabelValuePair": true,
}

// normal returns decoded JSON without what may differ.
func normal(v any, field string, q question) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			if differs[name] {
				v[name] = "…"
				continue
			}
			v[name] = normal(v[name], name, q)
		}
	case []any:
		for i := range v {
			v[i] = normal(v[i], "", q)
		}
		if unordered[field] || (field == "result" || field == "data") && !q.ordered {
			sortJSON(v)
		}
	}
	return v
}

func sortJSON(list []any) {
	text := func(v any) string {
		b, _ := json.Marshal(v)
		return string(b)
	}
	slices.SortStableFunc(list, func(a, b any) int { return cmp.Compare(text(a), text(b)) })
}

// groupToken returns what stands for a group in pages of rules.
func groupToken(file, group string) string {
	sum := sha256.Sum256([]byte(file + ";" + group))
	return hex.EncodeToString(sum[:])
}
