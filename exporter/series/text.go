package series

import (
	"math"
	"slices"
	"strconv"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/simulator/latency"
)

// buckets is the number of classic buckets, +Inf included.
var buckets = len(latency.Classic()) + 1

// prefixes are lines of text up to their values, one after another.
type prefixes struct {
	text []byte
	ends []int
}

func (p *prefixes) line(i int) []byte {
	from := 0
	if i > 0 {
		from = p.ends[i-1]
	}
	return p.text[from:p.ends[i]]
}

// lines returns how many lines a series of the metric takes.
func lines(d *metric.Desc) int {
	if d.Type == metric.Histogram {
		return buckets + 2
	}
	return 1
}

// render makes the prefixes of all lines of the series, with the labels of the
// target.
func render(series []entry, target []Label) prefixes {
	var p prefixes
	for _, s := range series {
		labels := slices.Concat(s.Labels, target)
		sortLabels(labels)
		if s.Desc.Type == metric.Histogram {
			p.histogram(s.Desc, labels)
		} else {
			p.add(s.Desc.Name, labels)
		}
	}
	return p
}

func (p *prefixes) histogram(d *metric.Desc, labels []Label) {
	for _, upper := range append(latency.Classic(), math.Inf(1)) {
		bound := Label{metric.LE, string(appendValue(nil, upper))}
		p.add(d.Bucket(), append(slices.Clip(labels), bound))
	}
	p.add(d.Sum(), labels)
	p.add(d.Count(), labels)
}

func (p *prefixes) add(name string, labels []Label) {
	p.text = append(p.text, name...)
	mark := byte('{')
	for _, l := range labels {
		p.text = append(p.text, mark)
		p.text = append(p.text, l.Name...)
		p.text = append(p.text, '=', '"')
		p.text = appendEscaped(p.text, l.Value, true)
		p.text = append(p.text, '"')
		mark = ','
	}
	if len(labels) > 0 {
		p.text = append(p.text, '}')
	}
	p.text = append(p.text, ' ')
	p.ends = append(p.ends, len(p.text))
}

// header returns the lines of HELP and TYPE of a metric.
func header(d *metric.Desc) []byte {
	dst := append([]byte("# HELP "), d.Name...)
	dst = append(dst, ' ')
	dst = appendEscaped(dst, d.Help, false)
	dst = append(dst, "\n# TYPE "...)
	dst = append(dst, d.Name...)
	dst = append(dst, ' ')
	dst = append(dst, d.Type.String()...)
	return append(dst, '\n')
}

// appendEscaped appends s as the text format has it: within quotes, or to the
// end of the line.
func appendEscaped(dst []byte, s string, quoted bool) []byte {
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\':
			dst = append(dst, '\\', '\\')
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '"' && quoted:
			dst = append(dst, '\\', '"')
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// million is where the shortest form of a whole number gets an exponent.
const million = 1_000_000

// appendValue appends x in the shortest form that reads back as the same; a
// negative zero loses its sign.
func appendValue(dst []byte, x float64) []byte {
	if n := int64(x); float64(n) == x && -million < n && n < million {
		return strconv.AppendInt(dst, n, 10)
	}
	return strconv.AppendFloat(dst, x, 'g', -1, 64)
}

// AppendText appends the series of all targets that are up in the text format
// 0.0.4, with their service and pod.
func (f *Frame) AppendText(dst []byte) []byte {
	for i := range f.layout.families {
		family := &f.layout.families[i]
		header := family.header
		for _, p := range family.parts {
			t := Target{f, p.slot}
			if !t.Status().Up() {
				continue
			}
			dst = append(dst, header...)
			header = nil
			dst = t.appendSeries(dst, &t.slot().list.page, p.from, p.to)
		}
	}
	return dst
}

// AppendText appends the series of the target in the text format 0.0.4,
// without the labels that discovery gives it.
func (t Target) AppendText(dst []byte) []byte {
	list := t.slot().list
	for _, b := range list.families {
		dst = append(dst, b.header...)
		dst = t.appendSeries(dst, &list.own, b.from, b.to)
	}
	return dst
}

func (t Target) appendSeries(dst []byte, p *prefixes, from, to int) []byte {
	slot := t.slot()
	for i := from; i < to; i++ {
		e := &slot.list.series[i]
		if e.isHistogram() {
			dst = appendHistogram(dst, p, e.line, t.frame.histograms[slot.histograms+e.value])
			continue
		}
		dst = appendLine(dst, p.line(e.line), t.frame.values[slot.values+e.value])
	}
	return dst
}

func appendHistogram(dst []byte, p *prefixes, line int, h latency.Histogram) []byte {
	var store [16]int64
	counts := store[:buckets]
	h.ClassicCounts(counts)
	for i, n := range counts {
		dst = appendLine(dst, p.line(line+i), float64(n))
	}
	dst = appendLine(dst, p.line(line+buckets), h.Sum)
	return appendLine(dst, p.line(line+buckets+1), float64(counts[buckets-1]))
}

func appendLine(dst, prefix []byte, value float64) []byte {
	dst = append(dst, prefix...)
	dst = appendValue(dst, value)
	return append(dst, '\n')
}
