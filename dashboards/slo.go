package dashboards

import (
	"slices"
	"time"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/units"

	"github.com/firedrill/firedrill/exporter/metric"
)

// slo makes the dashboard of a service's promises: what is left of the error
// budget, how fast it goes, and what the alerts on it do.
func (m maker) slo() *builder {
	b := m.board(uidPrefix+metric.SLO, "SLO",
		"How much of the month's error budget a service has left, how fast it spends it, and which alerts that raises. Times to come are in the service's life.").
		WithVariable(m.chooseService()).
		WithVariable(m.chooseWindow()).
		Annotations(m.annotations()).
		WithPanel(m.budgetNow()).
		WithPanel(m.spentLately()).
		WithPanel(m.burnNow(metric.Availability, metric.AvailabilityObjective)).
		WithPanel(m.burnNow(metric.Latency, metric.LatencyObjective)).
		WithPanel(m.exhaustionNow()).
		WithPanel(m.objective()).
		WithRow(dashboard.NewRowBuilder("Error budget")).
		WithPanel(m.budget()).
		WithPanel(m.exhaustion()).
		WithRow(dashboard.NewRowBuilder("Burn rates, each with the limit above which its alert fires"))
	for _, alert := range metric.BurnAlerts() {
		b = b.WithPanel(m.burn(alert))
	}
	return b.
		WithRow(dashboard.NewRowBuilder("What is measured")).
		WithPanel(m.badRequests()).
		WithPanel(m.slowRequests()).
		WithRow(dashboard.NewRowBuilder("Alerts")).
		WithPanel(m.sloAlerts())
}

// budgetLeft is what the firm reports.
func budgetLeft() string {
	return of(metric.SLOErrorBudgetRemainingRatio.Name, equal(metric.SLO, metric.Availability))
}

// budgetLimits colour what is left of a budget.
func budgetLimits() []step {
	return []step{{color: bad}, {0, warning}, {0.1, notice}, {0.25, good}}
}

// burnRate is how many times faster than evenly an SLO's budget is spent.
func burnRate(slo string, objective float64, window time.Duration) string {
	return errorRatio(slo, window) + " / (1 - " + number(objective) + ")"
}

// budgetSpent is the share of the month's budget of availability that is spent
// in a span, by the request: the burn rate times the span's share of the month.
// Where Prometheus knows less than the span, it is what it knows.
func (m maker) budgetSpent(span time.Duration) string {
	return burnRate(metric.Availability, metric.AvailabilityObjective, span) +
		"\n* scalar(increase(" + metric.SimulatedSeconds.Name + "[" + m.span(span) + "])) / " + number(metric.SLOPeriod.Seconds())
}

func (m maker) budgetNow() cog.Builder[dashboard.Panel] {
	return m.figure("Budget left", "Share of the month's error budget of availability that is left, as the firm's monthly report counts it, by the minute. Red: overspent. Worry when it falls while you watch.", units.PercentUnit).
		Decimals(2).
		Thresholds(limits(budgetLimits()...)).
		WithTarget(m.query("left", budgetLeft()))
}

func (m maker) spentLately() cog.Builder[dashboard.Panel] {
	fastest := metric.BurnAlerts()[0]
	return m.figure("Spent in 1h", "Share of the month's error budget of availability that the last hour took, by the counters. Evenly spent it is 0.14 %. Red: enough to page.", units.PercentUnit).
		Decimals(2).
		Thresholds(limits(below(tidy(fastest.Long.Seconds()/metric.SLOPeriod.Seconds()), step{fastest.BudgetShare, bad})...)).
		WithTarget(m.query("spent", m.budgetSpent(fastest.Long)))
}

func (m maker) burnNow(slo string, objective float64) cog.Builder[dashboard.Panel] {
	fastest := metric.BurnAlerts()[0]
	title := "Burn rate: " + slo
	return m.figure(title, "How many times faster than evenly the budget of "+slo+" was spent over the last hour. Above 1 it does not last the month. Red: the fastest alert pages.", "suffix:×").
		Decimals(1).
		Thresholds(limits(below(1, step{fastest.Factor(metric.SLOPeriod), bad})...)).
		WithTarget(m.query("burn rate", burnRate(slo, objective, fastest.Long)))
}

// lasts is how long what is left of the budget lasts at the last hour's burn
// rate, in seconds of the service's life; nothing where there are no errors.
func lasts() string {
	return "clamp_min(" + budgetLeft() + ", 0) * " + number(metric.SLOPeriod.Seconds()) +
		"\n/ on (" + metric.Service + ", " + metric.SLO + ")\n(" + burnRate(metric.Availability, metric.AvailabilityObjective, metric.BurnAlerts()[0].Long) + " > 0)"
}

func (m maker) exhaustionNow() cog.Builder[dashboard.Panel] {
	return m.figure("Budget lasts", "How long what is left of the budget lasts if the service goes on as in the last hour, in its own time. Worry about hours; months are as it should be.", units.Seconds).
		Decimals(1).
		NoValue("for ever").
		Thresholds(limits(step{color: bad}, step{(24 * time.Hour).Seconds(), warning}, step{metric.SLOPeriod.Seconds() / 4, good})).
		WithTarget(m.query("lasts", lasts()))
}

