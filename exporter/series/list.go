package series

import (
	"cmp"
	"slices"

	"github.com/firedrill/firedrill/exporter/metric"
)

// Series is one series of a target.
type Series struct {
	Desc   *metric.Desc
	Labels []Label  // its own, by name; those of the target come on top
	values []string // of its own labels, in the order of Desc
}

// list is what a target's series are: everything about them but the values. It
// is never changed.
type list struct {
	target     Labels
	epoch      uint64
	series     []entry // by name of the metric, then in the order of writing
	written    []int   // the place in series of each, in the order of writing
	histograms int     // how many of them are histograms
	families   []block
	own, page  prefixes // of the lines, without and with the labels of the target
}

// entry is a series and where its parts are.
type entry struct {
	Series
	value int // place among the target's values, or among its histograms
	line  int // its first line of text
}

func (e *entry) isHistogram() bool { return e.Desc.Type == metric.Histogram }

// block are the series of one metric in a list: series[from:to].
type block struct {
	desc     *metric.Desc
	header   []byte // of its text
	from, to int
}

// newList makes the list of a target's series, given in the order of writing.
func newList(target Labels, epoch uint64, series []Series) *list {
	l := &list{target: target, epoch: epoch, series: make([]entry, len(series)), written: make([]int, len(series))}
	order := sortedByName(series)
	floats := 0
	places := make([]int, len(series))
	for i, s := range series {
		next := &floats
		if s.Desc.Type == metric.Histogram {
			next = &l.histograms
		}
		places[i] = *next
		*next++
	}
	line := 0
	for at, from := range order {
		l.series[at] = entry{Series: series[from], value: places[from], line: line}
		l.written[from] = at
		line += lines(series[from].Desc)
	}
	l.families = blocks(l.series)
	l.own = render(l.series, nil)
	l.page = render(l.series, target.inPage())
	return l
}

// sortedByName returns the places of the series by the name of their metric.
func sortedByName(series []Series) []int {
	order := make([]int, len(series))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(series[a].Desc.Name, series[b].Desc.Name) })
	return order
}

func blocks(series []entry) []block {
	var all []block
	for i, s := range series {
		if n := len(all); n > 0 && all[n-1].desc == s.Desc {
			all[n-1].to = i + 1
			continue
		}
		all = append(all, block{desc: s.Desc, header: header(s.Desc), from: i, to: i + 1})
	}
	return all
}

// matches reports whether the series written next, after next others, is the
// one that the list has there.
func (l *list) matches(next int, desc *metric.Desc, values []string) bool {
	if l == nil || next >= len(l.written) {
		return false
	}
	s := &l.series[l.written[next]]
	return s.Desc == desc && slices.Equal(s.values, values)
}

// first returns the first n series of the list in the order of writing.
func (l *list) first(n int) []Series {
	if n == 0 {
		return nil
	}
	series := make([]Series, n)
	for i := range series {
		series[i] = l.series[l.written[i]].Series
	}
	return series
}

// newSeries resolves the labels of a series.
func newSeries(desc *metric.Desc, values []string) Series {
	names := desc.OwnLabels()
	if len(names) != len(values) {
		panic("series: " + desc.Name + " is written with the wrong number of labels")
	}
	s := Series{Desc: desc, values: slices.Clone(values)}
	for i, name := range names {
		s.Labels = append(s.Labels, Label{name, values[i]})
	}
	sortLabels(s.Labels)
	return s
}

func sortLabels(labels []Label) {
	slices.SortFunc(labels, func(a, b Label) int { return cmp.Compare(a.Name, b.Name) })
}
