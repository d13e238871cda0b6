package promengine

import (
	"errors"
	"math"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/util/annotations"
)

// windowLabel is the label whose matcher makes a selector of a rule a window.
// Its value is the function and the range. Queries of people never have windows.
const windowLabel = "\x00window"

// errNoWindow says that a selected series has histograms, or that series are
// told apart by labels that functions drop: then the genuine function has to
// do it.
var errNoWindow = errors.New("series need the genuine function")

// window is a function over a range.
type window struct {
	function string
	length   time.Duration
}

// isWindowFunction reports whether the store can stand in for the function.
func isWindowFunction(name string) bool {
	switch name {
	case "rate", "increase", "delta", "count_over_time":
		return true
	}
	return false
}

// withWindows returns the expression with windows in the place of calls, and
// whether there are any.
func withWindows(expr parser.Expr) (fast parser.Expr, changed bool) {
	fast = rebuild(expr, func(e parser.Expr) parser.Expr {
		if keeps(e) {
			return clone(e)
		}
		call, ok := e.(*parser.Call)
		if !ok || !isWindowFunction(call.Func.Name) {
			return nil
		}
		if s := windowSelector(call); s != nil {
			changed = true
			return s
		}
		return nil
	})
	return fast, changed
}

// keeps reports whether nothing in the expression may become a window: in
// subqueries, whose steps are others, and for functions that behave differently
// when their argument is a selector.
func keeps(e parser.Expr) bool {
	switch e := e.(type) {
	case *parser.SubqueryExpr:
		return true
	case *parser.Call:
		switch e.Func.Name {
		case "absent", "absent_over_time", "timestamp", "start_timestamp", "info":
			return true
		}
	}
	return false
}

// windowSelector returns the selector for a call over a plain selector, nil for
// any other call.
func windowSelector(call *parser.Call) *parser.VectorSelector {
	ranged, ok := call.Args[0].(*parser.MatrixSelector)
	if !ok || ranged.RangeExpr != nil {
		return nil
	}
	selector, ok := ranged.VectorSelector.(*parser.VectorSelector)
	if !ok || selector.Name == "" || !isPlain(selector) {
		return nil
	}
	c := *selector
	spec := call.Func.Name + " " + strconv.FormatInt(int64(ranged.Range), 10)
	c.LabelMatchers = append([]*labels.Matcher{labels.MustNewMatcher(labels.MatchEqual, windowLabel, spec)}, selector.LabelMatchers...)
	return &c
}

// isPlain reports whether the selector selects what was there at the time of
// the query or before.
func isPlain(s *parser.VectorSelector) bool {
	return s.Timestamp == nil && s.StartOrEnd == 0 && s.OriginalOffset >= 0 && s.OriginalOffsetExpr == nil && !s.Anchored && !s.Smoothed
}

// windowOf returns the window that matchers ask for, and the other matchers. A
// matcher that somebody has written into a rule is one like others.
func windowOf(matchers []*labels.Matcher) (w window, rest []*labels.Matcher, ok bool) {
	if len(matchers) == 0 || matchers[0].Name != windowLabel {
		return window{}, nil, false
	}
	function, length, _ := strings.Cut(matchers[0].Value, " ")
	n, err := strconv.ParseInt(length, 10, 64)
	if err != nil || !isWindowFunction(function) {
		return window{}, nil, false
	}
	return window{function, time.Duration(n)}, matchers[1:], true
}

// windows returns the windows over the matching series, with a sample for each
// step of the query.
func (q *querier) windows(w window, hints *storage.SelectHints, matchers []*labels.Matcher) storage.SeriesSet {
	// The hints reach back from the first step as far as a selector looks back.
	steps := steps{first: hints.Start + q.lookback - 1, last: hints.End, step: max(hints.Step, 1)}
	views := q.views(hints.Start-w.length.Milliseconds(), hints.End, matchers)
	list := make([]windowSeries, len(views))
	for i, v := range views {
		if v.histograms || v.labels.Len() != v.nameless.Len()+1 {
			return storage.ErrSeriesSet(errNoWindow)
		}
		list[i] = windowSeries{view: v, window: w, steps: steps}
	}
	return &windowSet{list: list}
}

// steps are the times, in milliseconds, at which a query wants a sample.
type steps struct{ first, last, step int64 }

type windowSet struct {
	list []windowSeries
	next int
}

func (s *windowSet) Next() bool {
	s.next++
	return s.next <= len(s.list)
}

func (s *windowSet) At() storage.Series                { return &s.list[s.next-1] }
func (s *windowSet) Err() error                        { return nil }
func (s *windowSet) Warnings() annotations.Annotations { return nil }

// windowSeries is a window over one series.
type windowSeries struct {
	view   *view
	window window
	steps  steps
}

// Labels returns what the function leaves of the labels.
func (w *windowSeries) Labels() labels.Labels { return w.view.nameless }

// Iterator returns an iterator over the values of the function.
func (w *windowSeries) Iterator(it chunkenc.Iterator) chunkenc.Iterator {
	c, ok := it.(*windowIterator)
	if !ok {
		c = &windowIterator{}
	}
	*c = windowIterator{
		history: &w.view.history, function: w.window.function, length: w.window.length, steps: w.steps,
		at: w.steps.first - w.steps.step, lo: w.view.first, hi: w.view.first,
	}
	return c
}

