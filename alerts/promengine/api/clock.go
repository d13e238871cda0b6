package api

import (
	"math"
	"time"

	"github.com/prometheus/prometheus/promql/parser"
)

// The times between which Prometheus looks where a request does not say: far
// apart, but no sum with a time of the calendar overflows.
var (
	minTime = time.Unix(math.MinInt64/1000+secondsToUnix, 0).UTC()
	maxTime = time.Unix(math.MaxInt64/1000-secondsToUnix, 999999999).UTC()
)

// secondsToUnix are the seconds from the first second of the year 1 to that of
// 1970, and one more.
const secondsToUnix = 62135596801

// shift is how far the clock of a request is behind that of the samples, in
// whole milliseconds.
type shift time.Duration

func newShift(s State) shift { return shift(s.Now.Sub(s.Wall).Truncate(time.Millisecond)) }

// in returns a time of the request on the clock of the samples. Times that stand
// for the beginning and the end of all time stay.
func (s shift) in(t time.Time) time.Time {
	if !t.After(minTime) || !t.Before(maxTime) {
		return t
	}
	return t.Add(time.Duration(s))
}

// out returns a time of the samples on the clock of the request. The zero time
// stays.
func (s shift) out(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.Add(-time.Duration(s))
}

// outMillis does the same for a time in milliseconds.
func (s shift) outMillis(t int64) int64 { return t - time.Duration(s).Milliseconds() }

// query returns the query with the times behind its @ on the clock of the
// samples. A query without any, or with an error, stays as it is written.
func (s shift) query(parse parser.Parser, text string) string {
	if s == 0 {
		return text
	}
	expr, err := parse.ParseExpr(text)
	if err != nil {
		return text
	}
	changed := false
	move := func(at *int64) {
		if at != nil {
			*at += time.Duration(s).Milliseconds()
			changed = true
		}
	}
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		switch n := node.(type) {
		case *parser.VectorSelector:
			move(n.Timestamp)
		case *parser.SubqueryExpr:
			move(n.Timestamp)
		}
		return nil
	})
	if !changed {
		return text
	}
	return expr.String()
}
