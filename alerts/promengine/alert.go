package promengine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql"
)

// State is the state of an alert.
type State int

// The states.
const (
	Inactive State = iota
	Pending
	Firing
)

// String returns the state as Prometheus writes it.
func (s State) String() string {
	switch s {
	case Pending:
		return "pending"
	case Firing:
		return "firing"
	}
	return "inactive"
}

// Names of the series that alerts write, and of their labels.
const (
	alertsMetric   = "ALERTS"
	forStateMetric = "ALERTS_FOR_STATE"
	alertState     = "alertstate"
)

// resolvedRetention is how long Prometheus keeps a resolved alert.
const resolvedRetention = 15 * time.Minute

// Alert is an alert as it is after an evaluation.
type Alert struct {
	File, Group, Name string
	Index             int // of the rule in its group
	Labels            labels.Labels
	Annotations       labels.Labels
	State             State
	Value             float64
	ActiveAt          time.Time
	FiredAt           time.Time // zero before it fires
	ResolvedAt        time.Time // zero while it is active
	KeepFiringSince   time.Time // zero while its condition holds
}

// Transition is the change of an alert from one state to another.
type Transition struct {
	Time  time.Time
	From  State
	Alert Alert // after it

	position int // of the rule
}

// alerts is the state of an alerting rule.
type alerts struct {
	hold, keepFiring time.Duration
	annotations      labels.Labels
	expand           expansion
	active           []*alert // by labels; also those resolved a short while ago
	byHash           map[uint64]*alert
}

func newAlerts(r *rule, from *rulefmt.Rule) *alerts {
	annotations := labels.FromMap(from.Annotations)
	return &alerts{
		hold: time.Duration(from.For), keepFiring: time.Duration(from.KeepFiringFor), annotations: annotations,
		expand: newExpansion(r.labels, annotations), byHash: map[uint64]*alert{},
	}
}

// alertLabels are the labels of an alert and their hash.
type alertLabels struct {
	labels labels.Labels
	hash   uint64
}

// alert is an alert of a rule.
type alert struct {
	alertLabels
	state           State
	seen            sighting
	activeAt        time.Time
	firedAt         time.Time
	resolvedAt      time.Time
	keepFiringSince time.Time
	evaluation      int // the last that had it in its result

	pending, firing, forState *target
}

// sighting is what the annotations of an alert are made of: the last result that
// had it.
type sighting struct {
	sample      promql.Sample
	at          time.Time
	annotations labels.Labels
	expanded    bool
}

var errSameAlert = errors.New("vector contains metrics with the same labelset after applying alert labels")

// alert takes the result of an alerting rule: it moves the rule's alerts on and
// writes their series.
func (e *Engine) alert(ctx context.Context, r *rule, ts time.Time, samples []result) ([]Transition, error) {
	if len(samples) == 0 && len(r.alerts.active) == 0 && len(r.written) == 0 {
		return nil, nil
	}
	found, err := e.sightings(ctx, r, ts, samples)
	if err != nil {
		return nil, err
	}
	before := r.alerts.states()
	r.alerts.take(found, r.evaluations)
	count := r.alerts.move(ts, r.evaluations)
	if limit := r.group.limit; limit > 0 && count > limit {
		transitions := e.transitions(ctx, r, ts, before, true)
		r.alerts.active, r.alerts.byHash = nil, map[uint64]*alert{}
		return transitions, fmt.Errorf("exceeded limit of %d with %d alerts", limit, count)
	}
	w := e.writer(r, ts)
	for _, a := range r.alerts.active {
		if a.state != Inactive {
			r.writeAlert(w, a)
		}
	}
	err = w.close()
	return e.transitions(ctx, r, ts, before, false), err
}

// sightings returns an alert for each sample, with its labels. Two of the same
// are an error.
func (e *Engine) sightings(ctx context.Context, r *rule, ts time.Time, samples []result) ([]*alert, error) {
	found := make([]*alert, len(samples))
	seen := make(map[uint64]bool, len(samples))
	for i, s := range samples {
		a := &alert{alertLabels: e.labelsOf(ctx, r, s, ts), state: Pending, activeAt: ts}
		if seen[a.hash] {
			return nil, errSameAlert
		}
		seen[a.hash] = true
		a.seen = sighting{sample: promql.Sample{Metric: s.source.metric, F: s.f, H: copyOf(s.h)}, at: ts}
		if r.alerts.expand.eager {
			a.seen.annotations, a.seen.expanded = e.annotations(ctx, r, a.seen), true
		}
		found[i] = a
	}
	return found, nil
}

// take adds the alerts that are new to the active ones, and what has been seen
// of the others to them.
func (s *alerts) take(found []*alert, evaluation int) {
	for _, a := range found {
		old := s.byHash[a.hash]
		switch {
		case old == nil:
			at, _ := slices.BinarySearchFunc(s.active, a.labels, func(b *alert, l labels.Labels) int { return labels.Compare(b.labels, l) })
			s.active = slices.Insert(s.active, at, a)
			s.byHash[a.hash] = a
			old = a
		case old.state == Inactive:
			targets := [...]*target{old.pending, old.firing, old.forState}
			*old = *a
			old.pending, old.firing, old.forState = targets[0], targets[1], targets[2]
		default:
			old.seen = a.seen
		}
		old.evaluation = evaluation
	}
}

