package pager

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/simulator"
)

// Config says how a pager works.
type Config struct {
	// Policy is how alerts become pages.
	Policy alerts.Policy
	// Wall says that the spans of the policy, and the rules, are on the wall
	// clock; else they are in simulated time.
	Wall bool
	// Page says that an alert calls somebody whatever severity it names: it gets
	// the most urgent one of the policy. nil says so of none.
	Page func(Labels) bool
	// Limits bound what is kept. A zero is the default.
	Limits Limits
}

// Limits bound what a pager keeps.
type Limits struct {
	Open     int // pages, tickets and notices that are open; 500
	Resolved int // of those that are resolved, the youngest; 200
	Alerts   int // of a page; 500
	Total    int // alerts of all pages; 5000
	Sources  int // groups of alerts that a page hears of; 100
	History  int // entries of a page, the first one and the youngest, 2 at least; 200
}

func (l Limits) withDefaults() Limits {
	return Limits{
		Open: cmp.Or(l.Open, 500), Resolved: cmp.Or(l.Resolved, 200), Alerts: cmp.Or(l.Alerts, 500), Total: cmp.Or(l.Total, 5000),
		Sources: cmp.Or(l.Sources, 100), History: max(2, cmp.Or(l.History, 200)),
	}
}

// Pager turns alerts into pages. It is not safe for concurrent use, and no time
// that it is given may be before the one before on the clock of its policy.
type Pager struct {
	config   Config
	run      int
	start    time.Time // simulated time of tick 0
	began    time.Time // wall time at which the drill began
	dispatch dispatcher
	desk     desk
	ignored  int
}

// Effects are what has come of something: what followers of the drill are told,
// and the notifications that are to be sent on.
type Effects struct {
	Events        []simulator.Event
	Notifications []Notification // of the built-in dispatcher, in order
}

func (e *Effects) add(other Effects) {
	e.Events = append(e.Events, other.Events...)
	e.Notifications = append(e.Notifications, other.Notifications...)
}

// New returns a pager without pages.
func New(config Config) *Pager {
	config.Limits = config.Limits.withDefaults()
	p := &Pager{config: config}
	p.Reset(0, time.Time{}, time.Time{})
	return p
}

// Reset forgets all pages and alerts: another drill begins. start is the
// simulated time of its tick 0, began the wall time at which it begins; an
// Alertmanager's alerts from before are not the drill's.
func (p *Pager) Reset(run int, start, began time.Time) {
	p.run, p.start, p.began, p.ignored = run, start, began, 0
	p.dispatch = dispatcher{policy: p.config.Policy, clock: p.clock()}
	p.desk = desk{policy: p.config.Policy, limits: p.config.Limits}
}

// Policy returns how alerts become pages.
func (p *Pager) Policy() alerts.Policy { return p.config.Policy }

// Run returns the number of the drill that the pages are of.
func (p *Pager) Run() int { return p.run }

func (p *Pager) clock() clock { return clock{p.config.Wall} }

// Observe takes transitions of the rule engine's alerts, all of the moment at.
// An alert that fires may be given again, with what is new about it.
func (p *Pager) Observe(at Moment, transitions ...Alert) Effects {
	effects := p.advance(at, false)
	for _, a := range transitions {
		if !p.dispatch.put(p.urgent(a), at) {
			p.ignored++
		}
	}
	return effects
}

// urgent returns the alert with the severity that it has for the pager.
func (p *Pager) urgent(a Alert) Alert {
	if p.config.Page == nil || !p.config.Page(a.Labels) {
		return a
	}
	labels := maps.Clone(a.Labels)
	if labels == nil {
		labels = Labels{}
	}
	labels[metric.Severity] = string(p.config.Policy.Severities[0])
	a.Labels = labels
	return a
}

// Due returns when Advance has something to do next, on the clock of the
// policy; false where it has nothing to do until Observe.
func (p *Pager) Due() (time.Time, bool) {
	if g := p.dispatch.next(); g != nil {
		return g.due, true
	}
	return time.Time{}, false
}

// Advance sends the news of the groups whose time has come. What is due before
// now happens at the time at which it was due.
func (p *Pager) Advance(now Moment) Effects { return p.advance(now, true) }

