package promengine_test

import (
	"slices"
	"testing"
	"time"

	"github.com/firedrill/firedrill/alerts/promengine"
)

func TestRetention(t *testing.T) {
	for name, c := range map[string]struct {
		rules string
		want  time.Duration
	}{
		"short":         {"{record: r, expr: 'rate(x[5m])'}", 6 * time.Hour},
		"window":        {"{record: r, expr: 'rate(x[3d])'}", 73 * time.Hour},
		"offset":        {"{record: r, expr: 'x offset 1d'}", 25*time.Hour + 5*time.Minute},
		"subquery":      {"{record: r, expr: 'max_over_time(rate(x[1h])[1d:1h] offset 2h)'}", 28 * time.Hour},
		"chain and for": {"{record: a, expr: 'rate(x[6h])'}, {alert: A, expr: 'avg_over_time(a[1d]) > 1', for: 2h}", 33 * time.Hour},
		"circle":        {"{record: a, expr: 'b offset 10h'}, {record: b, expr: 'a offset 10h'}", 21*time.Hour + 10*time.Minute},
	} {
		_, engine := open(t, promengine.Options{}, "groups: [{name: g, rules: ["+c.rules+"]}]")
		if got := engine.Retention(); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestLooksBack: each rule as far as it does itself, rule by rule.
func TestLooksBack(t *testing.T) {
	_, engine := open(t, promengine.Options{}, "groups: [{name: g, labels: {team: a}, rules: ["+
		"{record: r, expr: 'rate(x[1h])'}, {alert: A, expr: 'r > 1', for: 10m, labels: {severity: page}}, {alert: B, expr: y}]}]")
	want := []time.Duration{time.Hour, time.Hour + 15*time.Minute, 5 * time.Minute}
	if got := engine.LooksBack(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := engine.Rules()[1].Labels.String(); got != `{severity="page", team="a"}` {
		t.Errorf("the alert sets %s", got)
	}
}

func TestFits(t *testing.T) {
	_, engine := open(t, promengine.Options{}, "groups: [{name: g, rules: [{record: short, expr: x}, {record: long, expr: 'rate(x[30d])'}]}]")
	const want = `rules.yml: group "g", rule 2, "long" looks back 720h0m0s: 500 series × 173040 samples × 8 bytes = 692160000 bytes, more than the limit of 300000000`
	if err := engine.Fits(500, 15*time.Second, 300e6); err == nil || err.Error() != want {
		t.Errorf("error %v\nwant  %s", err, want)
	}
	if err := engine.Fits(500, 15*time.Second, 700e6); err != nil {
		t.Error(err)
	}
}
