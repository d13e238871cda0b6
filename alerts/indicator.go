package alerts

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/firedrill/firedrill/exporter/metric"
)

// Indicator tells bad requests from good ones. Its queries divide sums of rates
// of raw counters: never a mean of ratios, and nothing stands in for missing
// data.
type Indicator interface {
	// errorRatio is the share of bad requests over a window.
	errorRatio(by grouping, window string) string
	// requests is a function over all requests: their rate or their increase.
	requests(function string, by grouping, window string) string
	// witness is a query that has a result where the indicator works.
	witness(by grouping, window string) string
	// failure says in words what a bad request did.
	failure() string
	validate() []FieldError
}

var (
	_ Indicator = Counters{}
	_ Indicator = Buckets{}
	_ Indicator = Native{}
)

// grouping are the labels that a sum keeps.
type grouping []string

// sum adds up a function over the series of a selector.
func (g grouping) sum(function string, s Selector, window string) string {
	keep := ""
	if len(g) > 0 {
		keep = " by (" + strings.Join(g, ", ") + ") "
	}
	return "sum" + keep + "(" + function + "(" + s.String() + "[" + window + "]))"
}

const (
	rate     = "rate"
	increase = "increase"
)

// divide writes a quotient of two queries on three lines.
func divide(a, b string) string { return a + "\n/\n" + b }

// Counters counts bad or good requests and all of them.
type Counters struct {
	Errors Selector // bad requests, or
	Good   Selector // good ones
	Total  Selector // all of them
}

func (c Counters) errorRatio(by grouping, window string) string {
	total := by.sum(rate, c.Total, window)
	if c.Errors.Empty() {
		return "1 -\n" + divide(by.sum(rate, c.Good, window), total)
	}
	return divide(by.sum(rate, c.Errors, window), total)
}

func (c Counters) requests(function string, by grouping, window string) string {
	return by.sum(function, c.Total, window)
}

// witness is all requests where bad ones are counted, since many services have
// no series of errors until there is one.
func (c Counters) witness(by grouping, window string) string {
	if c.Errors.Empty() {
		return by.sum(rate, c.Good, window)
	}
	return by.sum(rate, c.Total, window)
}

func (c Counters) failure() string { return "failed" }

func (c Counters) validate() []FieldError {
	var all []FieldError
	if c.Errors.Empty() == c.Good.Empty() {
		all = append(all, FieldError{Field: "errors", Message: "has to be given, or good, and not both"})
	}
	all = append(all, raw("errors", c.Errors)...)
	all = append(all, raw("good", c.Good)...)
	if c.Total.Empty() {
		return append(all, FieldError{Field: "total", Message: "is missing", Allowed: "a counter of all requests"})
	}
	return append(all, raw("total", c.Total)...)
}

// raw refuses recorded series: a ratio of what a rule has computed over its own
// window is not the ratio over this one.
func raw(field string, s Selector) []FieldError {
	if strings.Contains(s.Metric, ":") {
		return []FieldError{{field, s.String(), "is recorded by a rule", "a raw counter"}}
	}
	return nil
}

// Buckets counts requests slower than a bound of a classic histogram.
type Buckets struct {
	Histogram Selector // its name has no _bucket
	Threshold float64  // upper bound of one of its buckets
}

func (b Buckets) errorRatio(by grouping, window string) string {
	return "1 -\n" + divide(b.witness(by, window), b.requests(rate, by, window))
}

func (b Buckets) requests(function string, by grouping, window string) string {
	return by.sum(function, b.Histogram.with(histogram(b.Histogram).Count()), window)
}

// witness is the bucket: where the threshold is no bound there is none.
func (b Buckets) witness(by grouping, window string) string {
	return by.sum(rate, b.Histogram.with(histogram(b.Histogram).Bucket(), bound(b.Threshold)), window)
}

func (b Buckets) failure() string { return above(b.Histogram, b.Threshold) }

func (b Buckets) validate() []FieldError { return validateHistogram(b.Histogram, b.Threshold) }

// Native counts requests slower than a threshold by a native histogram. The
// share is exact where the threshold bounds a bucket and interpolated between
// bounds.
type Native struct {
	Histogram Selector
	Threshold float64
}

func (n Native) errorRatio(by grouping, window string) string {
	return "1 - histogram_fraction(0, " + number(n.Threshold) + ", " + by.sum(rate, n.Histogram, window) + ")"
}

func (n Native) requests(function string, by grouping, window string) string {
	return "histogram_count(" + by.sum(function, n.Histogram, window) + ")"
}

func (n Native) witness(by grouping, window string) string { return n.requests(rate, by, window) }

func (n Native) failure() string { return above(n.Histogram, n.Threshold) }

func (n Native) validate() []FieldError { return validateHistogram(n.Histogram, n.Threshold) }

func histogram(s Selector) *metric.Desc { return &metric.Desc{Name: s.Metric} }

// above says what a bad request did where a histogram counts it: that it took
// long where the histogram's name says that it holds seconds.
func above(s Selector, threshold float64) string {
	if strings.HasSuffix(s.Metric, "_seconds") {
		return "took longer than " + metric.Span(time.Duration(math.Round(threshold*1000))*time.Millisecond)
	}
	return "were above " + number(threshold)
}

func validateHistogram(s Selector, threshold float64) []FieldError {
	var all []FieldError
	if s.Empty() {
		all = append(all, FieldError{Field: "histogram", Message: "is missing", Allowed: "the name of a histogram"})
	}
	all = append(all, raw("histogram", s)...)
	d := histogram(Selector{})
	for _, suffix := range []string{d.Bucket(), d.Count(), d.Sum()} {
		if strings.HasSuffix(s.Metric, suffix) {
			all = append(all, FieldError{"histogram", s.String(), "is one of a histogram's series", "its name without " + suffix})
		}
	}
	if threshold <= 0 || math.IsInf(threshold, 0) || math.IsNaN(threshold) {
		all = append(all, FieldError{"threshold", number(threshold), "is out of range", "above 0"})
	}
	return all
}

// bound matches the bucket with an upper bound, however it is spelled:
// Prometheus 3 writes a whole number as 1.0, older ones as the target does.
func bound(upper float64) Matcher {
	short := number(upper)
	if upper != math.Trunc(upper) {
		return Equal(metric.LE, short)
	}
	long := strconv.FormatFloat(upper, 'f', -1, 64)
	spellings := slices.Compact([]string{short, long, long + ".0"})
	for i := range spellings {
		spellings[i] = regexp.QuoteMeta(spellings[i])
	}
	return Matches(metric.LE, strings.Join(spellings, "|"))
}
