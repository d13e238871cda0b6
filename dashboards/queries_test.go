package dashboards_test

import (
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/dashboards"
	"github.com/firedrill/firedrill/dashboards/dashtest"
	"github.com/firedrill/firedrill/exporter/metric"
)

// asked is a query of the dashboards for a speed, as Prometheus reads it.
type asked struct {
	dashtest.Query
	parser.Expr
}

// parse reads all queries of the dashboards.
func parse(t *testing.T, o dashboards.Options) []asked {
	t.Helper()
	files, err := dashboards.All(o)
	if err != nil {
		t.Fatal(err)
	}
	var all []asked
	for _, f := range files {
		b, err := dashtest.Read(f.Data)
		if err != nil {
			t.Fatal(err)
		}
		b.Values["service"] = "shop"
		for _, q := range b.Queries {
			text, err := q.Interpolate(b.Values)
			if err != nil {
				t.Fatal(err)
			}
			expr, err := parser.NewParser(parser.Options{}).ParseExpr(text)
			if err != nil {
				t.Fatalf("%s: %s: %v", q, text, err)
			}
			all = append(all, asked{q, expr})
		}
	}
	return all
}

// selectors calls f for each selector of an expression.
func selectors(expr parser.Expr, f func(name string, matchers []*labels.Matcher)) {
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if s, ok := node.(*parser.VectorSelector); ok {
			f(s.Name, s.LabelMatchers)
		}
		return nil
	})
}

// known returns the labels of every series that dashboards may ask for: what
// firedrill exports, what rules record, what Prometheus and the library of our
// own process add.
func known() map[string][]string {
	all := map[string][]string{}
	for _, d := range metric.All() {
		all[d.Name] = d.Labels
		if d.Type == metric.Histogram {
			all[d.Bucket()], all[d.Count()], all[d.Sum()] = append(slices.Clone(d.Labels), metric.LE), d.Labels, d.Labels
		}
	}
	for _, b := range metric.BurnAlerts() {
		all[metric.ErrorRatio(b.Long)], all[metric.ErrorRatio(b.Short)] = []string{metric.Service, metric.SLO}, []string{metric.Service, metric.SLO}
	}
	all[metric.Alerts] = []string{metric.AlertName, metric.AlertState, metric.Severity, metric.Service, metric.SLO, metric.Window}
	all[metric.AlertsForState] = []string{metric.AlertName, metric.Severity, metric.Service}
	for _, name := range []string{metric.Up, metric.ScrapeDuration, metric.ScrapeSamples} {
		all[name] = []string{metric.Job, metric.Instance, metric.Service}
	}
	for _, name := range []string{metric.Goroutines, metric.HeapInUse, metric.ProcessCPU, metric.ResidentMemory, metric.OpenFiles} {
		all[name] = []string{metric.Job}
	}
	all[metric.GCPause] = []string{metric.Job, metric.Quantile}
	return all
}

// TestNamesExist: every metric that a query names is there, and every label that
// it selects by belongs to it.
func TestNamesExist(t *testing.T) {
	names := known()
	for _, q := range parse(t, dashboards.DefaultOptions(60)) {
		selectors(q.Expr, func(name string, matchers []*labels.Matcher) {
			if _, ok := names[name]; !ok {
				t.Errorf("%s asks for %s, which there is not", q.Query, name)
			}
			for _, m := range matchers {
				if m.Name != model.MetricNameLabel && !slices.Contains(names[name], m.Name) {
					t.Errorf("%s asks for %s by %s, which it does not have", q.Query, name, m)
				}
			}
		})
	}
}

