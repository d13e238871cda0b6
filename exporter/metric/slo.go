package metric

import (
	"math"
	"time"
)

// Labels that rules add to those of the metrics.
const (
	Severity = "severity"
	Window   = "window" // long window of a burn-rate alert, in simulated time
)

// Values of the label severity, the most urgent first: how an alert reaches
// people.
const (
	Page    = "page"    // somebody has to act now
	Ticket  = "ticket"  // somebody has to act in the next days
	Warning = "warning" // a cause, for whoever is looking
	None    = "none"    // no news is bad news
)

// Runbooks is where the runbooks of the shipped alerts stand, each under the
// name of its alert with .md.
const Runbooks = "https://github.com/firedrill/firedrill/blob/main/docs/runbooks/"

// What the shipped rules measure a web service by, over SLOPeriod.
const (
	AvailabilityObjective = 0.999 // share of requests that are answered without a 5xx
	LatencyObjective      = 0.99  // share of answers within LatencyThreshold
	LatencyThreshold      = 0.5   // seconds; the upper bound of a classic bucket
	SLOPeriod             = 30 * day
)

// errorRatioPrefix begins the names of the recorded shares of bad requests.
const errorRatioPrefix = "slo:sli_error:ratio_rate"

// ErrorRatio returns the name of the recorded share of bad requests over a
// window of simulated time, {service, slo}.
func ErrorRatio(window time.Duration) string { return errorRatioPrefix + Span(window) }

// BurnAlert is a burn-rate alert: a share of the error budget that is spent
// within the long window raises it, and the short window lets it go soon after
// the spending has stopped.
type BurnAlert struct {
	Long, Short time.Duration
	BudgetShare float64 // of the error budget, 0..1
	Severity    string
}

// BurnAlerts returns the four burn-rate alerts, the fastest first. Source: The
// Site Reliability Workbook, chapter 5, "6: Multiwindow, Multi-Burn-Rate
// Alerts": table 5-8 has the two that page and the last one, the rule above
// that table the third (3 times the budget over a day and over two hours). The
// short window is a twelfth of the long one.
func BurnAlerts() []BurnAlert {
	return []BurnAlert{
		{Long: time.Hour, Short: 5 * time.Minute, BudgetShare: 0.02, Severity: Page},
		{Long: 6 * time.Hour, Short: 30 * time.Minute, BudgetShare: 0.05, Severity: Page},
		{Long: day, Short: 2 * time.Hour, BudgetShare: 0.10, Severity: Ticket},
		{Long: 3 * day, Short: 6 * time.Hour, BudgetShare: 0.10, Severity: Ticket},
	}
}

// Factor returns the burn rate above which the alert fires: how many times
// faster than evenly the budget is spent where the long window takes its share.
//
//	factor = budget share · period / long window
//
// where period is that of the SLO, at least as long as the window. Source: The
// Site Reliability Workbook, chapter 5, "4: Alert on Burn Rate" (budget
// consumed = burn rate · window/period). Test: TestWorkbookFactors.
func (b BurnAlert) Factor(period time.Duration) float64 {
	return tidy(b.BudgetShare * float64(period) / float64(b.Long))
}

// tidy removes the noise of a decimal number's last binary digits.
func tidy(x float64) float64 { return math.Round(x*1e9) / 1e9 }
