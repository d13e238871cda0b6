package dashboards

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/firedrill/firedrill/exporter/metric"
)

// Names of the variables.
const (
	datasourceVariable = "datasource"
	serviceVariable    = "service"
	windowVariable     = "window"
)

// of selects the series of a metric that belong to the chosen service.
func of(name string, matchers ...string) string {
	return selector(name, append([]string{equal(metric.Service, "$"+serviceVariable)}, matchers...)...)
}

// selector selects the series of a name that match.
func selector(name string, matchers ...string) string {
	return name + "{" + strings.Join(matchers, ",") + "}"
}

func equal(label, value string) string     { return label + "=" + strconv.Quote(value) }
func unequal(label, value string) string   { return label + "!=" + strconv.Quote(value) }
func matches(label, pattern string) string { return label + "=~" + strconv.Quote(pattern) }

// rate is how fast counters grow, per second of Prometheus' clock, over the
// chosen window.
func rate(selector string) string { return "rate(" + selector + "[$" + windowVariable + "])" }

// sum adds series up, keeping the labels.
func sum(expr string, by ...string) string { return aggregate("sum", expr, by...) }

// most keeps the greatest of series for each value of the labels.
func most(expr string, by ...string) string { return aggregate("max", expr, by...) }

func aggregate(function, expr string, by ...string) string {
	if len(by) == 0 {
		return function + "(" + expr + ")"
	}
	return function + " by (" + strings.Join(by, ", ") + ") (" + expr + ")"
}

// perSimulatedSecond makes a rate per second of Prometheus' clock one per
// second of the service's life: it divides by the simulated seconds that pass
// in one, which is 1 on simulated time.
func perSimulatedSecond(expr string) string {
	return expr + "\n/ scalar(" + rate(metric.SimulatedSeconds.Name) + ")"
}

// ratio divides two queries.
func ratio(a, b string) string { return a + "\n/\n" + b }

// quantile is estimated from the buckets of a classic histogram.
func quantile(q float64, d *metric.Desc, by ...string) string {
	return "histogram_quantile(" + number(q) + ",\n" + sum(rate(of(d.Bucket())), append([]string{metric.LE}, by...)...) + ")"
}

// named gives the one series of a query a label.
func named(expr, label, value string) string {
	return "label_replace(" + expr + ", " + strconv.Quote(label) + ", " + strconv.Quote(value) + `, "", "")`
}

// errorRatio is the recorded share of bad requests of an SLO.
func errorRatio(slo string, window time.Duration) string {
	return of(metric.ErrorRatio(window), equal(metric.SLO, slo))
}

// number writes a number as PromQL does, without needless digits.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// ago is the modifier for a span of simulated time before.
func (m maker) ago(d time.Duration) string { return " offset " + m.span(d) }

// span writes a span of simulated time on the clock of Prometheus.
func (m maker) span(d time.Duration) string { return metric.Span(m.clock(d)) }

// shortest is the shortest window over which rules record.
func shortest() time.Duration { return metric.BurnAlerts()[0].Short }

// pageRatio is the error ratio of availability from which on its fastest alert
// pages.
func pageRatio() float64 {
	return tidy(metric.BurnAlerts()[0].Factor(metric.SLOPeriod) * (1 - metric.AvailabilityObjective))
}

// tidy removes the noise of a decimal number's last binary digits.
func tidy(x float64) float64 { return math.Round(x*1e9) / 1e9 }

// allowed is the share of bad requests that the objective of availability
// leaves room for.
func allowed() float64 { return tidy(1 - metric.AvailabilityObjective) }