// TestEveryMetricIsRead: a rule or a dashboard reads every metric that firedrill
// exports, but for those that are said to be extra.
func TestEveryMetricIsRead(t *testing.T) {
	read := map[string]bool{}
	note := func(name string, _ []*labels.Matcher) { read[name] = true }
	for _, q := range parse(t, dashboards.DefaultOptions(1)) {
		selectors(q.Expr, note)
	}
	files, err := alerts.Rules(alerts.DefaultOptions(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		groups, errs := rulefmt.Parse(f.Data, false, model.UTF8Validation, parser.NewParser(parser.Options{}), slog.New(slog.DiscardHandler))
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		for _, g := range groups.Groups {
			for _, r := range g.Rules {
				expr, err := parser.NewParser(parser.Options{}).ParseExpr(r.Expr)
				if err != nil {
					t.Fatal(err)
				}
				selectors(expr, note)
			}
		}
	}
	for _, d := range metric.All() {
		if is := read[d.Name] || read[d.Bucket()] && d.Type == metric.Histogram; is == d.Extra {
			t.Errorf("%s: a rule or a dashboard reads it: %t; it is extra: %t", d.Name, is, d.Extra)
		}
	}
}

// TestRates: the window of every rate holds four scrapes and is at most five
// simulated minutes, whichever a person chooses.
func TestRates(t *testing.T) {
	for _, o := range []dashboards.Options{
		dashboards.DefaultOptions(1), dashboards.DefaultOptions(10), dashboards.DefaultOptions(60), dashboards.DefaultOptions(75),
		{Speed: 3600, ScrapeInterval: 20 * time.Millisecond}, {Speed: 7.5, ScrapeInterval: 5 * time.Second},
	} {
		rates := 0
		for _, q := range parse(t, o) {
			parser.Inspect(q.Expr, func(node parser.Node, path []parser.Node) error {
				call, ok := node.(*parser.Call)
				if !ok || !slices.Contains([]string{"rate", "irate", "deriv"}, call.Func.Name) {
					return nil
				}
				rates++
				window := call.Args[0].(*parser.MatrixSelector).Range
				if simulated := float64(window) * o.Speed; simulated > float64(5*time.Minute)*1.001 || window < 4*o.ScrapeInterval {
					t.Errorf("speed %g, scrape interval %v: %s has a rate over %v", o.Speed, o.ScrapeInterval, q.Query, window)
				}
				return nil
			})
		}
		if rates < 20 {
			t.Errorf("speed %g: %d rates are found", o.Speed, rates)
		}
	}
}

// TestWindows: these are the windows to choose from.
func TestWindows(t *testing.T) {
	for speed, want := range map[float64]string{
		1:  "2m of 1m : 1m, 2m : 2m, 3m : 3m, 4m : 4m, 5m : 5m",
		60: "5s of 4m (4s) : 4s, 5m (5s) : 5s",
		75: "4s of 5m (4s) : 4s",
	} {
		files, err := dashboards.All(dashboards.DefaultOptions(speed))
		if err != nil {
			t.Fatal(err)
		}
		b, err := dashtest.Read(files[0].Data)
		if err != nil {
			t.Fatal(err)
		}
		_, values, _ := strings.Cut(string(files[0].Data), `"query": "`+strings.Split(want, " of ")[1][:2])
		values, _, _ = strings.Cut(values, `"`)
		if got := b.Values["window"] + " of " + strings.Split(want, " of ")[1][:2] + values; got != want {
			t.Errorf("speed %g: %s, want %s", speed, got, want)
		}
	}
}

func TestOptions(t *testing.T) {
	for want, o := range map[string]dashboards.Options{
		"speed 0.5 is out of range; allowed: 1 to 3600":               {Speed: 0.5, ScrapeInterval: time.Second},
		"scrape interval 1.5ms is not a whole number of milliseconds": {Speed: 1, ScrapeInterval: 1500 * time.Microsecond},
		"at speed 300 the longest window of a rate, 5m, lasts 1s and holds 1 of the scrapes every 1s; it needs 4: use a scrape interval of at most 250ms": {Speed: 300, ScrapeInterval: time.Second},
	} {
		if _, err := dashboards.All(o); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", o, err, want)
		}
	}
}
