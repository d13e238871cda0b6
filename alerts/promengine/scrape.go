package promengine

import (
	"math"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/exporter/series"
	"github.com/firedrill/firedrill/simulator/latency"
)

// scrapeDuration is the value of scrape_duration_seconds: nothing is measured.
const scrapeDuration = 0.01

// Series that Prometheus writes about a scrape, in its order.
const (
	reportUp = iota
	reportDuration
	reportScraped
	reportKept
	reportAdded
	reports
)

var reportNames = [reports]string{
	reportUp:       "up",
	reportDuration: "scrape_duration_seconds",
	reportScraped:  "scrape_samples_scraped",
	reportKept:     "scrape_samples_post_metric_relabeling",
	reportAdded:    "scrape_series_added",
}

// Scraper writes frames into a store as Prometheus scrapes targets: each target
// on its own, its labels on every series, classic and native histograms. One
// goroutine scrapes, any number may call Targets.
type Scraper struct {
	mu      sync.Mutex // guards what the scrapes have found
	store   *Store
	natives bool
	targets map[series.Labels]*scrapeTarget
	order   []*scrapeTarget // as they came
	scrapes int
	counts  []int64
}

// NewScraper returns a scraper for the frames of one table. Where natives is
// false it leaves native histograms out.
func NewScraper(store *Store, natives bool) *Scraper {
	return &Scraper{
		store: store, natives: natives, targets: map[series.Labels]*scrapeTarget{},
		counts: make([]int64, len(latency.Classic())+1),
	}
}

// scrapeTarget is a target with what its last scrapes gave.
type scrapeTarget struct {
	key    series.Labels
	labels []series.Label
	report [reports]*stored
	seen   int // the last scrape in which it was listed

	scraped time.Time // the last time
	answers bool      // it did then
	metrics []*metric.Desc

	epoch  uint64    // of the list that all is made from
	all    []*stored // the series of the target, sample by sample
	alive  []*stored // those that the last scrape gave
	known  map[*stored]bool
	native []*histogram.FloatHistogram // the last ones, whose spans the next mostly have
}

// Scrape writes the frame as of the time ts. A listed target that does not
// answer is down: its series become stale. So do those of a target that is not
// listed any more, and `up` with them.
func (s *Scraper) Scrape(ts time.Time, frame *series.Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scrapes++
	t := ts.UnixMilli()
	for target := range frame.Targets() {
		status := target.Status()
		if !status.Listed {
			continue
		}
		known := s.target(target.Labels(), t)
		known.seen, known.scraped, known.answers = s.scrapes, ts, status.Answers
		if status.Answers {
			s.answer(known, target, t)
		} else {
			s.fail(known, t)
		}
	}
	s.order = slices.DeleteFunc(s.order, func(one *scrapeTarget) bool {
		if one.seen == s.scrapes {
			return false
		}
		s.markStale(one.alive, t)
		s.markStale(one.report[:], t)
		delete(s.targets, one.key)
		return true
	})
}

func (s *Scraper) markStale(list []*stored, t int64) {
	for _, one := range list {
		s.store.appendStale(one, t)
	}
}

// target returns what is known of the target with these labels.
func (s *Scraper) target(key series.Labels, t int64) *scrapeTarget {
	if one, known := s.targets[key]; known {
		return one
	}
	one := &scrapeTarget{key: key, labels: key.Sorted(), known: map[*stored]bool{}}
	for i, name := range reportNames {
		one.report[i] = s.series(one, t, name, nil)
	}
	s.targets[key] = one
	s.order = append(s.order, one)
	return one
}

// series returns a series of a target. The labels of the target win.
func (s *Scraper) series(target *scrapeTarget, t int64, name string, own []series.Label, more ...series.Label) *stored {
	b := labels.NewBuilder(labels.EmptyLabels())
	for _, list := range [...][]series.Label{own, more, target.labels} {
		for _, l := range list {
			b.Set(l.Name, l.Value)
		}
	}
	b.Set(model.MetricNameLabel, name)
	return s.store.series(b.Labels(), t)
}

// answer writes a scrape that succeeds.
func (s *Scraper) answer(one *scrapeTarget, target series.Target, t int64) {
	added := 0
	if one.all == nil || one.epoch != target.Epoch() || slices.ContainsFunc(one.all, func(s *stored) bool { return s.gone }) {
		before := one.known
		s.resolve(one, target, t)
		for _, old := range one.alive {
			if !one.known[old] {
				s.store.appendStale(old, t)
			}
		}
		for _, now := range one.all {
			if !before[now] {
				added++
			}
		}
	}
	one.alive = one.all
	s.write(one, target, t)
	s.finish(one, t, 1, len(one.all), added)
}

