package pager

import (
	"cmp"
	"slices"

	"github.com/firedrill/firedrill/alerts"
)

// Origin says who grouped the alerts of a notification.
type Origin string

// The origins.
const (
	Builtin      Origin = "firedrill"    // this package, from the rule engine in the process
	Alertmanager Origin = "alertmanager" // an Alertmanager elsewhere
)

// Notification is the news of a group of alerts, as Alertmanager sends it: all
// alerts of the group that fire and are not silenced, and those that have
// stopped since the one before.
type Notification struct {
	Origin      Origin
	GroupKey    string // names the group among those of its origin
	GroupLabels Labels
	Alerts      []Alert
	Truncated   int // alerts that were left out because there were too many
	Silenced    int // alerts that fire and were left out because others silence them
	At          Moment
}

// Status returns Firing where any of the alerts fires.
func (n Notification) Status() Status {
	if slices.ContainsFunc(n.Alerts, func(a Alert) bool { return a.Status == Firing }) {
		return Firing
	}
	return Resolved
}

// complete reports whether alerts that it does not mention have ended.
func (n Notification) complete() bool {
	return n.Silenced == 0 && (n.Truncated == 0 || n.Status() != Firing)
}

// CommonLabels returns the labels that all its alerts have in common.
func (n Notification) CommonLabels() Labels {
	return common(n.Alerts, func(a Alert) Labels { return a.Labels })
}

// CommonAnnotations returns the annotations that all its alerts have in common.
func (n Notification) CommonAnnotations() Labels {
	return common(n.Alerts, func(a Alert) Labels { return a.Annotations })
}

// groupID tells groups of alerts apart.
type groupID struct {
	urgency int    // of the severity
	labels  string // the grouping labels
}

func (g groupID) compare(h groupID) int {
	return cmp.Or(cmp.Compare(g.urgency, h.urgency), cmp.Compare(g.labels, h.labels))
}

// groupOf returns the group of an alert; false where its severity reaches
// nobody.
func groupOf(policy alerts.Policy, l Labels, severity alerts.Severity) (groupID, Labels, bool) {
	urgency, reaches := policy.Urgency(severity)
	labels := l.only(policy.GroupBy)
	return groupID{urgency, labels.String()}, labels, reaches
}
