package promengine

import (
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/prometheus/model/histogram"
)

var errSameLabels = errors.New("vector contains metrics with the same labelset after applying rule labels")

// record writes the result of a recording rule. A result with two series of the
// same labels, or more than the group's limit, is an error and writes nothing.
func (e *Engine) record(r *rule, ts time.Time, samples []result) error {
	for i := range samples {
		t := samples[i].source.target
		if t.returned == r.evaluations {
			return errSameLabels
		}
		t.returned = r.evaluations
	}
	if limit := r.group.limit; limit > 0 && len(samples) > limit {
		return fmt.Errorf("exceeded limit of %d with %d series", limit, len(samples))
	}
	w := e.writer(r, ts)
	for i := range samples {
		w.write(samples[i].source.target, samples[i].f, samples[i].h)
	}
	return w.close()
}

// writer writes what one evaluation of a rule gives.
type writer struct {
	store *Store
	rule  *rule
	now   int64 // the time of the evaluation
	at    int64 // the time of its samples
	list  []*target
	err   error
}

func (e *Engine) writer(r *rule, ts time.Time) *writer {
	return &writer{
		store: e.store, rule: r, now: ts.UnixMilli(),
		at: ts.Add(-r.group.queryOffset).UnixMilli(), list: make([]*target, 0, len(r.written)),
	}
}

// write adds a sample to a series. What another rule has written at that time
// already stays; the error of the rule tells.
func (w *writer) write(t *target, f float64, h *histogram.FloatHistogram) {
	if t.stored == nil {
		t.stored = w.store.series(t.labels, w.now)
	}
	t.stored = w.store.revive(t.stored, w.now)
	if err := w.store.appendTo(t.stored, sample{t: w.at, v: f, h: copyOf(h)}); err != nil {
		w.err = err
		return
	}
	if t.written != w.rule.evaluations {
		t.written = w.rule.evaluations
		w.list = append(w.list, t)
	}
}

// close marks the series stale that the evaluation before had and this one has
// not.
func (w *writer) close() error {
	for _, t := range w.rule.written {
		if t.written != w.rule.evaluations {
			w.store.appendStale(t.stored, w.at)
		}
	}
	w.rule.written = w.list
	return w.err
}

// copyOf returns a copy of a histogram: those in results are used again.
func copyOf(h *histogram.FloatHistogram) *histogram.FloatHistogram {
	if h == nil {
		return nil
	}
	return h.Copy()
}
