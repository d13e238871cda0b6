package pager

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/simulator"
)

// ErrFull refuses a notification that would open more pages than there is room
// for.
var ErrFull = errors.New("too many pages are open")

// desk keeps the pages: notifications open them and take them back, people
// acknowledge and resolve them.
type desk struct {
	policy    alerts.Policy
	limits    Limits
	pages     []*page // in the order of their ids; resolved ones make way
	last      int     // id
	forgotten int     // pages that made way
	refused   int     // groups for which there was no room
}

// page is a page with what the desk knows about its alerts.
type page struct {
	Page
	id      groupID
	members []*seat
	sources []*source
}

// seat is an alert in a page.
type seat struct {
	Alert
	key     string
	sources []*source // that say it fires
}

// source is a group of alerts somewhere that the page hears of.
type source struct {
	origin   Origin
	groupKey string
	more     int // firing alerts for which the page has no room
}

// part is what a notification says about one page.
type part struct {
	id       groupID
	labels   Labels
	severity alerts.Severity
	alerts   []Alert
}

func (p part) fires() bool {
	return slices.ContainsFunc(p.alerts, func(a Alert) bool { return a.Status == Firing })
}

// parts sorts the alerts of a notification by the pages that they belong to,
// and counts those that reach nobody. One of ours has one part only; who
// configures an Alertmanager otherwise may group as they like.
func (d *desk) parts(n Notification) (parts []part, ignored int) {
	for _, a := range n.Alerts {
		id, labels, reaches := groupOf(d.policy, a.Labels, a.Severity())
		if !reaches {
			ignored++
			continue
		}
		at, known := slices.BinarySearchFunc(parts, id, func(p part, id groupID) int { return p.id.compare(id) })
		if !known {
			parts = slices.Insert(parts, at, part{id: id, labels: labels, severity: a.Severity()})
		}
		parts[at].alerts = append(parts[at].alerts, a)
	}
	return parts, ignored
}

// open returns the page of a group that is open, nil where there is none.
func (d *desk) open(id groupID) *page {
	at := slices.IndexFunc(d.pages, func(p *page) bool { return p.id == id && p.State != Closed })
	if at < 0 {
		return nil
	}
	return d.pages[at]
}

// find returns the page with that id.
func (d *desk) find(id int) (*page, error) {
	at, known := slices.BinarySearchFunc(d.pages, id, func(p *page, id int) int { return p.ID - id })
	if !known {
		return nil, UnknownError{ID: id, Known: d.ids()}
	}
	return d.pages[at], nil
}

func (d *desk) ids() []int {
	ids := make([]int, len(d.pages))
	for i, p := range d.pages {
		ids[i] = p.ID
	}
	return ids
}

// room reports whether all pages that the parts open can be opened, and those
// that are open can listen to one more group.
func (d *desk) room(n Notification, parts []part) bool {
	free := d.limits.Open
	for _, p := range d.pages {
		if p.State != Closed {
			free--
		}
	}
	for _, part := range parts {
		switch p := d.open(part.id); {
		case !part.fires():
		case p == nil:
			free--
		case len(p.sources) >= d.limits.Sources && p.source(n, false) == nil:
			return false
		}
	}
	return free >= 0
}

// seats returns how many alerts a page may have.
func (d *desk) seats(p *page) int {
	free := d.limits.Total
	for _, other := range d.pages {
		free -= len(other.members)
	}
	return min(d.limits.Alerts, len(p.members)+max(0, free))
}

// deliver brings the pages up to date with a notification and returns what has
// happened, and the ids of the pages that it is about.
func (d *desk) deliver(n Notification, parts []part) (ids []int, happened []simulator.Event) {
	happened = d.withdraw(n, parts)
	for _, part := range parts {
		p := d.open(part.id)
		if p == nil && !part.fires() {
			continue // nobody here has heard of it
		}
		if p == nil {
			p = d.begin(part, n.At)
		}
		ids = append(ids, p.ID)
		happened = append(happened, p.hear(n, part, d.seats(p), d.limits.History)...)
	}
	d.tidy()
	return ids, happened
}

// begin opens a page, which has the title of the alert that fires longest.
func (d *desk) begin(part part, at Moment) *page {
	firing := slices.DeleteFunc(slices.Clone(part.alerts), func(a Alert) bool { return a.Status != Firing })
	first := slices.MinFunc(firing, func(a, b Alert) int {
		return cmp.Or(a.Starts.Simulated.Compare(b.Starts.Simulated), a.Starts.Wall.Compare(b.Starts.Wall), strings.Compare(a.Labels.key(), b.Labels.key()))
	})
	d.last++
	p := &page{id: part.id, Page: Page{
		ID: d.last, Severity: part.severity, Group: part.labels, Title: first.Summary(), Runbook: first.Runbook(),
		State: Triggered, Opened: at,
	}}
	d.pages = append(d.pages, p)
	return p
}

// withdraw takes from the pages what a group of alerts has told of them before,
// where its notification does not speak of them any more.
func (d *desk) withdraw(n Notification, parts []part) (happened []simulator.Event) {
	if !n.complete() {
		return nil
	}
	for _, p := range d.pages {
		spoken := slices.ContainsFunc(parts, func(part part) bool { return part.id == p.id })
		if p.State != Closed && !spoken {
			happened = append(happened, p.hear(n, part{id: p.id}, len(p.members), d.limits.History)...)
		}
	}
	return happened
}

// tidy forgets the oldest resolved pages where there are too many, or too many
// alerts.
func (d *desk) tidy() {
	closed, alerts := 0, 0
	for _, p := range d.pages {
		alerts += len(p.members)
		if p.State == Closed {
			closed++
		}
	}
	d.pages = slices.DeleteFunc(d.pages, func(p *page) bool {
		if p.State != Closed || closed <= d.limits.Resolved && alerts < d.limits.Total {
			return false
		}
		closed--
		alerts -= len(p.members)
		d.forgotten++
		return true
	})
}
