package dashboards_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/firedrill/firedrill/dashboards/dashtest"
	"github.com/firedrill/firedrill/exporter/metric"
)

// TestPanelsAreRight lets a Prometheus watch a scenario on simulated time and on
// a clock that is 60 times slower, and asks every query of every dashboard.
func TestPanelsAreRight(t *testing.T) {
	for _, speed := range []float64{1, 60} {
		t.Run(fmt.Sprintf("speed %g", speed), func(t *testing.T) {
			w := watch(t, speed)
			var queries []dashtest.Query
			panels := 0
			values := map[string]string{}
			for _, b := range w.boards(t) {
				panels += b.Panels
				queries = append(queries, b.Queries...)
				for name, value := range b.Values {
					values[name] = value
				}
			}
			w.checkAlive(t, queries, values)
			r := w.compare(t, queries, values)
			for _, problem := range r.Problems {
				t.Error(problem)
			}
			if 2*r.Close < r.Compared {
				t.Errorf("only %d of %d values leave little room for being wrong", r.Close, r.Compared)
			}
			t.Logf("%d panels, %d queries, %d values compared, %d of them closely", panels, len(queries), r.Compared, r.Close)
			w.checkMutations(t, queries, values)
		})
	}
}

func (w *watched) checkAlive(t *testing.T, queries []dashtest.Query, values map[string]string) {
	t.Helper()
	empty, err := dashtest.Alive(t.Context(), w, queries, values, w.from, w.paused, w.clock(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	reasons := rightlyEmpty(w.speed)
	for _, q := range empty {
		if _, known := reasons[q.String()]; !known {
			t.Errorf("%s gives nothing: %s", q, q.Expr)
		}
		delete(reasons, q.String())
	}
	for name := range reasons {
		t.Errorf("%s has a result, and should not: %s", name, reasons[name])
	}
}

// rightlyEmpty are the queries that have no result, with the reason.
func rightlyEmpty(speed float64) map[string]string {
	const process = "the Prometheus in the process has the series of the simulation, not those of the process"
	all := map[string]string{
		`Simulator / panel "Processor" A`:            process,
		`Simulator / panel "Memory" A`:               process,
		`Simulator / panel "Memory" B`:               process,
		`Simulator / panel "Goroutines and files" A`: process,
		`Simulator / panel "Goroutines and files" B`: process,
		`Simulator / panel "Garbage collection" A`:   process,
		`Simulator / panel "Garbage collection" B`:   process,
	}
	if speed == 1 {
		for _, board := range []string{"On-call", "Service", "SLO", "Simulator"} {
			all[board+` / annotation "Paused"`] = "on simulated time nothing is scraped while it stands still"
		}
	}
	return all
}

func (w *watched) compare(t *testing.T, queries []dashtest.Query, values map[string]string) dashtest.Report {
	t.Helper()
	window, err := time.ParseDuration(values["window"])
	if err != nil {
		t.Fatal(err)
	}
	r, err := dashtest.Compare(t.Context(), w, queries, dashtest.Setting{
		Truth: w.truth, Values: values, Window: time.Duration(float64(window) * w.speed), Scrape: time.Duration(float64(w.options.ScrapeInterval) * w.speed),
		From: w.from, To: w.to.Add(-1), Step: w.clock(150 * time.Second),
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// checkMutations checks that wrong queries are found out. On simulated time
// nothing is wrong without the division.
func (w *watched) checkMutations(t *testing.T, queries []dashtest.Query, values map[string]string) {
	t.Helper()
	mutations := map[string]func(string) string{
		"percent twice": func(expr string) string { return "100 * (" + expr + ")" },
	}
	if w.speed != 1 {
		mutations["no division"] = func(expr string) string {
			return strings.ReplaceAll(expr, "scalar(rate("+metric.SimulatedSeconds.Name+"[$window]))", "1")
		}
	}
	for name, mutate := range mutations {
		wrong := slices.Clone(queries)
		for i := range wrong {
			wrong[i].Expr = mutate(wrong[i].Expr)
		}
		found := 0
		right := w.compare(t, wrong, values).Right
		for i, q := range wrong {
			if r, asked := right[q.String()]; asked && q.Expr != queries[i].Expr {
				found++
				if r {
					t.Errorf("%s: %s is not found wrong: %s", name, q, q.Expr)
				}
			}
		}
		if found == 0 {
			t.Errorf("%s: nothing is changed", name)
		}
		t.Logf("%s: %d queries are found wrong", name, found)
	}
}
