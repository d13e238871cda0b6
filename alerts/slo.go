package alerts

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/firedrill/firedrill/exporter/metric"
)

// DefaultPeriod is the period of an SLO that names none.
const DefaultPeriod = metric.SLOPeriod

// SLO is what users of a service are promised, and how that is measured.
type SLO struct {
	Name      string        // value of the label slo
	Service   string        // value of the label service; "" where the series carry it, for every service that they name
	Objective float64       // share of good requests that is promised, between 0 and 1
	Period    time.Duration // over which it is promised
	Indicator Indicator     // how good requests are told from bad ones

	// MinRequests is how many requests a long window must hold before its
	// error ratio means anything; 0 where there is always traffic.
	MinRequests float64
	// DropRatio raises TrafficDropped where the traffic falls below this share
	// of its mean over six hours; 0 where it may.
	DropRatio float64
	// Traffic is what TrafficDropped counts; empty: the requests of the
	// indicator.
	Traffic Selector
	// Simulated says that the series are firedrill's, which stand still while
	// simulated time does.
	Simulated bool

	Alert   string // name of the burn-rate alerts; DefaultAlert where it is ""
	Runbook string // URL of their runbook; "" where it follows from the name of the alert
}

// DefaultAlert is the name of the burn-rate alerts of an SLO that names none.
const DefaultAlert = "ErrorBudgetBurn"

// FieldError says what is wrong with a field of an SLO.
type FieldError struct {
	Field   string // as an SLO file names it
	Value   string // as it was given; "" where it is missing
	Message string
	Allowed string // what would be right, "" where Message says it
}

// Error words the error on one line.
func (e FieldError) Error() string {
	var b strings.Builder
	b.WriteString(e.Field + ": ")
	if e.Value != "" {
		fmt.Fprintf(&b, "%q ", e.Value)
	}
	b.WriteString(e.Message)
	if e.Allowed != "" {
		b.WriteString("; allowed: " + e.Allowed)
	}
	return b.String()
}

var (
	namePattern  = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9._-]{0,62}$`)
	alertPattern = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]{0,62}$`)
)

const (
	allowedName  = "letters, digits, dots, dashes and underscores, a letter first, at most 63"
	allowedAlert = "letters, digits and underscores, a letter first, at most 63"
)

// Validate returns everything that is wrong with the SLO.
func (s SLO) Validate() []FieldError {
	var all []FieldError
	if !namePattern.MatchString(s.Name) {
		all = append(all, FieldError{"name", s.Name, "is no name", allowedName})
	}
	if s.Service != "" && !namePattern.MatchString(s.Service) {
		all = append(all, FieldError{"service", s.Service, "is no name", allowedName})
	}
	if s.Alert != "" && !alertPattern.MatchString(s.Alert) {
		all = append(all, FieldError{"alert", s.Alert, "is no name of an alert", allowedAlert})
	}
	if s.MinRequests < 0 {
		all = append(all, FieldError{"min_requests", number(s.MinRequests), "is too small", "0 or more"})
	}
	if s.DropRatio < 0 || s.DropRatio >= 1 {
		all = append(all, FieldError{"traffic_drop_ratio", number(s.DropRatio), "is out of range", "from 0 to below 1"})
	}
	if s.Indicator != nil {
		all = append(all, s.Indicator.validate()...)
	}
	return append(all, s.validatePromise()...)
}

// validatePromise checks that each burn-rate alert can fire, by the numbers.
func (s SLO) validatePromise() []FieldError {
	if s.Objective <= 0 || s.Objective >= 1 {
		return []FieldError{{"objective", number(s.Objective), "is out of range", "between 0 and 1, for example 0.999 for 99.9 %"}}
	}
	pairs := Pairs()
	if longest := pairs[len(pairs)-1].Long; s.Period <= longest {
		return []FieldError{{"period", metric.Span(s.Period), "is too short", "longer than the longest window, " + metric.Span(longest)}}
	}
	for _, p := range pairs {
		factor := p.Factor(s.Period)
		if threshold := tidy(factor * (1 - s.Objective)); threshold >= 1 {
			return []FieldError{{"objective", number(s.Objective), fmt.Sprintf(
				"is too low for the alert over %s: %s * (1 - %s) = %s, and no error ratio is above 1", metric.Span(p.Long), number(factor), number(s.Objective), number(threshold)),
				"above " + number(tidy(1-1/factor))}}
		}
	}
	return nil
}

// alert returns the name of the burn-rate alerts.
func (s SLO) alert() string {
	if s.Alert == "" {
		return DefaultAlert
	}
	return s.Alert
}

// grouping returns the labels that tell the services of the SLO apart.
func (s SLO) grouping() grouping {
	if s.Service == "" {
		return grouping{metric.Service}
	}
	return nil
}

// number writes a number as PromQL does, without needless digits.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// percent writes a ratio as a percentage, with four digits as people read them.
func percent(ratio float64) string { return strconv.FormatFloat(ratio*100, 'g', 4, 64) + "%" }
