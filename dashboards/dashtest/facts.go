package dashtest

import (
	"slices"

	"github.com/firedrill/firedrill/exporter/metric"
)

// fact says what a series of a panel has to be.
type fact struct {
	board, panel, legend string
	labels               map[string]string // of the series, where the panel has several

	is     func(row) float64 // what firedrill simulate says of a minute
	kind   kind
	weight string  // column by which a mean is weighted
	over   float64 // minutes of a mean; 0 is the window of rates
	lag    float64 // minutes that it may be late: a rule waits, or the minute is not over
	least  float64 // it is compared from this value on: a count of few scatters
	since  float64 // minutes from the start, before which it is not compared
	gaps   bool    // it may be missing while no pod is discovered yet
}

// row is a minute of firedrill simulate, by column.
type row map[string]float64

// kind says how a value follows from the minutes.
type kind int

const (
	now    kind = iota // the minute's
	mean               // over the window before
	growth             // a minute, over the window before
	bucket             // the bucket of a histogram that the minute's is in
)

// column is a value of a minute as it stands.
func column(key string) func(row) float64 { return func(r row) float64 { return r[key] } }

// scaled is a multiple of a value.
func scaled(x float64, f func(row) float64) func(row) float64 {
	return func(r row) float64 { return x * f(r) }
}

// answered is the rate of requests that got what they came for.
func answered(r row) float64 { return r["admitted_rate"] * (1 - r["error_ratio"]) }

// turnedAway is the rate of requests that the load balancer rejects.
func turnedAway(r row) float64 { return r["offered_rate"] - r["admitted_rate"] }

// Errors are compared where thousands of requests a minute show them, and what
// is turned away where it is not nothing.
const (
	visible = 0.005 // a share of the requests
	some    = 10    // requests a second
)

// Minutes that values are late: rules are evaluated twice a minute, and what
// the model says of a minute it says at its beginning.
const (
	rules  = 0.5
	begun  = 1.0
	anHour = 60
)

// facts are what panels have to agree on with firedrill simulate.
func facts() []fact { return slices.Concat(serviceFacts(), sloFacts(), oncallFacts()) }

func sloFacts() []fact {
	const board = "SLO"
	budget, burn, errors := column("budget_remaining_ratio"), column("burn_rate_1h"), column("error_ratio")
	burning := visible / (1 - metric.AvailabilityObjective)
	return []fact{
		{board: board, panel: "Budget left", legend: "left", is: budget},
		{board: board, panel: "Budget left over time", legend: "report", is: budget},
		{board: board, panel: "Budget left over time", legend: "by counters", is: budget, lag: rules + begun},
		{board: board, panel: "Burn rate: availability", legend: "burn rate", is: burn, lag: rules + begun, least: burning, since: anHour},
		{board: board, panel: "1h and 5m: above 14.4 pages", legend: "availability, 1h", is: burn, lag: rules + begun, least: burning, since: anHour},
		{board: board, panel: "1h and 5m: above 14.4 pages", legend: "availability, 5m", is: scaled(1/(1-metric.AvailabilityObjective), errors), kind: mean, weight: "admitted_rate", over: 5, lag: rules, least: burning},
		{board: board, panel: "Spent in 1h", legend: "spent", is: scaled(1.0/30/24, burn), lag: rules + begun, least: burning / 30 / 24, since: anHour},
		{board: board, panel: "Failed requests", legend: "failed", is: errors, kind: mean, weight: "admitted_rate", over: 5, lag: rules, least: visible},
	}
}

func oncallFacts() []fact {
	const board = "On-call"
	return []fact{
		{board: board, panel: "Budget left", legend: "left", is: column("budget_remaining_ratio")},
		{board: board, panel: "Errors", legend: "errors", is: column("error_ratio"), kind: mean, weight: "admitted_rate", over: 5, lag: rules, least: visible},
		{board: board, panel: "Response time quantiles", legend: "p99", is: column("p99_seconds"), kind: bucket},
		{board: board, panel: "Traffic by status code", legend: "{{code}}", labels: map[string]string{metric.Code: "200"}, is: answered, kind: mean},
		{board: board, panel: "Instances that came and went", legend: "{{state}}", labels: map[string]string{metric.State: metric.Serving}, is: column("serving")},
	}
}

func serviceFacts() []fact {
	const board = "Service"
	labeled := func(name, value string) map[string]string { return map[string]string{name: value} }
	errors, cost := column("error_ratio"), column("cost_dollars")
	return []fact{
		{board: board, panel: "Traffic", legend: "requests", is: column("offered_rate"), kind: mean},
		{board: board, panel: "Errors", legend: "errors", is: errors, kind: mean, weight: "admitted_rate", over: 5, lag: rules, least: visible},
		{board: board, panel: "p99", legend: "p99", is: column("p99_seconds"), kind: bucket},
		{board: board, panel: "Instances serving", legend: "serving", is: column("serving")},
		{board: board, panel: "Workers busy", legend: "busy", is: column("utilization_ratio")},
		{board: board, panel: "Cost an hour", legend: "cost", is: scaled(60, cost), kind: growth},
		{board: board, panel: "Traffic by status code", legend: "{{code}}", labels: labeled(metric.Code, "200"), is: answered, kind: mean},
		{board: board, panel: "Traffic by status code", legend: "{{code}}", labels: labeled(metric.Code, metric.ShedCode), is: turnedAway, kind: mean, least: some},
		{board: board, panel: "Traffic by priority", legend: "turned away", is: turnedAway, kind: mean, least: some},
		{board: board, panel: "Traffic by priority", legend: "{{priority}}", labels: labeled(metric.Priority, "high"), is: scaled(0.7, column("offered_rate")), kind: mean, gaps: true},
		{board: board, panel: "Errors by status code", legend: "all, over 5m", is: errors, kind: mean, weight: "admitted_rate", over: 5, lag: rules, least: visible},
		{board: board, panel: "Response time quantiles", legend: "p99", is: column("p99_seconds"), kind: bucket},
		{board: board, panel: "Workers", legend: "busy", is: column("busy_workers")},
		{board: board, panel: "Utilization and waiting", legend: "busy", is: column("utilization_ratio")},
		{board: board, panel: "Utilization and waiting", legend: "requests that wait", is: column("wait_probability")},
		{board: board, panel: "Time of a request", legend: "with a worker", is: column("service_seconds")},
		{board: board, panel: "Queries", legend: "queries", is: column("db_query_rate"), kind: mean},
		{board: board, panel: "Database utilization", legend: "utilization", is: column("db_utilization_ratio")},
		{board: board, panel: "Query time", legend: "mean", is: column("db_query_seconds")},
		{board: board, panel: "Hit ratio", legend: "hits", is: column("hit_ratio"), kind: mean, weight: "admitted_rate"},
		{board: board, panel: "Cache filled", legend: "filled", is: column("warm_ratio")},
		{board: board, panel: "Age of answers", legend: "mean age", is: column("mean_answer_age_seconds")},
		{board: board, panel: "Instances", legend: "{{state}}", labels: labeled(metric.State, metric.Serving), is: column("serving")},
		{board: board, panel: "Instances", legend: "{{state}}", labels: labeled(metric.State, metric.Booting), is: column("booting")},
		{board: board, panel: "Cost an hour", legend: "fleet", is: scaled(60, cost), kind: growth},
	}
}
