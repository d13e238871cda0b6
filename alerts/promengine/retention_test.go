package promengine_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"

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

// TestMemory: rules that look back farther than there is memory for are refused,
// all at once, and none of their group is loaded.
func TestMemory(t *testing.T) {
	const text = `groups:
  - name: g
    rules:
      - {record: short, expr: x}
      - record: long
        expr: rate(x[30d])
      - alert: Longer
        expr: >-
          short offset 40d > 1
`
	options := promengine.Options{Memory: promengine.Memory{Limit: 300e6, Series: 500, Scrape: 15 * time.Second}}
	for limit, want := range map[int64]string{
		300e6: `rules.yml: 6:15: group "g", rule 2, "long": looks back 720h0m0s, with 1h0m0s to spare: 500 series × 173040 samples in 721h0m0s × 4 bytes = 346080000 bytes, more than the limit of 300000000
rules.yml: 8:15: group "g", rule 3, "Longer": looks back 960h10m0s, with 1h0m0s to spare: 500 series × 230680 samples in 961h10m0s × 4 bytes = 461360000 bytes, more than the limit of 300000000`,
		2e6:   `memory for less than 6h0m0s of samples: 500 series × 1440 samples in 6h0m0s × 4 bytes = 2880000 bytes, more than the limit of 2000000`,
		500e6: "",
	} {
		options.Memory.Limit = limit
		engine, err := promengine.New(new(promengine.Store), options)
		if err != nil {
			t.Fatal(err)
		}
		got, rules := "", 3
		if err := engine.LoadText(promengine.Source{Name: "rules.yml", Text: []byte(text)}); err != nil {
			got, rules = err.Error(), 0
		}
		compare(t, "error", got, want)
		if n := len(engine.Rules()); n != rules {
			t.Errorf("%d rules are loaded, want %d", n, rules)
		}
	}
}

// TestHistogramsGoFirst: beyond the limit the oldest native histograms go, but
// none that a rule looks back to, and no number.
func TestHistogramsGoFirst(t *testing.T) {
	const ticks = 20 * blockLen
	end := start.Add((ticks - 1) * 15 * time.Second)
	count := func(rules string, limit int64) (numbers, natives int) {
		store, engine := open(t, promengine.Options{Memory: promengine.Memory{Limit: limit}}, "groups: [{name: g, rules: ["+rules+"]}]")
		for i := range ticks {
			if err := store.Append(labels.FromStrings("__name__", "counter"), at(15*i), float64(i)/3); err != nil {
				t.Fatal(err)
			}
			if err := store.AppendHistogram(labels.FromStrings("__name__", "latency"), at(15*i), latencies(i)); err != nil {
				t.Fatal(err)
			}
		}
		engine.Trim(end)
		for line := range strings.Lines(dump(t, store)) {
			if n := strings.Count(line, ":"); strings.Contains(line, "counter") {
				numbers = n
			} else {
				natives = n / 3 // a time, a count, a sum
			}
		}
		return numbers, natives
	}
	const unread = "{record: r, expr: 'rate(counter[11h])'}"
	for _, c := range []struct {
		rules             string
		limit             int64
		numbers, histogms int
	}{
		{unread, 0, ticks, ticks},
		{unread, 1e9, ticks, ticks},
		{unread, 92e3, ticks, 8 * blockLen},
		{unread, 1, ticks, blockLen},
		{unread + ", {record: s, expr: 'rate(latency[6h])'}", 1, ticks, 12 * blockLen},
		{unread + ", {record: s, expr: 'rate({__name__=~\"lat.*\"}[6h])'}", 1, ticks, 12 * blockLen},
	} {
		if numbers, natives := count(c.rules, c.limit); numbers != c.numbers || natives != c.histogms {
			t.Errorf("%s, limit %d: %d numbers and %d histograms are left, want %d and %d", c.rules, c.limit, numbers, natives, c.numbers, c.histogms)
		}
	}
}

// blockLen is how many samples are forgotten at once.
const blockLen = 128

// latencies returns a histogram of i observations whose buckets become more.
func latencies(i int) *histogram.FloatHistogram {
	h := &histogram.FloatHistogram{Count: float64(i), Sum: float64(i) / 7, PositiveSpans: []histogram.Span{{Length: uint32(1 + i/300)}}}
	h.PositiveBuckets = make([]float64, 1+i/300)
	h.PositiveBuckets[i/300] = float64(i)
	return h
}
