package pager

import (
	"slices"

	"github.com/firedrill/firedrill/simulator"
)

// hear brings the page up to date with what a notification says about its
// group, and returns what has happened.
// There is room for so many alerts.
func (p *page) hear(n Notification, part part, room, history int) (happened []simulator.Event) {
	s := p.source(n, part.fires())
	if s == nil {
		return nil // this group has never told of a firing alert here
	}
	opening := len(p.History) == 0
	record := func(e Entry) {
		if e.Kind == alertJoined && opening {
			return // the alerts that open a page do not join it
		}
		happened = append(happened, p.record(e, history))
	}
	if opening {
		record(Entry{Kind: opened, Act: Act{At: n.At}})
	}
	if len(part.alerts) > 0 {
		p.Notifications++
	}
	p.take(n, part, s, room, record)
	if s.more == 0 && !p.hears(s) {
		p.sources = slices.DeleteFunc(p.sources, func(other *source) bool { return other == s })
	}
	if !p.fires() {
		p.close(Resolution{Act: Act{At: n.At}, ByAlerts: true})
		record(Entry{Kind: resolved, Act: Act{At: n.At}})
	}
	return happened
}

// take moves the alerts of the page to the state that a notification says they
// have, and ends those that it does not speak of.
func (p *page) take(n Notification, part part, s *source, room int, record func(Entry)) {
	s.more = 0
	spoken := make(map[string]bool, len(part.alerts))
	for _, a := range part.alerts {
		key := a.Labels.key()
		spoken[key] = true
		at := slices.IndexFunc(p.members, func(m *seat) bool { return m.key == key })
		switch {
		case a.Status != Firing && at >= 0:
			p.members[at].leave(s, a.Ends, n.At, record)
		case a.Status != Firing: // nobody here has heard of it
		case at >= 0:
			p.members[at].join(s, a, n.At, record)
		case p.makeRoom(room):
			m := &seat{key: key}
			p.members = append(p.members, m)
			m.join(s, a, n.At, record)
		default:
			s.more++
		}
	}
	if n.Status() == Firing {
		s.more += n.Truncated
	}
	if !n.complete() {
		return
	}
	for _, m := range p.members {
		if !spoken[m.key] {
			m.leave(s, n.At, n.At, record)
		}
	}
}

// source returns the group of alerts that a notification is about, nil where
// the page has not heard of it and it is not to be added.
func (p *page) source(n Notification, add bool) *source {
	at := slices.IndexFunc(p.sources, func(s *source) bool { return s.origin == n.Origin && s.groupKey == n.GroupKey })
	switch {
	case at >= 0:
		return p.sources[at]
	case !add:
		return nil
	}
	s := &source{origin: n.Origin, groupKey: n.GroupKey}
	p.sources = append(p.sources, s)
	return s
}

// makeRoom reports whether there is room for one more alert. An alert that has
// ended makes room.
func (p *page) makeRoom(room int) bool {
	if len(p.members) < room {
		return true
	}
	at := slices.IndexFunc(p.members, func(m *seat) bool { return m.Status != Firing })
	if at < 0 {
		return false
	}
	p.members = slices.Delete(p.members, at, at+1)
	p.Forgotten++
	return true
}

// join says that the alert fires as far as a source knows.
func (m *seat) join(s *source, a Alert, at Moment, record func(Entry)) {
	fired := m.Status == Firing
	if fired {
		a.Starts = earliest(a.Starts, m.Starts)
	}
	m.Alert = a
	if !slices.Contains(m.sources, s) {
		m.sources = append(m.sources, s)
	}
	if !fired {
		record(Entry{Kind: alertJoined, Alert: clip(a.Name()), Summary: clip(a.Summary()), Act: Act{At: at}})
	}
}

// leave says that the alert has ended as far as a source knows, who says so now.
// It has ended when no other source says that it fires.
func (m *seat) leave(s *source, ended, now Moment, record func(Entry)) {
	i := slices.Index(m.sources, s)
	if i < 0 {
		return
	}
	m.sources = slices.Delete(m.sources, i, i+1)
	if len(m.sources) == 0 {
		m.Status, m.Ends = Resolved, ended
		record(Entry{Kind: alertResolved, Alert: clip(m.Name()), Summary: clip(m.Summary()), Act: Act{At: now}})
	}
}

// hears reports whether a source says of any alert here that it fires.
func (p *page) hears(s *source) bool {
	return slices.ContainsFunc(p.members, func(m *seat) bool { return slices.Contains(m.sources, s) })
}

// fires reports whether any alert of the page does.
func (p *page) fires() bool {
	return slices.ContainsFunc(p.members, func(m *seat) bool { return len(m.sources) > 0 }) ||
		slices.ContainsFunc(p.sources, func(s *source) bool { return s.more > 0 })
}

// close ends the page. It hears of no alert any more.
func (p *page) close(how Resolution) {
	p.State, p.Resolution = Closed, &how
	p.More = p.more()
	p.sources = nil
	for _, m := range p.members {
		m.sources = nil
	}
}

func (p *page) more() (n int) {
	for _, s := range p.sources {
		n += s.more
	}
	return n
}
