package alerts

import (
	"fmt"
	"strings"
	"time"

	"github.com/firedrill/firedrill/exporter/metric"
)

// maker makes rules for a Prometheus.
type maker struct{ Options }

// window writes a window on the clock of Prometheus.
func (m maker) window(d time.Duration) string { return metric.Span(m.clock(d)) }

// Names of the alerts that every SLO has.
const (
	sliMissing     = "SLIMissing"
	trafficDropped = "TrafficDropped"
)

// Windows of the alerts that are not on the burn rate.
const (
	known    = day // a service is known for so long after it was last seen
	recent   = 5 * time.Minute
	baseline = 6 * time.Hour // of the traffic
	settle   = 2 * time.Minute
)

// sloGroup makes the rules of an SLO. They stand in one group, so that the
// alerts see what was recorded in the same evaluation.
func (m maker) sloGroup(s SLO) group {
	g := group{name: strings.Trim("slo-"+s.Service, "-") + "-" + s.Name}
	for _, w := range windows() {
		g.rules = append(g.rules, m.errorRatio(s, w))
	}
	if s.MinRequests > 0 {
		for _, p := range Pairs() {
			g.rules = append(g.rules, m.requests(s, p.Long))
		}
	}
	for _, p := range Pairs() {
		g.rules = append(g.rules, m.burnRate(s, p))
	}
	g.rules = append(g.rules, m.missing(s))
	if s.DropRatio > 0 {
		g.rules = append(g.rules, m.dropped(s))
	}
	return g
}

// identity are the labels of an SLO that its series do not carry themselves.
func identity(s SLO) []pair {
	if s.Service == "" {
		return []pair{{metric.SLO, s.Name}}
	}
	return []pair{{metric.Service, s.Service}, {metric.SLO, s.Name}}
}

// recorded selects a recorded series of an SLO.
func recorded(s SLO, name string) Selector {
	out := Selector{Metric: name}
	for _, label := range identity(s) {
		out.Matchers = append(out.Matchers, Equal(label.name, label.value))
	}
	return out
}

// errorRatio records the share of bad requests over a window.
func (m maker) errorRatio(s SLO, window time.Duration) rule {
	return rule{
		comment: m.realRange(window),
		record:  metric.ErrorRatio(window),
		expr:    s.Indicator.errorRatio(s.grouping(), m.window(window)),
		labels:  identity(s),
	}
}

// requests records how many requests a window holds.
func (m maker) requests(s SLO, window time.Duration) rule {
	return rule{
		comment: m.realRange(window),
		record:  requestsName(window),
		expr:    s.Indicator.requests(increase, s.grouping(), m.window(window)),
		labels:  identity(s),
	}
}

// realRange says how long a window of simulated time is on this clock.
func (m maker) realRange(window time.Duration) string {
	if m.Speed == 1 {
		return ""
	}
	return metric.Span(window) + " at speed " + number(m.Speed) + " is " + m.window(window)
}

// burnRate makes the alert of a pair of windows.
func (m maker) burnRate(s SLO, p Pair) rule {
	threshold := number(p.Factor(s.Period)) + " * (1 - " + number(s.Objective) + ")"
	join := "\nand on (" + metric.Service + ", " + metric.SLO + ")\n"
	expr := recorded(s, metric.ErrorRatio(p.Long)).String() + " > " + threshold +
		join + recorded(s, metric.ErrorRatio(p.Short)).String() + " > " + threshold
	if s.MinRequests > 0 {
		expr += join + recorded(s, requestsName(p.Long)).String() + " >= " + number(s.MinRequests)
	}
	return rule{
		comment:     burnRateComment(s, p),
		alert:       s.alert(),
		expr:        expr,
		labels:      append(identity(s), Severity(p.Severity).label(), pair{metric.Window, metric.Span(p.Long)}),
		annotations: m.burnRateText(s, p),
	}
}

// burnRateComment shows where the factor comes from.
func burnRateComment(s SLO, p Pair) string {
	comment := percent(p.BudgetShare) + " of the budget of " + metric.Span(s.Period) + " in " + metric.Span(p.Long) + ": a burn rate of " +
		number(p.BudgetShare) + " * " + metric.Span(s.Period) + " / " + metric.Span(p.Long) + " = " + number(p.Factor(s.Period)) + "."
	if t, ok := p.Detection(s, 1, 0); ok {
		comment += "\nWhere every request is bad it fires after " + metric.Span(t.Round(time.Second)) + "."
	}
	return comment
}

func (m maker) burnRateText(s SLO, p Pair) []pair {
	service, factor := labelOf(metric.Service), p.Factor(s.Period)
	faster, lasts := fmt.Sprintf("more than %.4g times as fast as", factor), Exhaustion(s.Period, factor).Round(time.Minute)
	if factor == 1 {
		faster = "faster than"
	}
	return m.annotate(s.alert(), s.Runbook,
		service+" spends its error budget of "+s.Name+" "+faster+" it may",
		valuePercent+" of the requests to "+service+" "+s.Indicator.failure()+" over the last "+metric.Span(p.Long)+", and too many over the last "+metric.Span(p.Short)+
			" as well; "+percent(1-s.Objective)+" may. From "+percent(factor*(1-s.Objective))+" on, the whole budget of "+metric.Span(s.Period)+" lasts less than "+metric.Span(lasts)+".")
}

// missing makes the alert for an SLO that cannot be measured: of a service that
// was there within the last day.
func (m maker) missing(s SLO) rule {
	by := s.grouping()
	return rule{
		comment: "A service is known for " + metric.Span(known) + " after it was last seen.",
		alert:   sliMissing,
		expr: s.Indicator.requests(rate, by, m.window(known)) +
			"\nunless\n" + s.Indicator.witness(by, m.window(recent)),
		hold:   span{canonical: settle},
		labels: append(identity(s), Page.label()),
		annotations: m.annotate(sliMissing, "",
			"Nobody knows how "+labelOf(metric.Service)+" is doing on "+s.Name,
			"Requests to "+labelOf(metric.Service)+" were counted within the last "+metric.Span(known)+", but not over the last "+metric.Span(recent)+
				". No alert on "+s.Name+" can fire until they are."),
	}
}

// dropped makes the alert for traffic that stays away: requests that never
// arrive cannot fail. It waits for as long as its window is: after a gap in the
// scrapes the window holds too little until it is full again.
func (m maker) dropped(s SLO) rule {
	by := s.grouping()
	requests := func(window time.Duration) string {
		if s.Traffic.Empty() {
			return s.Indicator.requests(rate, by, m.window(window))
		}
		return by.sum(rate, s.Traffic, m.window(window))
	}
	r := rule{
		alert:  trafficDropped,
		expr:   divide(requests(recent), requests(baseline)) + "\n< " + number(s.DropRatio),
		hold:   span{canonical: recent},
		labels: []pair{Page.label()},
		annotations: m.annotate(trafficDropped, "",
			"The traffic of "+labelOf(metric.Service)+" has dropped",
			labelOf(metric.Service)+" gets "+valuePercent+" of the requests that it got on average over the last "+metric.Span(baseline)+
				". Those that never arrive count nowhere as errors."),
	}
	if s.Service != "" {
		r.labels = append([]pair{{metric.Service, s.Service}}, r.labels...)
	}
	if s.Simulated {
		r.comment = "While the simulation is paused, its counters stand still."
		r.expr += "\nunless on ()\nmax_over_time(" + metric.Paused.Name + "[" + m.window(recent) + "]) > 0"
	}
	return r
}
