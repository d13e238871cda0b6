package api

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/util/stats"
)

// queryData is what a query gives.
type queryData struct {
	value parser.Value
	shift shift
	stats stats.QueryStats // nil where nobody asks
}

// truncate cuts a result with many series down to the limit and reports whether
// there are more.
func (d *queryData) truncate(limit int) bool {
	switch v := d.value.(type) {
	case promql.Matrix:
		if len(v) > limit {
			d.value = v[:limit]
			return true
		}
	case promql.Vector:
		if len(v) > limit {
			d.value = v[:limit]
			return true
		}
	}
	return false
}

// appendJSON writes the data. Results are most of what this program sends, and
// encoding/json takes several times as long for them.
func (d queryData) appendJSON(b []byte) []byte {
	b = append(b, `{"resultType":`...)
	b = appendString(b, string(d.value.Type()))
	b = append(b, `,"result":`...)
	switch v := d.value.(type) {
	case promql.Matrix:
		b = appendList(b, v, d.series)
	case promql.Vector:
		b = appendList(b, v, d.sample)
	case promql.Scalar:
		b = d.single(b, v.T, strconv.FormatFloat(v.V, 'f', -1, 64))
	case promql.String:
		b = d.single(b, v.T, v.V)
	}
	if d.stats != nil {
		// Statistics are numbers and lists of them, which always can be written.
		text, _ := json.Marshal(d.stats)
		b = append(append(b, `,"stats":`...), text...)
	}
	return append(b, '}')
}

func appendList[T any](b []byte, list []T, one func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i, item := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = one(b, item)
	}
	return append(b, ']')
}

func (d queryData) series(b []byte, s promql.Series) []byte {
	b = appendLabels(append(b, `{"metric":`...), s.Metric)
	if len(s.Floats) > 0 {
		b = appendList(append(b, `,"values":`...), s.Floats, func(b []byte, p promql.FPoint) []byte { return d.number(b, p.T, p.F) })
	}
	if len(s.Histograms) > 0 {
		b = appendList(append(b, `,"histograms":`...), s.Histograms, func(b []byte, p promql.HPoint) []byte { return d.histogram(b, p.T, p.H) })
	}
	return append(b, '}')
}

func (d queryData) sample(b []byte, s promql.Sample) []byte {
	b = appendLabels(append(b, `{"metric":`...), s.Metric)
	if s.H != nil {
		b = d.histogram(append(b, `,"histogram":`...), s.T, s.H)
	} else {
		b = d.number(append(b, `,"value":`...), s.T, s.F)
	}
	return append(b, '}')
}

// single writes a result without series. Its numbers have no exponents and its
// time no zeros at the end.
func (d queryData) single(b []byte, t int64, value string) []byte {
	b = strconv.AppendFloat(append(b, '['), float64(d.shift.outMillis(t))/1000, 'f', -1, 64)
	return append(appendString(append(b, ','), value), ']')
}

// point writes a time and a value.
func (d queryData) point(b []byte, t int64, value func([]byte) []byte) []byte {
	b = appendTime(append(b, '['), d.shift.outMillis(t))
	return append(value(append(b, ',')), ']')
}

func (d queryData) number(b []byte, t int64, v float64) []byte {
	b = appendTime(append(b, '['), d.shift.outMillis(t))
	return append(appendNumber(append(b, ','), v), ']')
}

func (d queryData) histogram(b []byte, t int64, h *histogram.FloatHistogram) []byte {
	return d.point(b, t, func(b []byte) []byte { return appendHistogram(b, h) })
}

// appendTime writes milliseconds as seconds.
func appendTime(b []byte, millis int64) []byte {
	if millis < 0 {
		b = append(b, '-')
		millis = -millis
	}
	b = strconv.AppendInt(b, millis/1000, 10)
	if rest := millis % 1000; rest != 0 {
		b = append(b, '.', byte('0'+rest/100), byte('0'+rest/10%10), byte('0'+rest%10))
	}
	return b
}

// The numbers from which on Prometheus writes exponents.
const (
	leastPlain    = 1e-6
	greatestPlain = 1e21
)

// appendNumber writes a number as a string, since JSON has no infinity.
func appendNumber(b []byte, v float64) []byte {
	format := byte('f')
	if abs := math.Abs(v); abs != 0 && (abs < leastPlain || abs >= greatestPlain) {
		format = 'e'
	}
	return append(strconv.AppendFloat(append(b, '"'), v, format, -1, 64), '"')
}

func appendLabels(b []byte, l labels.Labels) []byte {
	b = append(b, '{')
	first := true
	l.Range(func(label labels.Label) {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = appendString(append(appendString(b, label.Name), ':'), label.Value)
	})
	return append(b, '}')
}

// appendString writes a string. Plain ASCII is most of them.
func appendString(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			// A string always can be written.
			quoted, _ := json.Marshal(text)
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), text...), '"')
}

// appendHistogram writes a native histogram: its buckets that are not empty,
// each with the kind of its ends.
func appendHistogram(b []byte, h *histogram.FloatHistogram) []byte {
	b = appendNumber(append(b, `{"count":`...), h.Count)
	b = appendNumber(append(b, `,"sum":`...), h.Sum)
	some := false
	for it := h.AllBucketIterator(); it.Next(); {
		bucket := it.At()
		if bucket.Count == 0 {
			continue
		}
		if some {
			b = append(b, ',')
		} else {
			b = append(b, `,"buckets":[`...)
			some = true
		}
		b = append(b, '[', '0'+boundaries(bucket), ',')
		b = append(appendNumber(b, bucket.Lower), ',')
		b = append(appendNumber(b, bucket.Upper), ',')
		b = append(appendNumber(b, bucket.Count), ']')
	}
	if some {
		b = append(b, ']')
	}
	return append(b, '}')
}

// boundaries returns which ends of a bucket belong to it: 0 the upper, 1 the
// lower, 2 none, 3 both.
func boundaries(bucket histogram.Bucket[float64]) byte {
	switch {
	case bucket.LowerInclusive && bucket.UpperInclusive:
		return 3
	case bucket.LowerInclusive:
		return 1
	case bucket.UpperInclusive:
		return 0
	}
	return 2
}
