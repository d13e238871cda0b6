package metric_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/simulator/schema"
)

func TestSpan(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"5m": 5 * time.Minute, "3d": 3 * day, "30d": 30 * day, "1d12h": 36 * time.Hour, "1h12m": 72 * time.Minute,
		"42s857ms": 42857 * time.Millisecond, "83ms": 83 * time.Millisecond, "0s": 0,
	} {
		if got := metric.Span(d); got != want {
			t.Errorf("%v is written %q, want %q", d, got, want)
		}
	}
}

// TestSpanReadsBack: what Span writes is what it was given.
func TestSpanReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := rapid.Int64Range(1, 100*day.Milliseconds()).Draw(t, "ms")
		text := metric.Span(time.Duration(ms) * time.Millisecond)
		if s, err := schema.ParseSeconds(text); err != nil || s != float64(ms)/1000 {
			t.Fatalf("%d ms are written %q, which is read as %g s, %v", ms, text, s, err)
		}
	})
}
