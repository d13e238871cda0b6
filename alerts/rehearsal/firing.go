package rehearsal

import (
	"slices"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// Never is the tick of what has not happened.
const Never = scenario.Never

// Firing is a span of time in which an alert fired.
type Firing struct {
	Rule    int // place among the rules of the result
	Labels  labels.Labels
	Pending simulator.Tick // since when its condition holds
	From    simulator.Tick // when it began to fire
	To      simulator.Tick // when it ended; Never where it goes on
}

// service is the service that an alert is about, "" where it does not say.
func (f Firing) service() string { return f.Labels.Get(metric.Service) }

// ruleKey tells rules apart.
type ruleKey struct {
	file, group string
	index       int
}

// fired reports whether a rule fired at any time, in the history too.
func (r *Result) fired(place int) bool {
	rule := r.Rules[place]
	return slices.ContainsFunc(r.Transitions, func(c promengine.Transition) bool {
		return c.Alert.State == promengine.Firing && c.Alert.Name == rule.Name && c.Alert.File == rule.File && c.Alert.Group == rule.Group && c.Alert.Index == rule.Index
	})
}

// Firings returns the spans in which alerts fired, in the order in which they
// began. What began in the history is left out: nobody is woken for it.
func (r *Result) Firings() []Firing {
	places := map[ruleKey]int{}
	for i, rule := range r.Rules {
		places[ruleKey{rule.File, rule.Group, rule.Index}] = i
	}
	type alertKey struct {
		rule   int
		labels string
	}
	open := map[alertKey]int{} // the place of its last firing
	var all []Firing
	for _, c := range r.Transitions {
		key := alertKey{places[ruleKey{c.Alert.File, c.Alert.Group, c.Alert.Index}], c.Alert.Labels.String()}
		at := r.TickOf(c.Time)
		if c.Alert.State == promengine.Firing && at >= 0 {
			open[key] = len(all)
			all = append(all, Firing{Rule: key.rule, Labels: c.Alert.Labels, Pending: r.TickOf(c.Alert.ActiveAt), From: at, To: Never})
		} else if last, fires := open[key]; fires && c.From == promengine.Firing {
			all[last].To = at
			delete(open, key)
		}
	}
	return all
}