func (m maker) objective() cog.Builder[dashboard.Panel] {
	return m.fact("Objective", "Share of good requests that the service promises over 30 days, as it exports it. The rules and the lines on these dashboards are made for 99.9 %.", units.PercentUnit).
		Decimals(2).
		WithTarget(m.present("objective", of(metric.SLOObjectiveRatio.Name, equal(metric.SLO, metric.Availability))))
}

// counted is how far back the budget is counted from the counters.
const counted = 6 * time.Hour

// budget sets the firm's report beside what the counters say: from the highest
// the report was in the span on, less what was spent in it. A new run within the
// span makes that meaningless.
func (m maker) budget() cog.Builder[dashboard.Panel] {
	span := "[" + m.span(counted) + "]"
	counters := "max_over_time(" + budgetLeft() + span + ")\n- on (" + metric.Service + ", " + metric.SLO + ")\n" + m.budgetSpent(counted) +
		"\nunless on ()\nresets(" + metric.SimulatedSeconds.Name + span + ") > 0"
	p := m.lines("Budget left over time", "Share of the month's error budget that is left: as the firm reports it, by the minute, and as the counters of the last 6h have it, by the request. Both are right; a minute with much traffic weighs more in the second. Worry when they part: one of the two is not measured.", units.PercentUnit).
		WithTarget(m.query("report", budgetLeft())).
		WithTarget(m.query("by counters", counters))
	return threshold(p, step{color: bad}, step{0, good})
}

func (m maker) exhaustion() cog.Builder[dashboard.Panel] {
	return m.lines("Time to exhaustion", "How long what is left of the budget lasts at the burn rate of the last hour, in the service's own time. The scale is logarithmic. Worry when it falls below a day.", units.Seconds).
		ScaleDistribution(common.NewScaleDistributionConfigBuilder().Type(common.ScaleDistributionLog).Log(10)).
		NoValue("No errors in the last hour").
		WithTarget(m.query("lasts", lasts()))
}

// burn shows both windows of an alert for both SLOs.
func (m maker) burn(alert metric.BurnAlert) cog.Builder[dashboard.Panel] {
	factor := alert.Factor(metric.SLOPeriod)
	what := map[string]string{metric.Page: "pages", metric.Ticket: "opens a ticket"}[alert.Severity]
	long, short := metric.Span(alert.Long), metric.Span(alert.Short)
	p := m.lines(long+" and "+short+": above "+number(factor)+" "+what,
		"How many times faster than evenly the budgets are spent over "+long+" and over "+short+". The alert "+what+" where both windows of a promise are above the line, which is where "+
			number(tidy(100*alert.BudgetShare))+" % of the month's budget go in "+long+". The short one lets it go soon after the end.", "suffix:×")
	for _, slo := range []struct {
		name      string
		objective float64
	}{{metric.Availability, metric.AvailabilityObjective}, {metric.Latency, metric.LatencyObjective}} {
		for _, window := range []time.Duration{alert.Long, alert.Short} {
			p = p.WithTarget(m.query(slo.name+", "+metric.Span(window), burnRate(slo.name, slo.objective, window)))
		}
	}
	return threshold(p, step{color: good}, step{factor, bad}).AxisSoftMax(factor * 1.2)
}

func (m maker) badRequests() cog.Builder[dashboard.Panel] {
	return threshold(m.lines("Failed requests", "Share of the requests that were answered with a 5xx over 5 minutes, at the load balancer, those turned away on purpose left out. The line is what the promise allows over the month.", units.PercentUnit),
		below(allowed())...).
		WithTarget(m.query("failed", errorRatio(metric.Availability, shortest())))
}

func (m maker) slowRequests() cog.Builder[dashboard.Panel] {
	limit := metric.Span(time.Duration(metric.LatencyThreshold * float64(time.Second)))
	return threshold(m.lines("Slow requests", "Share of the answers that took longer than "+limit+" over 5 minutes. The line is what the promise allows over the month.", units.PercentUnit),
		below(tidy(1-metric.LatencyObjective))...).
		WithTarget(m.query("slower than "+limit, errorRatio(metric.Latency, shortest())))
}

func (m maker) sloAlerts() cog.Builder[dashboard.Panel] {
	return m.alerts("Alerts on the promises", "When each alert on a promise was pending or firing, by the window that it looks at. A page that comes late or stays long after the fault is a fault of the alert.",
		alerts(equal(metric.Service, "$"+serviceVariable), unequal(metric.SLO, "")))
}

// alerts is 1 while an alert is pending and 2 while it fires, by what tells
// alerts of a service apart.
func alerts(matchers ...string) string {
	state := func(name string) string {
		return selector(metric.Alerts, append(slices.Clone(matchers), equal(metric.AlertState, name))...)
	}
	return most("2 * "+state(metric.Firing)+" or "+state(metric.Pending), metric.AlertName, metric.SLO, metric.Window)
}

// alerts makes a timeline of alerts.
func (m maker) alerts(title, description, expr string) cog.Builder[dashboard.Panel] {
	return m.states(title, description, say(word{"1", "pending", notice}, word{"2", "firing", bad})).
		NoValue("No alert is pending or firing").
		WithTarget(m.query(braces(metric.AlertName)+" "+braces(metric.SLO)+" "+braces(metric.Window), expr))
}