// advance sends what is due before now; with inclusive also what is due now.
func (p *Pager) advance(now Moment, inclusive bool) (effects Effects) {
	limit := p.clock().of(now)
	late := func(g *group) bool { return g.due.Before(limit) || inclusive && g.due.Equal(limit) }
	if g := p.dispatch.next(); g == nil || !late(g) {
		return Effects{}
	}
	silences := p.inhibitor().silences
	for g := p.dispatch.next(); g != nil && late(g); g = p.dispatch.next() {
		if n, ok := p.dispatch.look(g, silences, p.clock().with(now, g.due)); ok {
			effects.add(p.send(n))
		}
	}
	return effects
}

// send delivers a notification of the built-in dispatcher.
func (p *Pager) send(n Notification) Effects {
	parts, _ := p.desk.parts(n)
	if !p.desk.room(n, parts) {
		p.desk.refused++
		return Effects{Notifications: []Notification{n}}
	}
	_, happened := p.desk.deliver(n, parts)
	return Effects{Events: p.stamp(happened, n.At), Notifications: []Notification{n}}
}

// Receipt says what became of an Alertmanager's notification.
type Receipt struct {
	Pages    []int // that it is about, in order
	Ignored  int   // alerts whose severity reaches nobody
	Outdated int   // alerts that fire since before the drill
}

// Notify takes the notification of an Alertmanager, whose alerts have wall times
// only. It returns ErrFull, and
// nothing has changed, where that would open too many pages.
func (p *Pager) Notify(n Notification) (Receipt, []simulator.Event, error) {
	var receipt Receipt
	n.Alerts = slices.DeleteFunc(p.hearNow(n), func(a Alert) bool {
		outdated := a.Status == Firing && a.Starts.Wall.Before(p.began)
		if outdated {
			receipt.Outdated++
		}
		return outdated
	})
	parts, ignored := p.desk.parts(n)
	if !p.desk.room(n, parts) {
		return Receipt{}, nil, ErrFull
	}
	p.ignored += ignored
	receipt.Ignored = ignored
	ids, happened := p.desk.deliver(n, parts)
	slices.Sort(ids)
	receipt.Pages = ids
	return receipt, p.stamp(happened, n.At), nil
}

// hearNow returns the alerts of a notification. An Alertmanager knows the wall
// clock alone: in simulated time they began, or ended, when we heard of it.
func (p *Pager) hearNow(n Notification) []Alert {
	all := make([]Alert, len(n.Alerts))
	for i, a := range n.Alerts {
		all[i] = p.urgent(a)
		all[i].Starts.Simulated = n.At.Simulated
		if all[i].Status == Resolved {
			all[i].Ends.Simulated = n.At.Simulated
			if all[i].Ends.Wall.IsZero() {
				all[i].Ends.Wall = n.At.Wall
			}
		}
	}
	return all
}

// Acknowledge says that somebody takes care of a page. The error is an
// UnknownError or a ClosedError.
func (p *Pager) Acknowledge(id int, act Act) (Page, []simulator.Event, error) {
	return p.act(id, act, (*page).acknowledge)
}

// Resolve ends a page. The error is an UnknownError or a ClosedError.
func (p *Pager) Resolve(id int, act Act) (Page, []simulator.Event, error) {
	return p.act(id, act, (*page).resolve)
}

func (p *Pager) act(id int, act Act, do func(*page, Act, int) ([]simulator.Event, error)) (Page, []simulator.Event, error) {
	found, err := p.desk.find(id)
	if err != nil {
		return Page{}, nil, err
	}
	happened, err := do(found, act, p.config.Limits.History)
	if err != nil {
		return Page{}, nil, err
	}
	shown := p.show(found, p.inhibitor())
	p.desk.tidy()
	return shown, p.stamp(happened, act.At), nil
}

// stamp fills in the tick of events.
func (p *Pager) stamp(events []simulator.Event, at Moment) []simulator.Event {
	for i := range events {
		events[i].At = simulator.Tick(at.Simulated.Sub(p.start) / time.Second)
	}
	return events
}
