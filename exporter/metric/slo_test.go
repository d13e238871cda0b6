package metric_test

import (
	"testing"
	"time"

	"github.com/firedrill/firedrill/exporter/metric"
)

const day = 24 * time.Hour

// TestWorkbookFactors: burn rates of The Site Reliability Workbook, chapter 5:
// table 5-8 (14.4, 6, 1), the rule above it (3), and the text of section 4: 5 %
// of 30 days in an hour are 36.
func TestWorkbookFactors(t *testing.T) {
	var got []float64
	for _, p := range metric.BurnAlerts() {
		got = append(got, p.Factor(metric.SLOPeriod))
	}
	for i, want := range []float64{14.4, 6, 3, 1} {
		if got[i] != want {
			t.Errorf("factor %d is %g, want %g", i, got[i], want)
		}
	}
	if got := (metric.BurnAlert{Long: time.Hour, BudgetShare: 0.05}).Factor(30 * day); got != 36 {
		t.Errorf("5 %% of 30 days in an hour are a burn rate of %g, want 36", got)
	}
	if got := metric.BurnAlerts()[0].Factor(28 * day); got != 13.44 {
		t.Errorf("2 %% of 28 days in an hour are a burn rate of %g, want 13.44", got)
	}
}

// TestWorkbookWindows: "make the short window 1/12 the duration of the long
// window", section 6.
func TestWorkbookWindows(t *testing.T) {
	for _, p := range metric.BurnAlerts() {
		if 12*p.Short != p.Long {
			t.Errorf("%v is not a twelfth of %v", p.Short, p.Long)
		}
	}
}