// move moves all alerts to the state that they have at ts and returns how many
// are pending or firing.
func (s *alerts) move(ts time.Time, evaluation int) int {
	count := 0
	kept := s.active[:0]
	for _, a := range s.active {
		if a.evaluation == evaluation {
			a.keepFiringSince = time.Time{}
		} else if !s.lingers(a, ts) {
			if a.end(ts) {
				delete(s.byHash, a.hash)
			} else {
				kept = append(kept, a)
			}
			continue
		}
		kept = append(kept, a)
		count++
		if a.state == Pending && ts.Sub(a.activeAt) >= s.hold {
			a.state, a.firedAt = Firing, ts
		}
	}
	clear(s.active[len(kept):])
	s.active = kept
	return count
}

// lingers reports whether an alert whose condition does not hold any more goes
// on firing.
func (s *alerts) lingers(a *alert, ts time.Time) bool {
	if a.state != Firing || s.keepFiring <= 0 {
		return false
	}
	if a.keepFiringSince.IsZero() {
		a.keepFiringSince = ts
	}
	return ts.Sub(a.keepFiringSince) < s.keepFiring
}

// end makes the alert inactive and reports whether it is to be forgotten.
func (a *alert) end(ts time.Time) (forget bool) {
	forget = a.state == Pending || !a.resolvedAt.IsZero() && ts.Sub(a.resolvedAt) > resolvedRetention
	if a.state != Inactive {
		a.state, a.resolvedAt = Inactive, ts
	}
	return forget
}

// writeAlert writes the series of an alert.
func (r *rule) writeAlert(w *writer, a *alert) {
	if a.forState == nil {
		a.pending, a.firing, a.forState = r.target(r.stateLabels(a, Pending)), r.target(r.stateLabels(a, Firing)), r.target(r.forStateLabels(a))
	}
	state := a.pending
	if a.state == Firing {
		state = a.firing
	}
	w.write(state, 1, nil)
	w.write(a.forState, float64(a.activeAt.Unix()), nil)
}

// stateLabels returns the labels of the series ALERTS of an alert. Labels of the
// rule that came out empty are there as they were written.
func (r *rule) stateLabels(a *alert, state State) labels.Labels {
	b := r.seriesLabels(a, alertsMetric)
	b.Set(alertState, state.String())
	return b.Labels()
}

func (r *rule) forStateLabels(a *alert) labels.Labels {
	return r.seriesLabels(a, forStateMetric).Labels()
}

func (r *rule) seriesLabels(a *alert, name string) *labels.Builder {
	b := labels.NewBuilder(r.labels)
	a.labels.Range(func(l labels.Label) { b.Set(l.Name, l.Value) })
	b.Set(model.MetricNameLabel, name)
	b.Set(labels.AlertName, r.name)
	return b
}

// stateBefore is the state of an alert before an evaluation.
type stateBefore struct {
	alert *alert
	state State
}

func (s *alerts) states() []stateBefore {
	states := make([]stateBefore, len(s.active))
	for i, a := range s.active {
		states[i] = stateBefore{a, a.state}
	}
	return states
}

// transitions returns what has changed, by the labels of the alerts. Where
// ended is true, all alerts have come to an end.
func (e *Engine) transitions(ctx context.Context, r *rule, ts time.Time, before []stateBefore, ended bool) []Transition {
	was := make(map[*alert]State, len(before))
	list := slices.Clone(r.alerts.active)
	for _, b := range before {
		was[b.alert] = b.state
		if !slices.Contains(list, b.alert) {
			list = append(list, b.alert)
		}
	}
	slices.SortStableFunc(list, func(a, b *alert) int { return labels.Compare(a.labels, b.labels) })
	var all []Transition
	for _, a := range list {
		if ended && a.state != Inactive {
			a.state, a.resolvedAt = Inactive, ts
		}
		if from := was[a]; from != a.state {
			all = append(all, Transition{Time: ts, From: from, Alert: e.show(ctx, r, a), position: r.position})
		}
	}
	return all
}

// show returns the alert as others see it.
func (e *Engine) show(ctx context.Context, r *rule, a *alert) Alert {
	if s := &a.seen; !s.expanded {
		s.annotations, s.expanded = e.annotations(ctx, r, *s), true
	}
	return Alert{
		File: r.group.file, Group: r.group.name, Name: r.name, Index: r.index, Labels: a.labels, Annotations: a.seen.annotations,
		State: a.state, Value: a.seen.sample.F, ActiveAt: a.activeAt, FiredAt: a.firedAt, ResolvedAt: a.resolvedAt, KeepFiringSince: a.keepFiringSince,
	}
}
