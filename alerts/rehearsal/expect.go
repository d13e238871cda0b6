package rehearsal

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

// Expectation is what an alert is to do in a scenario. Bounds that are nil are
// not asked for.
type Expectation struct {
	Alert    string            // its name
	Matchers []*labels.Matcher // of its labels
	Scenario string
	Incident string // id; "" is every incident of the service
	Service  string // that the alert is about; "" is any

	Never    bool           // it fires at no time; else all that is bounded holds
	Fires    *time.Duration // at most so long after the incident's start
	Budget   *float64       // of the month's error budget is spent by then at most, 0..1
	Resolves *time.Duration // at most so long after the incident's end
	Seeds    float64        // share of the seeds in which it has to hold, 0..1

	File string
	Line int
}

// Name names the alert with its matchers.
func (e Expectation) Name() string {
	own := make([]string, len(e.Matchers))
	for i, m := range e.Matchers {
		own[i] = m.String()
	}
	if len(own) == 0 {
		return e.Alert
	}
	return e.Alert + "{" + strings.Join(own, ", ") + "}"
}

// Fulfilment is how an expectation was met over seeds.
type Fulfilment struct {
	Expectation
	Met, Seeds int
	Why        string // it was not met, in the first seed in which it was not
}

// OK reports whether it was met in enough seeds.
func (f Fulfilment) OK() bool {
	return f.Seeds > 0 && float64(f.Met) >= f.Expectation.Seeds*float64(f.Seeds)
}

// Check compares an expectation with the rehearsals of its scenario.
func (e Expectation) Check(results []*Result) Fulfilment {
	f := Fulfilment{Expectation: e, Seeds: len(results)}
	for _, r := range results {
		switch why := e.unmet(r); {
		case why == "":
			f.Met++
		case f.Why == "":
			f.Why = fmt.Sprintf("seed %d: %s", r.Seed, why)
		}
	}
	return f
}

// picks reports whether a firing is of the alert that is meant.
func (e Expectation) picks(r *Result, f Firing) bool {
	return r.Rules[f.Rule].Name == e.Alert && matches(e.Matchers, f.Labels) && (e.Service == "" || f.service() == e.Service)
}

// unmet says why the expectation is not met in a rehearsal, "" where it is.
func (e Expectation) unmet(r *Result) string {
	own := func(f Firing) bool { return e.picks(r, f) }
	if e.Never {
		for _, f := range r.Firings() {
			if own(f) {
				return "it fires at " + span(f.From)
			}
		}
		return ""
	}
	meant := 0
	for i, s := range r.Sights(own) {
		in := r.Truth.Incidents[i]
		if e.Incident != "" && in.ID != e.Incident || e.Service != "" && in.Service != e.Service || s.Outcome == Ahead {
			continue
		}
		meant++
		if why := e.falls(s); why != "" {
			return why + ", incident " + in.ID
		}
	}
	if meant == 0 {
		return "there is no such incident"
	}
	return ""
}

// falls says which bound a sight exceeds, "" where it keeps all.
func (e Expectation) falls(s Sight) string {
	switch {
	case s.Firing == Never:
		return "it does not fire"
	case e.Fires != nil && s.Firing > simulator.Tick(*e.Fires/time.Second):
		return fmt.Sprintf("it fires after %s, not within %s", span(s.Firing), metric.Span(*e.Fires))
	case e.Budget != nil && math.IsNaN(s.Budget):
		return "its service reports no error budget"
	case e.Budget != nil && s.Budget > *e.Budget:
		return fmt.Sprintf("%.2g of the error budget is spent when it fires, more than %g", s.Budget, *e.Budget)
	case e.Resolves != nil && s.Reset == Never:
		return "it does not end, or the incident does not"
	case e.Resolves != nil && s.Reset > simulator.Tick(*e.Resolves/time.Second):
		return fmt.Sprintf("it ends %s after the incident, not within %s", span(s.Reset), metric.Span(*e.Resolves))
	}
	return ""
}

func span(t simulator.Tick) string { return schema.FormatSeconds(float64(t)) }
