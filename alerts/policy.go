package alerts

import (
	"slices"
	"time"

	"github.com/firedrill/firedrill/exporter/metric"
)

// Policy is how alerts become pages: what the configuration of Alertmanager
// says, and what the built-in pager keeps to as well.
type Policy struct {
	// Severities are those that reach people, the most urgent first. Each has a
	// route of its own, so that a page never waits for the group of a warning.
	// Alerts of any other severity go nowhere.
	Severities []Severity
	// GroupBy are the labels of a page: alerts that agree in them and in their
	// severity share one.
	GroupBy []string
	// Inhibitions say which alerts silence which.
	Inhibitions []Inhibition

	GroupWait      time.Duration // until the first page of a group goes out
	GroupInterval  time.Duration // until news of the group goes out; a page must be taken back soon
	RepeatInterval time.Duration // until it goes out again unchanged
	ResolveTimeout time.Duration // of an alert that is not heard of any more
}

// Inhibition says that an alert of severity Source silences those of severity
// Target that agree with it in the labels Equal.
type Inhibition struct {
	Source, Target Severity
	Equal          []string
}

// PagerPolicy returns the policy in simulated time: one page for each service
// and SLO, which silences its ticket and the causes of its service.
func PagerPolicy() Policy {
	page := []string{metric.Service, metric.SLO}
	return Policy{
		Severities: []Severity{Page, Ticket, Warning},
		GroupBy:    page,
		Inhibitions: []Inhibition{
			{Source: Page, Target: Ticket, Equal: page},
			{Source: Page, Target: Warning, Equal: []string{metric.Service}},
		},
		GroupWait:      30 * time.Second,
		GroupInterval:  2 * time.Minute,
		RepeatInterval: 4 * time.Hour,
		ResolveTimeout: 5 * time.Minute,
	}
}

// Policy returns the policy on the clock of Prometheus.
func (o Options) Policy() Policy {
	p := PagerPolicy()
	for _, d := range []*time.Duration{&p.GroupWait, &p.GroupInterval, &p.RepeatInterval, &p.ResolveTimeout} {
		*d = o.clock(*d)
	}
	return p
}

// Urgency returns the place of a severity among those that reach people, 0 for
// the most urgent; false where it does not reach them.
func (p Policy) Urgency(s Severity) (int, bool) {
	at := slices.Index(p.Severities, s)
	return at, at >= 0
}
