package promengine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"

	"github.com/firedrill/firedrill/alerts/promengine"
)

// start is the time of the first sample in tests.
var start = time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)

var stale = math.Float64frombits(value.StaleNaN)

func at(seconds int) int64 { return start.Add(time.Duration(seconds) * time.Second).UnixMilli() }

// put appends values to a series, one each 15 seconds.
func put(t testing.TB, store *promengine.Store, l labels.Labels, values ...float64) {
	t.Helper()
	for i, v := range values {
		if err := store.Append(l, at(15*i), v); err != nil {
			t.Fatal(err)
		}
	}
}

// dump returns the matching series of a store, one a line, in its order, with
// the seconds and values of their samples.
func dump(t testing.TB, from storage.Queryable, matchers ...*labels.Matcher) string {
	t.Helper()
	q, err := from.Querier(math.MinInt64, math.MaxInt64)
	if err != nil {
		t.Fatal(err)
	}
	if len(matchers) == 0 {
		matchers = []*labels.Matcher{labels.MustNewMatcher(labels.MatchRegexp, model.MetricNameLabel, ".+")}
	}
	var b strings.Builder
	set := q.Select(t.Context(), false, nil, matchers...)
	for set.Next() {
		b.WriteString(set.At().Labels().String())
		it := set.At().Iterator(nil)
		for kind := it.Next(); kind != chunkenc.ValNone; kind = it.Next() {
			fmt.Fprintf(&b, " %d:%s", (it.AtT()-at(0))/1000, text(it, kind))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func text(it chunkenc.Iterator, kind chunkenc.ValueType) string {
	var v float64
	if kind == chunkenc.ValFloat {
		_, v = it.At()
	} else if _, h := it.AtFloatHistogram(nil); value.IsStaleNaN(h.Sum) {
		v = h.Sum
	} else {
		return fmt.Sprintf("{count:%v sum:%v}", h.Count, h.Sum)
	}
	if value.IsStaleNaN(v) {
		return "stale"
	}
	return fmt.Sprint(v)
}

// open returns an engine with one rule file over an empty store.
func open(t testing.TB, options promengine.Options, rules string) (*promengine.Store, *promengine.Engine) {
	t.Helper()
	store := new(promengine.Store)
	if options.Interval == 0 {
		options.Interval = 15 * time.Second
	}
	engine, err := promengine.New(store, options)
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.LoadText(promengine.Source{Name: "rules.yml", Text: []byte(rules)}); err != nil {
		t.Fatal(err)
	}
	return store, engine
}

func compare(t *testing.T, what, got, want string) {
	t.Helper()
	if strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, want)
	}
}
