package dashtest

import "github.com/firedrill/firedrill/exporter/metric"

// fact says what a series of a panel has to be.
type fact struct {
	board, panel, legend string
	labels               map[string]string // of the series, where the panel has several

	is     func(row) float64 // what firedrill simulate says of a minute
	kind   kind
	weight string  // column by which a mean is weighted
	over   float64 // minutes of a mean; 0 is the window of rates
	least  float64 // it is compared from this value on: a count of few scatters
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

// facts are what panels have to agree on with firedrill simulate.
func facts() []fact { return serviceFacts() }

func serviceFacts() []fact {
	const board = "Service"
	labeled := func(name, value string) map[string]string { return map[string]string{name: value} }
	errors, cost := column("error_ratio"), column("cost_dollars")
	return []fact{
		{board: board, panel: "Traffic", legend: "requests", is: column("offered_rate"), kind: mean},
		{board: board, panel: "Errors", legend: "errors", is: errors, kind: mean, weight: "admitted_rate", over: 5, least: visible},
		{board: board, panel: "p99", legend: "p99", is: column("p99_seconds"), kind: bucket},
		{board: board, panel: "Instances serving", legend: "serving", is: column("serving")},
		{board: board, panel: "Workers busy", legend: "busy", is: column("utilization_ratio")},
		{board: board, panel: "Cost an hour", legend: "cost", is: scaled(60, cost), kind: growth},
		{board: board, panel: "Traffic by status code", legend: "{{code}}", labels: labeled(metric.Code, "200"), is: answered, kind: mean},
		{board: board, panel: "Traffic by status code", legend: "{{code}}", labels: labeled(metric.Code, metric.ShedCode), is: turnedAway, kind: mean, least: some},
		{board: board, panel: "Traffic by priority", legend: "turned away", is: turnedAway, kind: mean, least: some},
		{board: board, panel: "Traffic by priority", legend: "{{priority}}", labels: labeled(metric.Priority, "high"), is: scaled(0.7, column("offered_rate")), kind: mean},
		{board: board, panel: "Errors by status code", legend: "all, over 5m", is: errors, kind: mean, weight: "admitted_rate", over: 5, least: visible},
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
