package promengine

import (
	"context"
	"math"
	"slices"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/util/annotations"
)

var _ storage.Queryable = (*Store)(nil)

// Querier returns a querier over the samples from mint to maxt.
func (s *Store) Querier(mint, maxt int64) (storage.Querier, error) {
	return &querier{store: s, mint: mint, maxt: maxt, now: math.MaxInt64}, nil
}

// past is the store as it was at a time: later samples are not there yet. It
// knows windows, too.
type past struct {
	store    *Store
	now      int64
	lookback int64 // of the queries
}

// Querier returns a querier over the samples from mint to maxt that are not
// later than now.
func (p past) Querier(mint, maxt int64) (storage.Querier, error) {
	return &querier{store: p.store, mint: mint, maxt: maxt, now: p.now, lookback: p.lookback, knowsWindows: true}, nil
}

type querier struct {
	store      *Store
	mint, maxt int64
	now        int64

	knowsWindows bool
	lookback     int64 // of the queries that have windows
}

// Select returns the series that match, in the order of the store or by labels.
func (q *querier) Select(_ context.Context, sortSeries bool, hints *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
	if w, rest, ok := windowOf(matchers); ok && q.knowsWindows {
		return q.windows(w, hints, rest)
	}
	mint, maxt := q.mint, q.maxt
	if hints != nil {
		mint, maxt = hints.Start, hints.End
	}
	views := q.views(mint, maxt, matchers)
	if sortSeries {
		slices.SortFunc(views, func(a, b *view) int { return labels.Compare(a.labels, b.labels) })
	}
	return &seriesSet{views: views}
}

// views returns what there is of the matching series at the time now from mint
// to maxt. The PromQL engine has cases in which it looks outside, and finds
// nothing there in Prometheus either.
func (q *querier) views(mint, maxt int64, matchers []*labels.Matcher) []*view {
	q.store.mu.RLock()
	defer q.store.mu.RUnlock()
	candidates := q.store.candidates(matchers)
	views := make([]*view, 0, len(candidates))
	for _, one := range candidates {
		if one.end == one.first || one.last.t < mint || one.time(one.first) > min(maxt, q.now) || !matches(one.labels, matchers) {
			continue
		}
		v := &view{labels: one.labels, nameless: one.nameless, history: one.until(min(maxt, q.now))}
		v.from = v.search(v.first, mint)
		views = append(views, v)
	}
	return views
}

// candidates returns series among which are all that match: the shortest of the
// lists that the matchers lead to.
func (s *Store) candidates(matchers []*labels.Matcher) []*stored {
	list := s.all
	for _, m := range matchers {
		if m.Type != labels.MatchEqual || m.Value == "" {
			continue
		}
		if l := s.postings[labels.Label{Name: m.Name, Value: m.Value}]; len(l) < len(list) {
			list = l
		}
	}
	return list
}

func matches(l labels.Labels, matchers []*labels.Matcher) bool {
	for _, m := range matchers {
		if !m.Matches(l.Get(m.Name)) {
			return false
		}
	}
	return true
}

// LabelValues returns the values that a label has in the matching series.
func (q *querier) LabelValues(_ context.Context, name string, hints *storage.LabelHints, matchers ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return q.collect(hints, matchers, func(l labels.Labels, add func(string)) {
		if v := l.Get(name); v != "" {
			add(v)
		}
	})
}

// LabelNames returns the names of the labels of the matching series.
func (q *querier) LabelNames(_ context.Context, hints *storage.LabelHints, matchers ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return q.collect(hints, matchers, func(l labels.Labels, add func(string)) {
		l.Range(func(label labels.Label) { add(label.Name) })
	})
}

// collect returns, sorted, what the function finds in the labels of the
// matching series.
func (q *querier) collect(hints *storage.LabelHints, matchers []*labels.Matcher, from func(labels.Labels, func(string))) ([]string, annotations.Annotations, error) {
	found := map[string]bool{}
	for _, v := range q.views(q.mint, q.maxt, matchers) {
		from(v.labels, func(text string) { found[text] = true })
	}
	list := make([]string, 0, len(found))
	for text := range found {
		list = append(list, text)
	}
	slices.Sort(list)
	list, _ = hints.ApplyLimit(list)
	return list, nil, nil
}

// Close does nothing: a querier holds only views.
func (q *querier) Close() error { return nil }

// view is a series as it was when it was selected.
type view struct {
	labels, nameless labels.Labels
	history
	from int // number of the first sample that belongs to it
}

// Labels returns the labels of the series.
func (v *view) Labels() labels.Labels { return v.labels }

// Iterator returns an iterator over the samples.
func (v *view) Iterator(it chunkenc.Iterator) chunkenc.Iterator {
	if old, ok := it.(*iterator); ok {
		*old = iterator{history: &v.history, from: v.from, at: v.from - 1}
		return old
	}
	return &iterator{history: &v.history, from: v.from, at: v.from - 1}
}

type seriesSet struct {
	views []*view
	next  int
}

func (s *seriesSet) Next() bool {
	s.next++
	return s.next <= len(s.views)
}

func (s *seriesSet) At() storage.Series                { return s.views[s.next-1] }
func (s *seriesSet) Err() error                        { return nil }
func (s *seriesSet) Warnings() annotations.Annotations { return nil }

// millis is a time in milliseconds since 1970. Of the two methods Seek it tells
// go vet that they are not an io.Seeker's.
type millis = int64

// iterator goes through the samples of a series.
type iterator struct {
	*history
	from, at int
}

func (it *iterator) kind() chunkenc.ValueType {
	switch {
	case it.at >= it.end:
		return chunkenc.ValNone
	case it.histograms && it.isHistogram(it.at):
		return chunkenc.ValFloatHistogram
	}
	return chunkenc.ValFloat
}

// Next goes on to the next sample.
func (it *iterator) Next() chunkenc.ValueType {
	if it.at < it.end {
		it.at++
	}
	return it.kind()
}

// Seek goes on to the first sample at t or later.
func (it *iterator) Seek(t millis) chunkenc.ValueType {
	it.at = it.search(max(it.at, it.from), t)
	return it.kind()
}

// At returns the sample, a number.
func (it *iterator) At() (t int64, v float64) { return it.time(it.at), it.value(it.at) }

// AtHistogram is never called: histograms are of floating-point counts.
func (it *iterator) AtHistogram(*histogram.Histogram) (int64, *histogram.Histogram) {
	panic("promengine: a histogram of integers is read")
}

// AtFloatHistogram returns a copy of the sample, a histogram.
func (it *iterator) AtFloatHistogram(into *histogram.FloatHistogram) (int64, *histogram.FloatHistogram) {
	if into == nil {
		into = &histogram.FloatHistogram{}
	}
	it.histogram(it.at, into)
	return it.time(it.at), into
}

// AtT returns the time of the sample.
func (it *iterator) AtT() int64 { return it.time(it.at) }

// AtST returns 0: start timestamps are not kept.
func (it *iterator) AtST() int64 { return 0 }

// Err returns nil.
func (it *iterator) Err() error { return nil }
