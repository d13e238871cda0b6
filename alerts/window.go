package alerts

import (
	"math"
	"slices"
	"time"
)

// Pair is a burn-rate alert: a share of the error budget that is spent within
// the long window raises it, and the short window lets it go soon after the
// spending has stopped.
type Pair struct {
	Long, Short time.Duration
	BudgetShare float64 // of the error budget, 0..1
	Severity    Severity
}

// Pairs returns the four burn-rate alerts, the fastest first. Source: The Site
// Reliability Workbook, chapter 5, "6: Multiwindow, Multi-Burn-Rate Alerts":
// table 5-8 has the two that page and the last one, the rule above that table
// the third (3 times the budget over a day and over two hours). The short
// window is a twelfth of the long one.
func Pairs() []Pair {
	return []Pair{
		{Long: time.Hour, Short: 5 * time.Minute, BudgetShare: 0.02, Severity: Page},
		{Long: 6 * time.Hour, Short: 30 * time.Minute, BudgetShare: 0.05, Severity: Page},
		{Long: day, Short: 2 * time.Hour, BudgetShare: 0.10, Severity: Ticket},
		{Long: 3 * day, Short: 6 * time.Hour, BudgetShare: 0.10, Severity: Ticket},
	}
}

// windows lists the windows of the pairs, each once, the shortest first.
func windows() []time.Duration {
	var all []time.Duration
	for _, p := range Pairs() {
		all = append(all, p.Long, p.Short)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Factor returns the burn rate above which the alert fires: how many times
// faster than evenly the budget is spent where the long window takes its share.
//
//	factor = budget share · period / long window
//
// where period is that of the SLO, at least as long as the window. Source: The
// Site Reliability Workbook, chapter 5, "4: Alert on Burn Rate" (budget
// consumed = burn rate · window/period). Test: TestWorkbookFactors.
func (p Pair) Factor(period time.Duration) float64 {
	return tidy(p.BudgetShare * float64(period) / float64(p.Long))
}

// Detection returns how long after its beginning a fault is noticed, and
// whether it is at all.
//
//	T = W·(f·(1 − SLO) − b)/(e − b), the larger over both windows W
//
// where f is the factor, SLO the objective, e the error ratio during the fault
// and b the one before it; for e > f·(1 − SLO) ≥ b and constant traffic. The
// long window's T is the larger one, being W times the same fraction. Source:
// The Site Reliability Workbook, chapter 5, "4: Alert on Burn Rate" (for b = 0:
// (1 − SLO)/error ratio · window · burn rate). Test: TestDetection.
func (p Pair) Detection(s SLO, during, before float64) (time.Duration, bool) {
	threshold := p.Factor(s.Period) * (1 - s.Objective)
	if during <= threshold {
		return 0, false
	}
	share := max(0, (threshold-before)/(during-before))
	return time.Duration(math.Round(share * float64(p.Long))), true
}

// Exhaustion returns how long a whole error budget lasts at a burn rate.
//
//	T = period / burn rate
//
// Source: The Site Reliability Workbook, chapter 5, table 5-4. Test:
// TestWorkbookExhaustion.
func Exhaustion(period time.Duration, burnRate float64) time.Duration {
	return time.Duration(math.Round(float64(period) / burnRate))
}

// tidy removes the noise of a decimal number's last binary digits.
func tidy(x float64) float64 { return math.Round(x*1e9) / 1e9 }
