package pager

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/exporter/metric"
)

// dispatcher groups the alerts of the rule engine and says when the news of a
// group goes out, as Alertmanager's dispatcher, its inhibitor and its log of
// notifications do together.
type dispatcher struct {
	policy alerts.Policy
	clock  clock
	groups []*group // in the order of their ids
}

// group are the alerts that share notifications.
type group struct {
	id       groupID
	severity alerts.Severity
	labels   Labels
	alerts   []*member // in the order of their keys
	due      time.Time // of the next look at it
	sent     *sent     // the last notification, nil before the first
}

// member is an alert of a group.
type member struct {
	key string
	Alert
}

// sent is what a notification told, by the keys of the alerts in order.
type sent struct {
	at               time.Time
	firing, resolved []string
}

// put takes a change of an alert and reports whether anybody is to hear of it.
func (d *dispatcher) put(a Alert, now Moment) bool {
	id, labels, reaches := groupOf(d.policy, a.Labels, a.Severity())
	if !reaches {
		return false
	}
	at, known := slices.BinarySearchFunc(d.groups, id, func(g *group, id groupID) int { return g.id.compare(id) })
	if !known {
		if a.Status != Firing {
			return true // what nobody has heard of cannot end
		}
		g := &group{id: id, severity: a.Severity(), labels: labels, due: d.clock.of(now).Add(d.policy.GroupWait)}
		if d.clock.of(a.Starts).Add(d.policy.GroupWait).Before(d.clock.of(now)) {
			g.due = d.clock.of(now) // it has waited long enough elsewhere
		}
		d.groups = slices.Insert(d.groups, at, g)
	}
	d.groups[at].set(a)
	return true
}

// set takes what is new about an alert of the group. One that has ended and is
// not in it has never been heard of.
func (g *group) set(a Alert) {
	key := a.Labels.key()
	at, known := slices.BinarySearchFunc(g.alerts, key, func(m *member, key string) int { return strings.Compare(m.key, key) })
	switch {
	case known:
		g.alerts[at].Alert = a
	case a.Status == Firing:
		g.alerts = slices.Insert(g.alerts, at, &member{key, a})
	}
}

// next returns the group that is due next, nil where there is none.
func (d *dispatcher) next() *group {
	var first *group
	for _, g := range d.groups {
		if first == nil || g.due.Before(first.due) {
			first = g
		}
	}
	return first
}

// look sends the news of a group, where there is any, and lets go of alerts
// that have ended, and of the group when it has none left.
//
// One thing is not as in Alertmanager: an alert that has ended is never
// silenced. There, an alert that ends while a page silences it never ends for
// the receiver.
func (d *dispatcher) look(g *group, silences func(Alert) bool, now Moment) (Notification, bool) {
	g.due = g.due.Add(d.policy.GroupInterval)
	n := Notification{Origin: Builtin, GroupKey: g.key(), GroupLabels: g.labels, At: now}
	news := sent{at: d.clock.of(now)}
	for _, m := range g.alerts {
		switch {
		case m.Status != Firing:
			news.resolved = append(news.resolved, m.key)
		case silences(m.Alert):
			n.Silenced++
			continue
		default:
			news.firing = append(news.firing, m.key)
		}
		n.Alerts = append(n.Alerts, m.Alert)
	}
	g.alerts = slices.DeleteFunc(g.alerts, func(m *member) bool { return m.Status != Firing })
	if len(g.alerts) == 0 {
		d.groups = slices.DeleteFunc(d.groups, func(other *group) bool { return other == g })
	}
	if len(n.Alerts) == 0 || !g.isNews(news, d.policy.RepeatInterval) {
		return Notification{}, false
	}
	g.sent = &news
	return n, true
}

// isNews reports whether a notification tells something new, or the old has to
// be said again.
func (g *group) isNews(news sent, repeat time.Duration) bool {
	switch {
	case g.sent == nil:
		return len(news.firing) > 0
	case !contains(g.sent.firing, news.firing):
		return true
	case len(news.firing) == 0:
		return len(g.sent.firing) > 0
	case !contains(g.sent.resolved, news.resolved):
		return true
	}
	return g.sent.at.Add(repeat).Before(news.at)
}

// contains reports whether a sorted list has all members of another.
func contains(all, some []string) bool {
	for _, s := range some {
		if _, ok := slices.BinarySearch(all, s); !ok {
			return false
		}
	}
	return true
}

// key is the name that Alertmanager, as it is configured, gives the group.
func (g *group) key() string {
	return fmt.Sprintf("{}/{%s=%q}:%s", metric.Severity, g.severity, g.labels)
}

// eachFiring calls f for the alerts that fire.
func (d *dispatcher) eachFiring(f func(Alert)) {
	for _, g := range d.groups {
		for _, m := range g.alerts {
			if m.Status == Firing {
				f(m.Alert)
			}
		}
	}
}
