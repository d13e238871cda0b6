package pager

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/exporter/metric"
)

// engine is a rule engine whose alerts do as they like.
type engine struct {
	firing map[string]Alert
}

// alertGen draws alerts of few labels, so that they meet.
func alertGen() *rapid.Generator[Labels] {
	return rapid.Custom(func(t *rapid.T) Labels {
		l := Labels{
			alertName:       rapid.SampledFrom([]string{"A", "B", "C"}).Draw(t, "name"),
			metric.Severity: rapid.SampledFrom([]string{"page", "page", "ticket", "warning", "none", "info"}).Draw(t, "severity"),
		}
		if service := rapid.SampledFrom([]string{"", "shop", "cdn"}).Draw(t, "service"); service != "" {
			l[metric.Service] = service
		}
		if slo := rapid.SampledFrom([]string{"", "availability", "latency"}).Draw(t, "slo"); slo != "" {
			l[metric.SLO] = slo
		}
		return l
	})
}

// turn makes the alert fire, or end where it fires.
func (e *engine) turn(l Labels, at Moment) Alert {
	key := l.key()
	if a, fires := e.firing[key]; fires {
		delete(e.firing, key)
		a.Status, a.Ends = Resolved, at
		return a
	}
	a := Alert{Labels: l, Status: Firing, Starts: at, Value: math.NaN()}
	e.firing[key] = a
	return a
}

// step is a moment at which alerts turn.
type step struct {
	since time.Duration
	turns []Labels
}

func drawSteps(t *rapid.T) []step {
	var steps []step
	since := time.Duration(0)
	for range rapid.IntRange(1, 30).Draw(t, "steps") {
		since += 15 * time.Second * time.Duration(rapid.SampledFrom([]int{0, 1, 1, 2, 2, 3, 8, 9, 40, 970}).Draw(t, "gap"))
		steps = append(steps, step{since, rapid.SliceOfN(alertGen(), 0, 4).Draw(t, "turns")})
	}
	return steps
}

// silenced reports whether a firing alert is silenced by another, worked out
// from the policy's words.
func (e *engine) silenced(a Alert) bool {
	for _, other := range e.firing {
		for _, rule := range alerts.PagerPolicy().Inhibitions {
			if other.Severity() == rule.Source && a.Severity() == rule.Target &&
				!slices.ContainsFunc(rule.Equal, func(name string) bool { return other.Labels[name] != a.Labels[name] }) {
				return true
			}
		}
	}
	return false
}

// open returns the pages that are open and in which the alert fires.
func open(p *Pager, l Labels) (all []Page) {
	for _, one := range p.Pages(Filter{}) {
		if one.State != Closed && slices.ContainsFunc(one.Alerts, func(m Member) bool { return m.Status == Firing && m.Labels.key() == l.key() }) {
			all = append(all, one)
		}
	}
	return all
}

// Once everybody has waited, every alert that fires and is not silenced is in
// one open page, that of its severity and labels; and nothing else is open.
func TestEveryAlertHasItsPage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, e := newPager(Limits{}), &engine{firing: map[string]Alert{}}
		var last time.Duration
		for _, s := range drawSteps(t) {
			at := moment(s.since)
			for _, l := range s.turns {
				p.Observe(at, e.turn(l, at))
			}
			p.Advance(at)
			checkPages(t, p)
			last = s.since
		}
		p.Advance(moment(last + alerts.PagerPolicy().GroupInterval))
		checkPages(t, p)
		for _, a := range e.firing {
			checkAlert(t, p, e, a)
		}
		for _, one := range p.Pages(Filter{}) {
			for _, m := range one.Alerts {
				if _, fires := e.firing[m.Labels.key()]; one.State != Closed && m.Status == Firing && !fires {
					t.Errorf("page %d has %s, which has ended", one.ID, m.Labels)
				}
			}
		}
	})
}

// checkAlert holds what must be true of a firing alert after everybody has
// waited.
func checkAlert(t *rapid.T, p *Pager, e *engine, a Alert) {
	pages := open(p, a.Labels)
	_, reaches := alerts.PagerPolicy().Urgency(a.Severity())
	switch {
	case !reaches:
		if len(pages) != 0 {
			t.Errorf("%s is in page %d", a.Labels, pages[0].ID)
		}
	case e.silenced(a):
		for _, one := range pages {
			if !one.Silenced {
				t.Errorf("%s is silenced, page %d with it is not", a.Labels, one.ID)
			}
		}
	case len(pages) != 1:
		t.Errorf("%s is in %d pages", a.Labels, len(pages))
	case pages[0].Silenced || pages[0].Severity != a.Severity() || pages[0].Service() != a.Labels[metric.Service] || pages[0].SLO() != a.Labels[metric.SLO]:
		t.Errorf("%s is in %+v", a.Labels, pages[0])
	}
}

// checkPages holds what must always be true of the pages.
func checkPages(t *rapid.T, p *Pager) {
	last := 0
	seen := map[string]int{}
	for _, one := range p.Pages(Filter{}) {
		if one.ID <= last {
			t.Errorf("page %d comes after %d", one.ID, last)
		}
		last = one.ID
		fires := slices.ContainsFunc(one.Alerts, func(m Member) bool { return m.Status == Firing })
		if (one.State == Closed) != (one.Resolution != nil) || one.State == Acknowledged && one.Acknowledgement == nil {
			t.Errorf("page %d is %s with %+v, %+v", one.ID, one.State, one.Acknowledgement, one.Resolution)
		}
		if len(one.Alerts) == 0 || len(one.History) == 0 || one.History[0].Kind != opened {
			t.Errorf("page %d has no alert or no beginning: %+v", one.ID, one)
		}
		if one.State == Closed {
			continue
		}
		if !fires {
			t.Errorf("page %d is open and nothing fires in it", one.ID)
		}
		group := string(one.Severity) + one.Group.String()
		if seen[group] != 0 {
			t.Errorf("pages %d and %d are of the same group and open", seen[group], one.ID)
		}
		seen[group] = one.ID
	}
}

// It does not matter how often somebody asks whether something is due, but for
// the wall time, which is that of the asking.
func TestPatience(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := drawSteps(t)
		end := moment(steps[len(steps)-1].since + 5*time.Hour)
		play := func(eager bool) (all Effects, pages []Page) {
			p, e := newPager(Limits{}), &engine{firing: map[string]Alert{}}
			until := func(at Moment) {
				for due, ok := p.Due(); eager && ok && due.Before(at.Simulated); due, ok = p.Due() {
					all.add(p.Advance(Moment{Simulated: due, Wall: at.Wall}))
				}
			}
			for _, s := range steps {
				at := moment(s.since)
				until(at)
				for _, l := range s.turns {
					all.add(p.Observe(at, e.turn(l, at)))
				}
			}
			until(end)
			all.add(p.Advance(end))
			return all, p.Pages(Filter{})
		}
		eager, pages := play(true)
		patient, same := play(false)
		simulated := cmp.Options{cmpopts.EquateNaNs(), cmpopts.IgnoreFields(Moment{}, "Wall")}
		if diff := cmp.Diff(eager, patient, simulated); diff != "" {
			t.Errorf("who asks seldom sees something else (-often +seldom):\n%s", diff)
		}
		if diff := cmp.Diff(pages, same, simulated); diff != "" {
			t.Errorf("who asks seldom has other pages (-often +seldom):\n%s", diff)
		}
	})
}
