package alerts

// Severity says how an alert reaches people.
type Severity string

// The severities, the most urgent first. A page inhibits the others of its
// service.
const (
	Page    Severity = "page"    // somebody has to act now
	Ticket  Severity = "ticket"  // somebody has to act in the next days
	Warning Severity = "warning" // a cause, for whoever is looking
	None    Severity = "none"    // no news is bad news
)

// Labels that rules add to those of the metrics.
const (
	SeverityLabel = "severity"
	WindowLabel   = "window" // long window of a burn-rate alert, in simulated time
)

// Latency is the name of the SLO on response times of the web service. That on
// errors has its name from package metric, since the service reports on it.
const Latency = "latency"

// Annotations of an alert.
const (
	summaryAnnotation     = "summary"
	descriptionAnnotation = "description"
	runbookAnnotation     = "runbook_url"
)

// ErrorRatioPrefix begins the names of the recorded shares of bad requests;
// what follows is the window: slo:sli_error:ratio_rate5m{service, slo}.
const ErrorRatioPrefix = "slo:sli_error:ratio_rate"

// requestsPrefix begins the names of the recorded numbers of requests, which
// only SLOs with a minimum of requests have.
const requestsPrefix = "slo:sli_requests:increase"

// up is the series that Prometheus itself writes for each target: 1 where the
// last scrape succeeded, else 0.
const up = "up"
