package promengine

import (
	"errors"
	"maps"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
)

// rule is a rule with what it remembers from one evaluation to the next.
type rule struct {
	group    *group
	index    int // in its group
	position int // among all rules
	place        // of its expression in the file
	name     string
	expr     parser.Expr
	plain    string // key of the expression
	fast     string // key of the expression with windows; "" where it has none
	labels   labels.Labels
	alerts   *alerts // nil for a recording rule

	evaluations int
	lastEval    time.Time
	err         error // of the last evaluation

	sources map[uint64]*source // of the results, by hash of their labels
	targets map[uint64]*target // of what was written, by hash of the labels
	written []*target          // at the last evaluation that ended well
}

// source is a series of the result of a rule: its labels, and what becomes of
// them.
type source struct {
	metric labels.Labels
	target *target      // of a recording rule
	alert  *alertLabels // of an alerting rule whose labels follow from these
}

// target is a series that a rule writes.
type target struct {
	labels   labels.Labels
	stored   *stored // nil before the first sample
	returned int     // the last evaluation that had it in its result
	written  int     // the last evaluation that wrote it
}

// result is a sample of the result of a rule.
type result struct {
	source *source
	f      float64
	h      *histogram.FloatHistogram
}

// query runs a query of the rule's expression: with windows, or without from
// when on a series has turned out to be nothing for them.
func (r *rule) query(run func(expr string) (promql.Vector, error)) (promql.Vector, error) {
	return withFallback(r, run)
}

func withFallback[T any](r *rule, run func(expr string) (T, error)) (T, error) {
	if r.fast == "" {
		return run(r.plain)
	}
	v, err := run(r.fast)
	if !errors.Is(err, errNoWindow) {
		return v, err
	}
	r.fast = ""
	return run(r.plain)
}

func (r *rule) samplesOf(vector promql.Vector) []result {
	samples := make([]result, len(vector))
	for i, s := range vector {
		samples[i] = result{r.source(s.Metric), s.F, s.H}
	}
	return samples
}

// source returns the source with these labels.
func (r *rule) source(metric labels.Labels) *source {
	hash := metric.Hash()
	if s := r.sources[hash]; s != nil && labels.Equal(s.metric, metric) {
		return s
	}
	s := &source{metric: metric}
	if r.alerts == nil {
		s.target = r.target(r.recorded(metric))
	}
	if r.sources == nil {
		r.sources = map[uint64]*source{}
	}
	r.sources[hash] = s
	return s
}

// recorded returns the labels that a recording rule gives a result.
func (r *rule) recorded(metric labels.Labels) labels.Labels {
	b := labels.NewBuilder(metric)
	b.Set(model.MetricNameLabel, r.name)
	r.labels.Range(func(l labels.Label) { b.Set(l.Name, l.Value) })
	return b.Labels()
}

// target returns the target with these labels.
func (r *rule) target(l labels.Labels) *target {
	hash := l.Hash()
	if t := r.targets[hash]; t != nil && labels.Equal(t.labels, l) {
		return t
	}
	t := &target{labels: l}
	if r.targets == nil {
		r.targets = map[uint64]*target{}
	}
	r.targets[hash] = t
	return t
}

// forget drops what is remembered of series that the rule does not write at the
// moment.
func (r *rule) forget() {
	current := make(map[*target]bool, len(r.written))
	for _, t := range r.written {
		current[t] = true
	}
	maps.DeleteFunc(r.sources, func(_ uint64, s *source) bool { return !current[s.target] })
	maps.DeleteFunc(r.targets, func(_ uint64, t *target) bool { return !current[t] })
}
