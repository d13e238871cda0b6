package rollout_test

import (
	"math"
	"testing"

	"github.com/firedrill/firedrill/simulator/rollout"
	"github.com/firedrill/firedrill/simulator/schema"
)

// row returns the last row by key.
func row(e interface {
	AppendRow([]float64) []float64
}) map[string]float64 {
	cells := map[string]float64{}
	values := e.AppendRow(nil)
	for i, c := range rollout.Kind().Columns {
		cells[c.Key] = values[i]
	}
	return cells
}

// TestRow: a row tells of the 60 seconds up to it, and what accumulates adds up.
func TestRow(t *testing.T) {
	e := newEngine(t, 1, schema.Args{"noise": false, "budget_remaining": 0.5})
	model := e.Services()[0].Model
	preset(t, e, rollout.Before)
	do(t, e, "deploy", nil)
	var failed, errors float64
	for minute := range 12 {
		run(e, 1)
		r := row(model)
		if got := r["minute"]; got != float64(minute) {
			t.Fatalf("minute %g, want %d", got, minute)
		}
		failed += r["bad_gateways"]
		if minute > 0 {
			errors += r["error_ratio"] * 60
			if r["request_rate"] != 120 {
				t.Errorf("minute %d: %g requests/s", minute, r["request_rate"])
			}
		}
		if failed != r["bad_gateways_total"] || failed != float64(state(e).Codes[rollout.BadGateway]) {
			t.Errorf("minute %d: %g requests failed, in all %g", minute, failed, r["bad_gateways_total"])
		}
		if (r["error_ratio"] >= 0.001) == model.Healthy() {
			t.Errorf("minute %d: an error ratio of %g is healthy: %t", minute, r["error_ratio"], model.Healthy())
		}
		if want := 0.5 - errors/0.001/(30*24*3600); math.Abs(r["budget_remaining_ratio"]-want) > 1e-9 {
			t.Errorf("minute %d: %g of the budget are left, want %g", minute, r["budget_remaining_ratio"], want)
		}
		run(e, 59)
	}
	if failed == 0 || math.Abs(errors*120-failed) > 0.03*failed {
		t.Errorf("%g requests failed, by the error ratio %g", failed, errors*120)
	}
}
