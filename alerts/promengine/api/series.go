package api

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/timestamp"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/util/annotations"
)

// lookup is what a request about series asks for.
type lookup struct {
	limit      int
	start, end time.Time
	sets       [][]*labels.Matcher // each selects series of its own
}

// lookup reads the parameters of a request about series. Where one is wrong, ok
// is false and the answer says so; selector wraps what is said of match[].
func (r *request) lookup(selector func(error) result) (l lookup, answer result, ok bool) {
	var err error
	if l.limit, err = r.limit(); err != nil {
		return l, invalid("limit", err), false
	}
	if l.start, err = r.optionalTime("start", minTime); err != nil {
		return l, invalid("start", err), false
	}
	if l.end, err = r.optionalTime("end", maxTime); err != nil {
		return l, invalid("end", err), false
	}
	if l.sets, err = r.selectors(); err != nil {
		return l, selector(err), false
	}
	return l, result{}, true
}

func plain(err error) result { return failed(badData, err) }

// querier returns a querier of the store over the times that are asked for.
func (r *request) querier(l lookup) (storage.Querier, error) {
	return r.state.Store.Querier(timestamp.FromTime(l.start), timestamp.FromTime(l.end))
}

// series answers which series there are.
func (r *request) series() result {
	if err := r.ParseForm(); err != nil {
		return failed(badData, fmt.Errorf("error parsing form values: %w", err))
	}
	if len(r.Form["match[]"]) == 0 {
		return failed(badData, errors.New("no match[] parameter provided"))
	}
	l, answer, ok := r.lookup(func(err error) result { return invalid("match[]", err) })
	if !ok {
		return answer
	}
	q, err := r.querier(l)
	if err != nil {
		return failed(kindOf(err), err)
	}
	set := selectAll(r.Context(), q, l)
	found := seriesData{}
	for set.Next() {
		if err := r.Context().Err(); err != nil {
			return failed(kindOf(err), err)
		}
		found = append(found, set.At().Labels())
		if l.limit > 0 && len(found) > l.limit {
			return result{data: found[:l.limit], warnings: annotations.New().Add(errTruncated)}
		}
	}
	if set.Err() != nil {
		return failed(kindOf(set.Err()), set.Err())
	}
	return result{data: found}
}

// selectAll selects the series of all sets, each once.
func selectAll(ctx context.Context, q storage.Querier, l lookup) storage.SeriesSet {
	hints := &storage.SelectHints{Start: timestamp.FromTime(l.start), End: timestamp.FromTime(l.end), Func: "series", Limit: oneMore(l.limit)}
	if len(l.sets) == 1 {
		return q.Select(ctx, false, hints, l.sets[0]...)
	}
	sets := make([]storage.SeriesSet, len(l.sets))
	for i, matchers := range l.sets {
		sets[i] = q.Select(ctx, true, hints, matchers...)
	}
	return storage.NewMergeSeriesSet(sets, 0, storage.ChainedSeriesMerge)
}

// seriesData is a list of series.
type seriesData []labels.Labels

func (d seriesData) appendJSON(b []byte) []byte { return appendList(b, d, appendLabels) }

// names finds the names or the values of labels.
type names func(context.Context, storage.Querier, *storage.LabelHints, []*labels.Matcher) ([]string, annotations.Annotations, error)

// labelNames answers which labels there are.
func (r *request) labelNames() result {
	return r.names(func(ctx context.Context, q storage.Querier, hints *storage.LabelHints, matchers []*labels.Matcher) ([]string, annotations.Annotations, error) {
		return q.LabelNames(ctx, hints, matchers...)
	})
}

// escaped begins the name of a label that is written with letters, digits and
// underscores only.
const escaped = "U__"

// labelValues answers which values a label has.
func (r *request) labelValues() result {
	name := r.label
	if strings.HasPrefix(name, escaped) {
		name = model.UnescapeName(name, model.ValueEncodingEscaping)
	}
	if !model.UTF8Validation.IsValidLabelName(name) {
		return failed(badData, fmt.Errorf("invalid label name: %q", name))
	}
	return r.names(func(ctx context.Context, q storage.Querier, hints *storage.LabelHints, matchers []*labels.Matcher) ([]string, annotations.Annotations, error) {
		return q.LabelValues(ctx, name, hints, matchers...)
	})
}

// names answers with what find finds, sorted.
func (r *request) names(find names) result {
	l, answer, ok := r.lookup(plain)
	if !ok {
		return answer
	}
	q, err := r.querier(l)
	if err != nil {
		return failed(kindOf(err), err)
	}
	sets := l.sets
	if len(sets) == 0 {
		sets = [][]*labels.Matcher{nil}
	}
	found := map[string]bool{}
	for _, matchers := range sets {
		list, _, err := find(r.Context(), q, &storage.LabelHints{Limit: oneMore(l.limit)}, matchers)
		if err != nil {
			return failed(kindOf(err), err)
		}
		for _, name := range list {
			found[name] = true
		}
	}
	list := slices.AppendSeq(make([]string, 0, len(found)), maps.Keys(found))
	slices.Sort(list)
	if l.limit > 0 && len(list) > l.limit {
		return result{data: list[:l.limit], warnings: annotations.New().Add(errTruncated)}
	}
	return result{data: list}
}
