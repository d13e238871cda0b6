package pager

import (
	"slices"

	"github.com/firedrill/firedrill/alerts"
)

// Filter says which pages are wanted. The zero value wants all.
type Filter struct {
	State    State           // "" means any
	Open     bool            // those that are not resolved
	Severity alerts.Severity // "" means any
}

func (f Filter) wants(p Page) bool {
	return (f.State == "" || f.State == p.State) && (f.Severity == "" || f.Severity == p.Severity) && !(f.Open && p.State == Closed)
}

// Pages returns the pages that are wanted, in the order of their ids.
func (p *Pager) Pages(want Filter) []Page {
	var all []Page
	silencer := p.inhibitor()
	for _, one := range p.desk.pages {
		if want.wants(one.Page) {
			all = append(all, p.show(one, silencer))
		}
	}
	return all
}

// Page returns the page with that id. The error is an UnknownError.
func (p *Pager) Page(id int) (Page, error) {
	found, err := p.desk.find(id)
	if err != nil {
		return Page{}, err
	}
	return p.show(found, p.inhibitor()), nil
}

// show returns the page as others see it.
func (p *Pager) show(one *page, silencer *inhibitor) Page {
	out := one.Page
	out.History = slices.Clone(one.History)
	if out.State != Closed {
		out.More = one.more()
	}
	out.Alerts = make([]Member, len(one.members))
	for i, m := range one.members {
		out.Alerts[i] = Member{Alert: m.Alert, Origins: m.origins()}
	}
	out.Silenced = one.State != Closed && slices.ContainsFunc(one.members, func(m *seat) bool { return m.Status == Firing }) &&
		!slices.ContainsFunc(one.members, func(m *seat) bool { return m.Status == Firing && !silencer.silences(m.Alert) })
	return out
}

func (m *seat) origins() []Origin {
	var all []Origin
	for _, s := range m.sources {
		if !slices.Contains(all, s.origin) {
			all = append(all, s.origin)
		}
	}
	return all
}

// inhibitor returns what silences alerts now: those of the rule engine that
// fire, and those in open pages that an Alertmanager says fire.
func (p *Pager) inhibitor() *inhibitor {
	i := newInhibitor(p.config.Policy.Inhibitions)
	p.dispatch.eachFiring(i.add)
	for _, one := range p.desk.pages {
		for _, m := range one.members {
			if slices.ContainsFunc(m.sources, func(s *source) bool { return s.origin == Alertmanager }) {
				i.add(m.Alert)
			}
		}
	}
	return i
}

// Stats say how much there is.
type Stats struct {
	Pages     []Count // by severity and state, those without any too
	Forgotten int     // resolved pages that have made way
	Refused   int     // notifications for which there was no room
	Ignored   int     // alerts whose severity reaches nobody
}

// Count is the number of pages of a severity in a state.
type Count struct {
	Severity alerts.Severity
	State    State
	Pages    int
}

// Stats returns how much there is in this drill.
func (p *Pager) Stats() Stats {
	s := Stats{Forgotten: p.desk.forgotten, Refused: p.desk.refused, Ignored: p.ignored}
	for _, severity := range p.config.Policy.Severities {
		for _, state := range States() {
			c := Count{Severity: severity, State: state}
			for _, one := range p.desk.pages {
				if one.Severity == severity && one.State == state {
					c.Pages++
				}
			}
			s.Pages = append(s.Pages, c)
		}
	}
	return s
}
