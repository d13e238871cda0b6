package alerts

import (
	"math"
	"slices"
	"time"

	"github.com/firedrill/firedrill/exporter/metric"
)

const day = 24 * time.Hour

// Pair is a burn-rate alert.
type Pair metric.BurnAlert

// Pairs returns the four burn-rate alerts, the fastest first.
func Pairs() []Pair {
	all := metric.BurnAlerts()
	pairs := make([]Pair, len(all))
	for i, b := range all {
		pairs[i] = Pair(b)
	}
	return pairs
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

// Factor returns the burn rate above which the alert fires.
func (p Pair) Factor(period time.Duration) float64 { return metric.BurnAlert(p).Factor(period) }

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
