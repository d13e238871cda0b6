package alerts

import (
	"time"

	"github.com/firedrill/firedrill/exporter/metric"
)

// rule is a recording rule or an alert; its spans are those of the canonical
// rules, in simulated time, unless it says otherwise.
type rule struct {
	comment     string
	record      string // name of the series, or
	alert       string // name of the alert
	expr        string
	hold        span // for
	keepFiring  span
	labels      []pair
	annotations []pair
}

// pair is a label or an annotation.
type pair struct{ name, value string }

// group is a rule group.
type group struct {
	name  string
	rules []rule
}

// span is a time that a rule waits.
type span struct {
	canonical time.Duration // in simulated time, or
	wall      time.Duration // on the clock of Prometheus, whatever the speed
}

// Placeholders of a template for the value of the alert's query.
const (
	value        = "{{ $value | humanize }}"
	valuePercent = "{{ $value | humanizePercentage }}"
)

// labelOf is a placeholder of a template for a label.
func labelOf(name string) string { return "{{ $labels." + name + " }}" }

// annotate makes the annotations of an alert.
func (m maker) annotate(alert, runbook, summary, description string) []pair {
	if runbook == "" {
		runbook = m.runbook(alert)
	}
	return []pair{{summaryAnnotation, summary}, {descriptionAnnotation, description}, {runbookAnnotation, runbook}}
}

// runbook returns the address of an alert's runbook.
func (m maker) runbook(alert string) string { return m.Runbooks + alert + ".md" }

// label returns the label that carries the severity.
func (s Severity) label() pair { return pair{metric.Severity, string(s)} }
