package alerts

import (
	"time"

	"github.com/firedrill/firedrill/exporter/metric"
)

// Severity says how an alert reaches people.
type Severity string

// The severities, the most urgent first. A page inhibits the others of its
// service.
const (
	Page    Severity = metric.Page
	Ticket  Severity = metric.Ticket
	Warning Severity = metric.Warning
	None    Severity = metric.None
)

// Annotations of an alert.
const (
	summaryAnnotation     = "summary"
	descriptionAnnotation = "description"
	runbookAnnotation     = "runbook_url"
)

// requestsName returns the name of the recorded number of requests over a
// window, which only SLOs with a minimum of requests have.
func requestsName(window time.Duration) string {
	return "slo:sli_requests:increase" + metric.Span(window)
}
