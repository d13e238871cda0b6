package oracle_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
)

var (
	firstSeed = flag.Uint64("seed", 1, "first seed of the random drills")
	seeds     = flag.Uint64("seeds", 40, "number of random drills")
)

// TestRandom runs random rules over random series.
func TestRandom(t *testing.T) {
	for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			g := &generator{Rand: rand.New(rand.NewPCG(seed, 1))}
			text := g.file()
			d := drill{start: morning, scrape: 15 * time.Second, rules: []string{write(t, text)}, scrapes: g.scrapes(80 + g.IntN(80))}
			compare(t, d, seed)
			if t.Failed() {
				t.Logf("seed %d, rules:\n%s", seed, text)
			}
		})
	}
}

// generator makes random series and rules.
type generator struct {
	*rand.Rand
	names []string // of rules
}

func (g *generator) pick(list ...string) string { return list[g.IntN(len(list))] }

// once is true in one of n cases.
func (g *generator) once(n int) bool { return g.IntN(n) == 0 }

// scrapes returns n scrapes of counters, gauges, buckets and native histograms
// that come, go, pause and start again.
func (g *generator) scrapes(n int) [][]point {
	scrapes := make([][]point, n)
	for _, name := range []string{"a_total", "b_total", "gauge", "native"} {
		for _, job := range []string{"x", "y"} {
			for _, pod := range []string{"1", "2", "3"} {
				g.series(scrapes, labels.FromStrings(model.MetricNameLabel, name, "job", job, "pod", pod), name)
			}
		}
	}
	for _, le := range []string{"0.5", "1.0", "+Inf"} {
		g.series(scrapes, labels.FromStrings(model.MetricNameLabel, "d_bucket", "job", "x", "le", le), "d_bucket")
	}
	return scrapes
}

func (g *generator) series(scrapes [][]point, l labels.Labels, name string) {
	if g.once(6) {
		return
	}
	from := 0
	if g.once(3) {
		from = g.IntN(len(scrapes))
	}
	v, step := 0.0, 0.1+10*g.Float64()
	natives := 0
	for i := from; i < len(scrapes); i++ {
		p := point{labels: l, t: morning.Add(time.Duration(i) * 15 * time.Second).UnixMilli()}
		switch {
		case g.once(30):
			i += g.IntN(30) // a gap without a marker
			continue
		case g.once(40):
			p.v = math.Float64frombits(value.StaleNaN)
			scrapes[i] = append(scrapes[i], p)
			i += g.IntN(15)
			continue
		case g.once(41):
			v, natives = 0, 0
		case name == "gauge":
			v = math.Round(100*g.NormFloat64()) / 8
		case g.once(3):
			v += step * g.Float64()
		}
		p.v = v
		if name == "gauge" && g.once(60) {
			p.v = []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)}[g.IntN(4)]
		}
		if name == "native" {
			natives += 1 + g.IntN(3)
			p.v, p.h = 0, nativeOf(natives)
		}
		scrapes[i] = append(scrapes[i], p)
	}
}

func nativeOf(n int) *histogram.FloatHistogram {
	f := float64(n)
	return &histogram.FloatHistogram{
		Schema: 1, ZeroThreshold: 0.001, ZeroCount: f, Count: 6 * f, Sum: 1.7 * f,
		PositiveSpans: []histogram.Span{{Offset: 0, Length: 2}, {Offset: 1, Length: 1}}, PositiveBuckets: []float64{f, 3 * f, f},
	}
}

// file returns a rule file.
func (g *generator) file() string {
	var b strings.Builder
	b.WriteString("groups:\n")
	for i := range 10 {
		g.names = append(g.names, fmt.Sprintf("rule%d", i))
	}
	next := 0
	for group := 0; next < len(g.names); group++ {
		fmt.Fprintf(&b, "  - name: g%d\n", group)
		if g.once(3) {
			fmt.Fprintf(&b, "    interval: %s\n", g.pick("15s", "20s", "1m", "45s"))
		}
		if g.once(6) {
			fmt.Fprintf(&b, "    query_offset: %s\n", g.pick("10s", "30s", "1m"))
		}
		if g.once(6) {
			fmt.Fprintf(&b, "    limit: %d\n", 1+g.IntN(5))
		}
		b.WriteString("    rules:\n")
		for n := 1 + g.IntN(5); n > 0 && next < len(g.names); n-- {
			fmt.Fprintf(&b, "      - record: %s\n        expr: %q\n", g.names[next], g.vector(3))
			if g.once(4) {
				fmt.Fprintf(&b, "        labels: {%s: %s}\n", g.pick("job", "extra"), g.pick("x", "z"))
			}
			next++
			if g.once(2) {
				g.alert(&b, next)
			}
		}
	}
	return b.String()
}

func (g *generator) alert(b *strings.Builder, n int) {
	fmt.Fprintf(b, "      - alert: Alert%d\n        expr: %q\n", n, g.vector(2)+" "+g.pick(">", "<", "!=")+" "+g.number())
	if g.once(2) {
		fmt.Fprintf(b, "        for: %s\n", g.pick("30s", "1m", "2m"))
	}
	if g.once(3) {
		fmt.Fprintf(b, "        keep_firing_for: %s\n", g.pick("30s", "2m"))
	}
	fmt.Fprintf(b, "        labels: {severity: %s}\n", g.pick("page", "'{{ $labels.job }}'", "'{{ if gt $value 3.0 }}a{{ end }}'"))
	b.WriteString("        annotations: {summary: '{{ $labels }} is {{ $value }}'}\n")
}

