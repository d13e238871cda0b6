package pager

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/exporter/metric"
)

// Status says whether an alert fires.
type Status string

// The statuses, as Alertmanager names them.
const (
	Firing   Status = "firing"
	Resolved Status = "resolved"
)

// Labels of an alert, or its annotations. The pager keeps what it is given and
// hands it out again: whoever has it must not change it.
type Labels map[string]string

// Names of labels and annotations with a meaning.
const (
	alertName          = "alertname"
	summaryAnnotation  = "summary"
	runbookAnnotation  = "runbook_url"
	anonymousAlertName = "an alert without a name"
)

// Alert is what a source of alerts says of one of them.
type Alert struct {
	Labels       Labels // with alertname; they say which alert it is
	Annotations  Labels
	Status       Status
	Starts       Moment  // since when it fires
	Ends         Moment  // since when it does not any more; none while it fires
	Value        float64 // of its expression; NaN where it is not known
	GeneratorURL string  // where its expression can be looked at; "" where there is no such place
}

// Name returns the name of the alert.
func (a Alert) Name() string {
	if name := a.Labels[alertName]; name != "" {
		return name
	}
	return anonymousAlertName
}

// Severity returns the severity that the alert says it has.
func (a Alert) Severity() alerts.Severity { return alerts.Severity(a.Labels[metric.Severity]) }

// Summary returns what is wrong, in a sentence.
func (a Alert) Summary() string {
	if summary := a.Annotations[summaryAnnotation]; summary != "" {
		return summary
	}
	return a.Name()
}

// Runbook returns the address of the alert's runbook, "" where it has none.
func (a Alert) Runbook() string { return a.Annotations[runbookAnnotation] }

// Fingerprint returns the short name of the alert that Alertmanager gives it:
// the hash of its labels.
func (a Alert) Fingerprint() string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(a.Labels.key())) // a hash refuses nothing
	return fmt.Sprintf("%016x", h.Sum64())
}

// key returns a text that is the same for the same labels only. It is what
// Prometheus hashes for a fingerprint: no label contains the separator, which is
// no UTF-8.
func (l Labels) key() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(l)) {
		b.WriteString(name + "\xff" + l[name] + "\xff")
	}
	return b.String()
}

// String writes the labels as Prometheus does.
func (l Labels) String() string {
	parts := make([]string, 0, len(l))
	for _, name := range slices.Sorted(maps.Keys(l)) {
		parts = append(parts, fmt.Sprintf("%s=%q", name, l[name]))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// only returns those of the labels that are there and have one of the names.
func (l Labels) only(names []string) Labels {
	out := Labels{}
	for _, name := range names {
		if value, ok := l[name]; ok {
			out[name] = value
		}
	}
	return out
}

// common returns the labels that all have in common.
func common(all []Alert, of func(Alert) Labels) Labels {
	if len(all) == 0 {
		return Labels{}
	}
	out := maps.Clone(of(all[0]))
	if out == nil {
		out = Labels{}
	}
	for _, a := range all[1:] {
		maps.DeleteFunc(out, func(name, value string) bool {
			other, ok := of(a)[name]
			return !ok || other != value
		})
	}
	return out
}