// fail writes a scrape that gets no answer.
func (s *Scraper) fail(one *scrapeTarget, t int64) {
	s.markStale(one.alive, t)
	one.alive = nil
	s.finish(one, t, 0, 0, 0)
}

// finish writes the report of a scrape.
func (s *Scraper) finish(one *scrapeTarget, t int64, up float64, samples, added int) {
	values := [reports]float64{up, scrapeDuration, float64(samples), float64(samples), float64(added)}
	for i := range one.report {
		one.report[i] = s.store.revive(one.report[i], t)
		s.put(one.report[i], sample{t: t, v: values[i]})
	}
}

// put adds a sample. Frames come one after another, so it is in order, or the
// same tick is scraped again and the sample is there.
func (s *Scraper) put(to *stored, one sample) { _ = s.store.appendTo(to, one) }

// resolve finds the series of all samples of a target.
func (s *Scraper) resolve(one *scrapeTarget, target series.Target, t int64) {
	one.epoch = target.Epoch()
	one.all = make([]*stored, 0, target.Len())
	one.native, one.metrics = nil, nil
	for sample := range target.Samples() {
		desc, own := sample.Series.Desc, sample.Series.Labels
		if n := len(one.metrics); n == 0 || one.metrics[n-1] != desc {
			one.metrics = append(one.metrics, desc)
		}
		if desc.Type != metric.Histogram {
			one.all = append(one.all, s.series(one, t, desc.Name, own))
			continue
		}
		if s.natives {
			one.all = append(one.all, s.series(one, t, desc.Name, own))
		}
		for _, upper := range append(latency.Classic(), math.Inf(1)) {
			bound := series.Label{Name: metric.LE, Value: labels.FormatOpenMetricsFloat(upper)}
			one.all = append(one.all, s.series(one, t, desc.Bucket(), own, bound))
		}
		one.all = append(one.all, s.series(one, t, desc.Count(), own), s.series(one, t, desc.Sum(), own))
		one.native = append(one.native, &histogram.FloatHistogram{})
	}
	one.known = make(map[*stored]bool, len(one.all))
	for _, s := range one.all {
		one.known[s] = true
	}
}

// write writes the samples of a target in the order of resolve.
func (s *Scraper) write(one *scrapeTarget, target series.Target, t int64) {
	next, histograms := 0, 0
	put := func(to sample) {
		s.put(one.all[next], to)
		next++
	}
	for from := range target.Samples() {
		if from.Series.Desc.Type != metric.Histogram {
			put(sample{t: t, v: from.Value})
			continue
		}
		if s.natives {
			one.native[histograms] = native(from.Histogram, one.native[histograms])
			put(sample{t: t, h: one.native[histograms]})
			histograms++
		}
		from.Histogram.ClassicCounts(s.counts)
		for _, n := range s.counts {
			put(sample{t: t, v: float64(n)})
		}
		put(sample{t: t, v: float64(s.counts[len(s.counts)-1])})
		put(sample{t: t, v: from.Histogram.Sum})
	}
}

// native returns a histogram as a native one. It shares spans with the one
// before where it has the same.
func native(from latency.Histogram, before *histogram.FloatHistogram) *histogram.FloatHistogram {
	n := series.NewNative(from)
	h := &histogram.FloatHistogram{
		Schema: n.Schema, ZeroThreshold: n.ZeroThreshold, ZeroCount: float64(n.ZeroCount), Count: float64(n.Count), Sum: n.Sum,
		PositiveSpans: before.PositiveSpans, PositiveBuckets: make([]float64, len(n.Deltas)),
	}
	same := slices.EqualFunc(n.Spans, before.PositiveSpans, func(a series.Span, b histogram.Span) bool {
		return a.Offset == b.Offset && a.Length == b.Length
	})
	if !same {
		h.PositiveSpans = make([]histogram.Span, len(n.Spans))
		for i, span := range n.Spans {
			h.PositiveSpans[i] = histogram.Span{Offset: span.Offset, Length: span.Length}
		}
	}
	count := int64(0)
	for i, d := range n.Deltas {
		count += d
		h.PositiveBuckets[i] = float64(count)
	}
	return h
}