// windowIterator goes through the values of a function over a range that moves.
// At times at which the function has no value there is a stale marker, so that
// no older value is taken instead.
type windowIterator struct {
	*history
	function string
	length   time.Duration
	steps    steps
	at       int64 // the time of the current value
	lo, hi   int   // the samples in the range: lo to before hi

	known bool // whether v is the current value
	v     float64
}

func (it *windowIterator) kind() chunkenc.ValueType {
	if it.at > it.steps.last {
		return chunkenc.ValNone
	}
	return chunkenc.ValFloat
}

// Next goes on to the next step.
func (it *windowIterator) Next() chunkenc.ValueType {
	if it.at <= it.steps.last {
		it.at += it.steps.step
		it.known = false
	}
	return it.kind()
}

// Seek goes on to the first step at t or later.
func (it *windowIterator) Seek(t millis) chunkenc.ValueType {
	if behind := max(t, it.steps.first) - it.at; behind > 0 {
		it.at += (behind + it.steps.step - 1) / it.steps.step * it.steps.step
		it.known = false
	}
	return it.kind()
}

// At returns the value at the current step.
func (it *windowIterator) At() (t int64, v float64) {
	if !it.known {
		it.move()
		v, ok := it.call()
		if !ok {
			v = math.Float64frombits(value.StaleNaN)
		}
		it.v, it.known = v, true
	}
	return it.at, it.v
}

// move moves the ends of the range to the current step. From one step to the
// next they move a little.
func (it *windowIterator) move() {
	it.lo = it.forward(it.lo, it.at-it.length.Milliseconds()+1)
	it.hi = it.forward(max(it.hi, it.lo), it.at+1)
}

// walk is how far forward looks step by step.
const walk = 8

// forward returns the number of the first sample from the number i on that is at
// t or later.
func (it *windowIterator) forward(i int, t int64) int {
	for end := min(i+walk, it.end); i < end; i++ {
		if it.time(i) >= t {
			return i
		}
	}
	return it.search(i, t)
}

// call returns the value of the function over the range.
func (it *windowIterator) call() (v float64, ok bool) {
	count := it.hi - it.lo - it.staleIn(it.lo, it.hi)
	if it.function == "count_over_time" {
		return float64(count), count > 0
	}
	if count < 2 {
		return 0, false
	}
	first, last := it.lo, it.hi-1
	for isStale(it.value(first)) {
		first++
	}
	for isStale(it.value(last)) {
		last--
	}
	return it.extrapolate(first, last, count-1), true
}

// extrapolate returns rate, increase or delta over the samples from first to
// last. Every operation is the one that PromQL does, in the same order, since
// the result has to be the same in the last bit.
func (it *windowIterator) extrapolate(first, last, intervals int) float64 {
	isCounter := it.function != "delta"
	from := it.value(first)
	result := it.value(last) - from
	if isCounter {
		result = it.overResets(first, last, result)
	}
	firstT, lastT := it.time(first), it.time(last)
	toStart := float64(firstT-(it.at-it.length.Milliseconds())) / 1000
	toEnd := float64(it.at-lastT) / 1000
	sampled := float64(lastT-firstT) / 1000
	between := sampled / float64(intervals)
	threshold := float64(between * 1.1)
	if toStart >= threshold {
		toStart = between / 2
	}
	if isCounter && result > 0 && from >= 0 {
		toZero := float64(sampled * (from / result))
		toStart = lesser(toZero, toStart)
	}
	if toEnd >= threshold {
		toEnd = between / 2
	}
	factor := 1.0
	if sampled != 0 {
		factor = (sampled + toStart + toEnd) / sampled
	}
	if it.function == "rate" {
		factor /= it.length.Seconds()
	}
	return result * factor
}

// lesser returns a where it is less than b, else b.
func lesser(a, b float64) float64 {
	if a < b {
		return a
	}
	return b
}

// overResets adds to a difference what the counter had reached at each reset
// between its ends.
func (it *windowIterator) overResets(first, last int, difference float64) float64 {
	for _, reset := range it.resets[sort.SearchInts(it.resets, first+1):] {
		if reset > last {
			break
		}
		before := reset - 1
		for isStale(it.value(before)) {
			before--
		}
		difference += it.value(before)
	}
	return difference
}

func isStale(v float64) bool { return value.IsStaleNaN(v) }

// AtHistogram is never called: all values are numbers.
func (it *windowIterator) AtHistogram(*histogram.Histogram) (int64, *histogram.Histogram) {
	panic("promengine: a histogram is read from a window")
}

// AtFloatHistogram is never called: all values are numbers.
func (it *windowIterator) AtFloatHistogram(*histogram.FloatHistogram) (int64, *histogram.FloatHistogram) {
	panic("promengine: a histogram is read from a window")
}

// AtT returns the time of the current step.
func (it *windowIterator) AtT() int64 { return it.at }

// AtST returns 0: start timestamps are not kept.
func (it *windowIterator) AtST() int64 { return 0 }

// Err returns nil.
func (it *windowIterator) Err() error { return nil }
