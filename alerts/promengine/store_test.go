package promengine_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"

	"github.com/firedrill/firedrill/alerts/promengine"
)

func TestAppendRefuses(t *testing.T) {
	var store promengine.Store
	l := labels.FromStrings(model.MetricNameLabel, "x")
	put(t, &store, l, 1, 2)
	for _, c := range []struct {
		what string
		t    int64
		v    float64
		want error
	}{
		{"an older sample", at(14), 2, storage.ErrOutOfOrderSample},
		{"another value at the same time", at(15), 3, storage.ErrDuplicateSampleForTimestamp},
		{"the same sample again", at(15), 2, nil},
		{"a stale marker at the time of a value", at(15), stale, storage.ErrDuplicateSampleForTimestamp},
	} {
		if err := store.Append(l, c.t, c.v); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.what, err, c.want)
		}
	}
	if err := store.AppendHistogram(l, at(30), &histogram.FloatHistogram{Count: -1}); err == nil {
		t.Error("a histogram with a negative count is taken")
	}
	compare(t, "store", dump(t, &store), `{__name__="x"} 0:1 15:2`)
}

// TestSelect compares what matchers select, in the order in which the series
// appeared.
func TestSelect(t *testing.T) {
	var store promengine.Store
	for _, l := range []labels.Labels{
		labels.FromStrings(model.MetricNameLabel, "b", "pod", "1"), labels.FromStrings(model.MetricNameLabel, "a", "pod", "2"),
		labels.FromStrings(model.MetricNameLabel, "a", "pod", "1", "code", "500"), labels.FromStrings(model.MetricNameLabel, "a"),
	} {
		put(t, &store, l, 1)
	}
	for matchers, want := range map[string]string{
		`__name__=a`:           "a{pod=2} a{code=500,pod=1} a{}",
		`pod=1`:                "b{pod=1} a{code=500,pod=1}",
		`pod!=1`:               "a{pod=2} a{}",
		`pod=~1|2 code=`:       "b{pod=1} a{pod=2}",
		`code!~4.. __name__=a`: "a{pod=2} a{code=500,pod=1} a{}",
		`pod=3`:                "",
	} {
		var list []*labels.Matcher
		for _, text := range strings.Fields(matchers) {
			list = append(list, matcher(t, text))
		}
		got := dump(t, &store, list...)
		var names []string
		for line := range strings.Lines(got) {
			inner, _, _ := strings.Cut(strings.TrimPrefix(line, "{"), "}")
			var name string
			var rest []string
			for _, pair := range strings.Split(strings.ReplaceAll(inner, `"`, ""), ", ") {
				if n, ok := strings.CutPrefix(pair, "__name__="); ok {
					name = n
				} else {
					rest = append(rest, pair)
				}
			}
			names = append(names, name+"{"+strings.Join(rest, ",")+"}")
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s selects %s, want %s", matchers, got, want)
		}
	}
}

func matcher(t *testing.T, text string) *labels.Matcher {
	t.Helper()
	for _, kind := range []labels.MatchType{labels.MatchNotRegexp, labels.MatchRegexp, labels.MatchNotEqual, labels.MatchEqual} {
		if name, v, ok := strings.Cut(text, kind.String()); ok {
			return labels.MustNewMatcher(kind, name, v)
		}
	}
	t.Fatalf("%q is no matcher", text)
	return nil
}

func TestLabels(t *testing.T) {
	var store promengine.Store
	put(t, &store, labels.FromStrings(model.MetricNameLabel, "a", "pod", "2"), 1)
	put(t, &store, labels.FromStrings(model.MetricNameLabel, "b", "pod", "1", "code", "200"), 1)
	q, err := store.Querier(math.MinInt64, math.MaxInt64)
	if err != nil {
		t.Fatal(err)
	}
	names, _, _ := q.LabelNames(t.Context(), nil)
	values, _, _ := q.LabelValues(t.Context(), "pod", nil)
	of, _, _ := q.LabelValues(t.Context(), "pod", &storage.LabelHints{Limit: 1}, matcher(t, "__name__=b"))
	if got, want := fmt.Sprint(names, values, of), "[__name__ code pod] [1 2] [1]"; got != want {
		t.Errorf("labels are %s, want %s", got, want)
	}
}

// TestTruncate drops old blocks: views keep what they have, series that have
// nothing left are gone and can come back.
func TestTruncate(t *testing.T) {
	var store promengine.Store
	old, steady := labels.FromStrings(model.MetricNameLabel, "old"), labels.FromStrings(model.MetricNameLabel, "steady")
	values := make([]float64, 1000)
	for i := range values {
		values[i] = float64(i % 300)
	}
	put(t, &store, old, values[:100]...)
	put(t, &store, steady, values...)
	before := store.Size()
	q, err := store.Querier(math.MinInt64, math.MaxInt64)
	if err != nil {
		t.Fatal(err)
	}
	view := q.Select(t.Context(), false, nil, matcher(t, "__name__=old"))
	store.Truncate(at(15 * 600))
	if got := dump(t, &store, matcher(t, "__name__=old")); got != "" {
		t.Errorf("the old series still shows %s", got)
	}
	if !view.Next() || view.At().Iterator(nil).Next() == 0 {
		t.Error("a view from before is empty")
	}
	got := dump(t, &store, matcher(t, "__name__=steady"))
	if !strings.HasPrefix(got, `{__name__="steady"} 7680:212 `) || !strings.HasSuffix(got, " 14985:99\n") {
		t.Errorf("the steady series is %.60s…", got)
	}
	if after := store.Size(); after.Series != 1 || after.Samples != 1000-512 || after.Bytes >= before.Bytes {
		t.Errorf("size %+v after %+v", after, before)
	}
	if err := store.Append(old, at(15*1000), 5); err != nil {
		t.Fatal(err)
	}
	compare(t, "old series", dump(t, &store, matcher(t, "__name__=old")), `{__name__="old"} 15000:5`)
}

// TestSharedTimes shows that series scraped together share their timestamps.
func TestSharedTimes(t *testing.T) {
	const samples = 1280
	size := func(series int) int {
		var store promengine.Store
		for i := range series {
			put(t, &store, labels.FromStrings(model.MetricNameLabel, "x", "i", fmt.Sprint(i)), make([]float64, samples)...)
		}
		return store.Size().Bytes
	}
	one, two := size(10), size(20)
	if perSample := float64(two-one) / 10 / samples; perSample > 9 {
		t.Errorf("another series costs %.1f bytes a sample", perSample)
	}
}

// TestReadWhileWritten reads and writes at once, for the race detector.
func TestReadWhileWritten(t *testing.T) {
	var store promengine.Store
	var wait sync.WaitGroup
	l := labels.FromStrings(model.MetricNameLabel, "x")
	put(t, &store, l, 0)
	for range 2 {
		wait.Go(func() {
			for range 50 {
				sum(t.Context(), &store)
			}
		})
	}
	for i := range 2000 {
		if err := store.Append(l, at(15*(i+1)), float64(i%7)); err != nil {
			t.Error(err)
		}
		if i%500 == 499 {
			store.Truncate(at(15 * (i - 200)))
		}
	}
	wait.Wait()
}

func sum(ctx context.Context, store *promengine.Store) (total float64) {
	q, _ := store.Querier(math.MinInt64, math.MaxInt64)
	set := q.Select(ctx, false, nil, labels.MustNewMatcher(labels.MatchEqual, model.MetricNameLabel, "x"))
	for set.Next() {
		it := set.At().Iterator(nil)
		for it.Next() != 0 {
			_, v := it.At()
			total += v
		}
	}
	return total
}