func (g *generator) number() string { return g.pick("0", "1", "2.5", "10", "0.1", "-3") }

func (g *generator) length() string {
	return g.pick("16s", "31s", "1m", "2m", "5m", "10m", "20m", "47s")
}

func (g *generator) matchers() string {
	return g.pick("", "", `{job="x"}`, `{pod!="2"}`, `{pod=~"1|3"}`, `{job="y",pod!~"1"}`)
}

func (g *generator) selector() string {
	switch {
	case g.once(4):
		return g.pick(g.names...)
	case g.once(25):
		return g.pick(`{__name__=~"rule[0-4]",job="x"}`, `{__name__=~".+",pod="1"}`, "ALERTS")
	}
	return g.pick("a_total", "b_total", "gauge", "a_total", "b_total", "native", "d_bucket") + g.matchers()
}

func (g *generator) modifier() string {
	if !g.once(5) {
		return ""
	}
	return g.pick(" offset 1m", " offset 20s", " offset 5m", " offset -30s", " @ end()", " @ 1767600900", " @ start()", " @ 1767600300 offset 1m")
}

// overTime returns a function over a range of samples.
func (g *generator) overTime() string {
	ranged := g.selector() + "[" + g.length() + "]" + g.modifier()
	if g.once(3) {
		return g.pick("sum_over_time", "avg_over_time", "max_over_time", "min_over_time", "last_over_time", "changes", "resets", "irate", "idelta",
			"deriv", "stddev_over_time", "present_over_time", "absent_over_time") + "(" + ranged + ")"
	}
	return g.pick("rate", "rate", "rate", "increase", "delta", "count_over_time") + "(" + ranged + ")"
}

// subquery returns a function over a subquery whose order Prometheus does not
// leave to chance.
func (g *generator) subquery() string {
	inner := g.pick(g.selector(), g.overTime(), "sum by (job) ("+g.overTime()+")")
	return g.pick("max_over_time", "avg_over_time", "sum_over_time", "rate", "last_over_time") + "(" + inner + "[" + g.length() + ":" + g.pick("", "30s", "1m") + "]" +
		g.modifier() + ")"
}

// vector returns an expression of at most this depth.
func (g *generator) vector(depth int) string {
	if depth == 0 {
		return g.pick(g.selector()+g.modifier(), g.overTime(), g.overTime(), g.overTime())
	}
	inner := func() string { return g.vector(depth - 1) }
	switch g.IntN(9) {
	case 0, 1, 2:
		return g.aggregation(inner())
	case 3:
		return "(" + inner() + " " + g.pick("+", "-", "*", "/", ">", "<=", "== bool", "^", "%") + " " + g.number() + ")"
	case 4:
		return g.binary(inner(), inner())
	case 5:
		return g.function(inner())
	case 6:
		return g.subquery()
	}
	return g.vector(0)
}

func (g *generator) aggregation(inner string) string {
	by := g.pick("", " by (job)", " by (pod)", " without (pod)", " by (job, pod)", " without (le)", " by (le)")
	op := g.pick("sum", "sum", "sum", "avg", "min", "max", "count", "group", "stddev", "stdvar", "topk", "bottomk", "quantile", "count_values")
	if strings.Contains(inner, "count_values") {
		op = g.pick("min", "max", "count", "group") // the order of its result is random
	}
	switch op {
	case "topk", "bottomk":
		inner = "2, " + inner
	case "quantile":
		inner = "0.3, " + inner
	case "count_values":
		inner = `"v", ` + inner
	}
	return op + by + " (" + inner + ")"
}

func (g *generator) binary(left, right string) string {
	matching := g.pick("", "on (job, pod)", "ignoring (pod)", "on (job)")
	if g.once(2) {
		return "(" + left + " " + g.pick("and", "or", "unless") + " " + matching + " " + right + ")"
	}
	if matching == "on (job)" {
		right = "sum by (job) (" + right + ")"
		matching += " group_left ()"
	}
	return "(" + left + " " + g.pick("+", "-", "*", "/", ">", "!=") + " " + matching + " " + right + ")"
}

func (g *generator) function(inner string) string {
	switch g.IntN(10) {
	case 0:
		return "absent(" + inner + ")"
	case 1:
		return "timestamp(" + inner + ")"
	case 2:
		return "clamp_max(" + inner + ", 5)"
	case 3:
		return `label_replace(` + inner + `, "pod", "p$1", "pod", "(.)")`
	case 4:
		return "-" + inner
	case 5:
		return "vector(scalar(" + inner + "))"
	case 6:
		return "histogram_quantile(0.9, " + inner + ")"
	case 7:
		return "histogram_count(" + inner + ")"
	case 8:
		return "round(" + inner + ", 0.5)"
	}
	return "abs(" + inner + ")"
}
