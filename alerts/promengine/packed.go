package promengine

import (
	"slices"

	"github.com/prometheus/prometheus/model/histogram"
)

// histograms are the native histograms in a block, by place.
type histograms interface {
	has(i int) bool // else the sample is a number
	read(i int, into *histogram.FloatHistogram)
	bytes() int
}

// open is the histograms of a block that is written to. Places hold nil where
// the sample is a number.
type open [blockLen]*histogram.FloatHistogram

func (o *open) has(i int) bool                             { return o[i] != nil }
func (o *open) read(i int, into *histogram.FloatHistogram) { o[i].CopyTo(into) }

func (o *open) bytes() int {
	n := 0
	for _, h := range o {
		if h != nil {
			n += h.Size()
		}
	}
	return n
}

// closed is the histograms of a full block.
type closed struct {
	runs []run // in order
	size int   // in bytes
}

// run is histograms next to each other with the same buckets: a column of each
// of their numbers.
type run struct {
	from, to int                       // places: from to before to
	layout   *histogram.FloatHistogram // what they have in common
	positive []numbers
	negative []numbers
	count    numbers
	zero     numbers
	sum      numbers
}

// closeHistograms returns the histograms of a block to which nothing is added.
func closeHistograms(o *open) *closed {
	c := &closed{}
	for i := 0; i < blockLen; {
		if o[i] == nil {
			i++
			continue
		}
		to := i + 1
		for to < blockLen && o[to] != nil && sameLayout(o[i], o[to]) {
			to++
		}
		r := newRun(o, i, to)
		c.runs = append(c.runs, r)
		c.size += r.bytes()
		i = to
	}
	return c
}

// sameLayout reports whether two histograms differ in numbers only.
func sameLayout(a, b *histogram.FloatHistogram) bool {
	return a.Schema == b.Schema && a.CounterResetHint == b.CounterResetHint && a.ZeroThreshold == b.ZeroThreshold &&
		slices.Equal(a.PositiveSpans, b.PositiveSpans) && slices.Equal(a.NegativeSpans, b.NegativeSpans) &&
		len(a.PositiveBuckets) == len(b.PositiveBuckets) && len(a.NegativeBuckets) == len(b.NegativeBuckets) &&
		slices.Equal(a.CustomValues, b.CustomValues)
}

func newRun(o *open, from, to int) run {
	first := o[from]
	column := func(number func(*histogram.FloatHistogram) float64) numbers {
		values := make([]float64, to-from)
		for i := range values {
			values[i] = number(o[from+i])
		}
		return pack(values)
	}
	r := run{
		from: from, to: to,
		layout: &histogram.FloatHistogram{
			Schema: first.Schema, CounterResetHint: first.CounterResetHint, ZeroThreshold: first.ZeroThreshold,
			PositiveSpans: first.PositiveSpans, NegativeSpans: first.NegativeSpans, CustomValues: first.CustomValues,
		},
		count: column(func(h *histogram.FloatHistogram) float64 { return h.Count }),
		zero:  column(func(h *histogram.FloatHistogram) float64 { return h.ZeroCount }),
		sum:   column(func(h *histogram.FloatHistogram) float64 { return h.Sum }),
	}
	for b := range first.PositiveBuckets {
		r.positive = append(r.positive, column(func(h *histogram.FloatHistogram) float64 { return h.PositiveBuckets[b] }))
	}
	for b := range first.NegativeBuckets {
		r.negative = append(r.negative, column(func(h *histogram.FloatHistogram) float64 { return h.NegativeBuckets[b] }))
	}
	return r
}

// run returns the run that has the place i, nil where the sample is a number.
func (c *closed) run(i int) *run {
	at := slices.IndexFunc(c.runs, func(r run) bool { return i < r.to })
	if at < 0 || i < c.runs[at].from {
		return nil
	}
	return &c.runs[at]
}

// whole reports whether all samples of the block are histograms.
func (c *closed) whole() bool {
	n := 0
	for i := range c.runs {
		n += c.runs[i].to - c.runs[i].from
	}
	return n == blockLen
}

func (c *closed) has(i int) bool { return c.run(i) != nil }
func (c *closed) bytes() int     { return c.size }

func (c *closed) read(i int, into *histogram.FloatHistogram) {
	r := c.run(i)
	i -= r.from
	into.Schema, into.CounterResetHint, into.ZeroThreshold = r.layout.Schema, r.layout.CounterResetHint, r.layout.ZeroThreshold
	into.CustomValues = r.layout.CustomValues
	into.PositiveSpans = append(into.PositiveSpans[:0], r.layout.PositiveSpans...)
	into.NegativeSpans = append(into.NegativeSpans[:0], r.layout.NegativeSpans...)
	into.Count, into.ZeroCount, into.Sum = r.count.at(i), r.zero.at(i), r.sum.at(i)
	into.PositiveBuckets = readRow(r.positive, i, into.PositiveBuckets)
	into.NegativeBuckets = readRow(r.negative, i, into.NegativeBuckets)
}

// readRow reads one number of each column into a list that may be used again.
func readRow(columns []numbers, i int, into []float64) []float64 {
	into = into[:0]
	for _, c := range columns {
		into = append(into, c.at(i))
	}
	return into
}

func (r *run) bytes() int {
	n := r.layout.Size() + r.count.bytes() + r.zero.bytes() + r.sum.bytes()
	for _, columns := range [...][]numbers{r.positive, r.negative} {
		for _, one := range columns {
			n += bytesPerColumn + one.bytes()
		}
	}
	return n
}

// bytesPerColumn is what a column takes besides its numbers.
const bytesPerColumn = 48
