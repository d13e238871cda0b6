package promengine

import (
	"context"
	"time"

	"github.com/prometheus/prometheus/model/labels"
)

// GroupStatus is a rule group with what became of its last evaluation.
type GroupStatus struct {
	File, Name string
	Interval   time.Duration
	Limit      int       // on the series or alerts of each rule; 0 is none
	LastEval   time.Time // zero before the first
	Rules      []RuleStatus
}

// RuleStatus is a rule with what became of its last evaluation.
type RuleStatus struct {
	File, Group, Name string
	Index             int  // in its group
	Alerting          bool // else it records
	Expr              string
	Labels            labels.Labels // that the rule sets, with those of its group
	Annotations       labels.Labels // as they are written in the rule
	For               time.Duration
	KeepFiringFor     time.Duration
	LastEval          time.Time // zero before the first
	Err               error     // of the last evaluation
	Alerts            []Alert   // that are pending or firing; Rules leaves them out
}

// Groups returns all groups in the order in which they were loaded. What it
// returns does not change any more.
func (e *Engine) Groups() []GroupStatus {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := make([]GroupStatus, len(e.groups))
	for i, g := range e.groups {
		all[i] = GroupStatus{File: g.file, Name: g.name, Interval: g.interval, Limit: g.limit, Rules: make([]RuleStatus, len(g.rules))}
		for j, r := range g.rules {
			status := r.status()
			if r.alerts != nil {
				// Annotations that query were made by the evaluation, so that nothing here waits.
				status.Alerts = e.active(context.Background(), r)
			}
			all[i].Rules[j], all[i].LastEval = status, status.LastEval
		}
	}
	return all
}

// Rules returns all rules in order, without their alerts.
func (e *Engine) Rules() []RuleStatus {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := make([]RuleStatus, len(e.rules))
	for i, r := range e.rules {
		all[i] = r.status()
	}
	return all
}

func (r *rule) status() RuleStatus {
	s := RuleStatus{
		File: r.group.file, Group: r.group.name, Name: r.name, Index: r.index, Alerting: r.alerts != nil, Expr: r.expr.String(),
		Labels: r.labels, LastEval: r.lastEval, Err: r.err,
	}
	if r.alerts != nil {
		s.Annotations, s.For, s.KeepFiringFor = r.alerts.annotations, r.alerts.hold, r.alerts.keepFiring
	}
	return s
}

// Alerts returns the pending and the firing alerts, in the order of the rules.
func (e *Engine) Alerts(ctx context.Context) []Alert {
	e.mu.Lock()
	defer e.mu.Unlock()
	var all []Alert
	for _, r := range e.rules {
		if r.alerts != nil {
			all = append(all, e.active(ctx, r)...)
		}
	}
	return all
}

// active returns the alerts of a rule that are pending or firing.
func (e *Engine) active(ctx context.Context, r *rule) []Alert {
	var all []Alert
	for _, a := range r.alerts.active {
		if a.state != Inactive {
			all = append(all, e.show(ctx, r, a))
		}
	}
	return all
}
