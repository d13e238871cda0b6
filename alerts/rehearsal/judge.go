package rehearsal

import (
	"math"
	"slices"
	"time"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// Outcome says how alerts took an incident.
type Outcome string

// The outcomes.
const (
	Detected Outcome = "detected" // a firing began while it went on
	Late     Outcome = "late"     // one began after its end, of a window that still held it
	Missed   Outcome = "missed"
	Ahead    Outcome = "ahead" // it had not begun when the rehearsal ended
)

// Sight is how an incident was seen: by one rule, or by all that page.
type Sight struct {
	Outcome Outcome
	// Of the first firing, in seconds from the incident's start; Never where the
	// incident was missed. An alert that was pending before has Pending 0.
	Pending, Firing simulator.Tick
	// Budget is the share of the error budget that was spent from the incident's
	// start to the end of the minute of that firing; NaN where it was missed or
	// the service reports none.
	Budget float64
	// Reset is how long after the incident's end its last firing ended, at least
	// 0; Never where the incident or the firing goes on, or it was not detected.
	Reset simulator.Tick
	// Flaps is how often an alert with the same labels fired again.
	Flaps int
}

// IncidentVerdict is how the alerts that page took an incident.
type IncidentVerdict struct {
	scenario.IncidentTruth
	Sight
	First []int // the rules that paged first, by their place; more than one in the same evaluation
}

// RuleVerdict is what one alerting rule was worth.
type RuleVerdict struct {
	Rule    int     // its place among the rules of the result
	Pages   bool    // its alerts page
	Sights  []Sight // by incident
	Firings int
	False   int  // of them, outside all incidents of their services and not late
	Silent  bool // it fired at no time, in the history neither
}

// Verdict is what the alerts of a rehearsal were worth.
type Verdict struct {
	Incidents []IncidentVerdict // in the scenario's order
	Rules     []RuleVerdict     // the alerting ones, in order
	Pages     int               // firings that page
	False     int               // of them
	// Exposure is how many seconds passed outside incidents: in them a page is
	// false.
	Exposure simulator.Tick
}

// Judge compares the alerts of a rehearsal with what really happened. Alerts
// whose labels page matches wake people.
//
// An alert without the label service is about whatever goes wrong; one that has
// it is about incidents of that service. A firing belongs to the incident within
// which it began. One that began after an incident's end, but no later than its
// rule looks back, is late and belongs to it as well. Every other one is false.
func (r *Result) Judge(page []*labels.Matcher) *Verdict {
	j := r.judge(page)
	v := &Verdict{Exposure: r.exposure()}
	for i, truth := range j.incidents {
		sight, first := j.sight(i, j.wakes)
		v.Incidents = append(v.Incidents, IncidentVerdict{truth, sight, first})
	}
	for place, rule := range r.Rules {
		if rule.Alerting {
			v.Rules = append(v.Rules, j.rule(place))
		}
	}
	for i, f := range j.firings {
		if j.wakes(f) {
			v.Pages++
			v.False += count(j.belongs[i].outcome == Missed)
		}
	}
	return v
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// Sights returns how each incident was seen by the firings that which picks.
func (r *Result) Sights(which func(Firing) bool) []Sight {
	j := r.judge(nil)
	sights := make([]Sight, len(j.incidents))
	for i := range sights {
		sights[i], _ = j.sight(i, which)
	}
	return sights
}

// judge sorts the firings of a result.
func (r *Result) judge(page []*labels.Matcher) *judge {
	j := &judge{result: r, page: page, firings: r.Firings(), incidents: r.Truth.Incidents}
	j.belongs = make([]belonging, len(j.firings))
	for i, f := range j.firings {
		j.belongs[i] = j.sort(f)
	}
	return j
}

// judge is a judgement in the making.
type judge struct {
	result    *Result
	page      []*labels.Matcher
	incidents []scenario.IncidentTruth
	firings   []Firing
	belongs   []belonging // by firing
}

// belonging says to which incident a firing belongs; its outcome is Missed where
// it belongs to none.
type belonging struct {
	incident int
	outcome  Outcome
}

// sort finds the incident of a firing: the first that goes on, else the last
// that the rule still sees.
func (j *judge) sort(f Firing) belonging {
	late := belonging{outcome: Missed}
	for i, in := range j.incidents {
		switch reach := simulator.Tick(j.result.Rules[f.Rule].LooksBack / time.Second); {
		case f.service() != "" && f.service() != in.Service || f.From < in.Start:
		case in.End == Never || f.From < in.End:
			return belonging{i, Detected}
		case f.From <= in.End+reach:
			late = belonging{i, Late}
		}
	}
	return late
}

// wakes reports whether a firing pages.
func (j *judge) wakes(f Firing) bool { return matches(j.page, f.Labels) }

func matches(all []*labels.Matcher, l labels.Labels) bool {
	return !slices.ContainsFunc(all, func(m *labels.Matcher) bool { return !m.Matches(l.Get(m.Name)) })
}

// rule judges one rule. A rule that never fired pages where the labels that it
// sets say so.
func (j *judge) rule(place int) RuleVerdict {
	own := func(f Firing) bool { return f.Rule == place }
	v := RuleVerdict{Rule: place, Pages: matches(j.page, j.result.Rules[place].Labels), Silent: !j.result.fired(place)}
	for i := range j.incidents {
		sight, _ := j.sight(i, own)
		v.Sights = append(v.Sights, sight)
	}
	for i, f := range j.firings {
		if own(f) {
			v.Firings++
			v.Pages = v.Pages || j.wakes(f)
			v.False += count(j.belongs[i].outcome == Missed)
		}
	}
	return v
}

// sight works out how an incident was seen by the firings that which picks, and
// the rules of those that were first.
func (j *judge) sight(incident int, which func(Firing) bool) (Sight, []int) {
	in := j.incidents[incident]
	s := Sight{Outcome: Missed, Pending: Never, Firing: Never, Budget: math.NaN(), Reset: Never}
	var first []int
	ends := simulator.Tick(0)
	seen := map[string]bool{}
	for i, f := range j.firings {
		b := j.belongs[i]
		if b.outcome == Missed || b.incident != incident || !which(f) {
			continue
		}
		if key := f.Labels.String(); seen[key] {
			s.Flaps++
		} else {
			seen[key] = true
		}
		if s.Firing == Never { // firings come in the order in which they began
			s.Outcome, s.Firing, s.Pending = b.outcome, f.From-in.Start, max(0, f.Pending-in.Start)
			s.Budget = j.result.spent(in.Service, in.Start, f.From)
		}
		if f.From-in.Start == s.Firing && !slices.Contains(first, f.Rule) {
			first = append(first, f.Rule)
		}
		ends = later(ends, f.To)
	}
	if in.Start >= j.result.Reached {
		s.Outcome = Ahead
	}
	if s.Firing != Never && in.End != Never && ends != Never {
		s.Reset = max(0, ends-in.End)
	}
	return s, first
}

// later returns the later of two ends, of which Never is the latest.
func later(a, b simulator.Tick) simulator.Tick {
	if a == Never || b == Never {
		return Never
	}
	return max(a, b)
}

// spent returns the share of a service's error budget that was spent from a tick
// to the end of the minute of another; NaN where it reports none.
func (r *Result) spent(service string, from, to simulator.Tick) float64 {
	at := slices.IndexFunc(r.Rows, func(rows Rows) bool { return rows.Service == service })
	if at < 0 {
		return math.NaN()
	}
	rows := r.Rows[at]
	column := slices.IndexFunc(rows.Columns, func(c simulator.Column) bool { return c.Key == simulator.BudgetColumn })
	if column < 0 || len(rows.Minutes) == 0 {
		return math.NaN()
	}
	budget := func(minute simulator.Tick) float64 {
		return rows.Minutes[min(max(minute, 0), simulator.Tick(len(rows.Minutes)-1))][column]
	}
	return budget(from/simulator.Minute-1) - budget(to/simulator.Minute)
}

// exposure returns how many seconds were outside all incidents.
func (r *Result) exposure() simulator.Tick {
	incidents := slices.Clone(r.Truth.Incidents)
	slices.SortStableFunc(incidents, func(a, b scenario.IncidentTruth) int { return int(a.Start - b.Start) })
	quiet, reached := simulator.Tick(0), simulator.Tick(0)
	for _, in := range incidents {
		quiet += max(0, min(in.Start, r.Reached)-reached)
		if in.End == Never {
			return quiet
		}
		reached = max(reached, in.End)
	}
	return quiet + max(0, r.Reached-reached)
}
