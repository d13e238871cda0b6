package scenario

import (
	"maps"
	"slices"

	"github.com/firedrill/firedrill/simulator/document"
	"github.com/firedrill/firedrill/simulator/schema"
)

// references reports the events that are named and do not exist, and those
// that wait for each other.
func (p *parser) references() {
	s := &p.out
	for i, e := range s.Events {
		p.reference(document.Index("events", i)+".at.after", e.At.After, "events")
	}
	for i, e := range s.Operator {
		p.reference(document.Index("operator", i)+".at.after", e.At.After, "events", "operator")
	}
	for i, incident := range s.Incidents {
		path := document.Index("incidents", i)
		p.reference(path+".starts.event", incident.Starts.After, "events")
		if _, ok := p.Lines()[path+".ends.operator"]; ok {
			p.reference(path+".ends.operator", incident.Ends.At.After, "operator")
		} else {
			p.reference(path+".ends.event", incident.Ends.At.After, "events")
		}
	}
	for i, goal := range s.Goals {
		p.reference(document.Index("goals", i)+".from.after", goal.From.After, "events")
		p.reference(document.Index("goals", i)+".by.after", goal.By.After, "events")
	}
	p.circles("events", s.Events)
	p.circles("operator", s.Operator)
}

// reference reports id where none of the lists has it.
func (p *parser) reference(path, id string, lists ...string) {
	if id == "" || slices.Contains(lists, p.ids[id]) {
		return
	}
	var valid []string
	for _, name := range known(p.ids) {
		if slices.Contains(lists, p.ids[name]) {
			valid = append(valid, name)
		}
	}
	problem := schema.Unknown("", "id of an event", id, valid)
	if lists[0] == "operator" {
		problem = schema.Unknown("", "id of a step of the operator", id, valid)
	}
	if len(valid) == 0 {
		problem.Allowed = "none, since none has an id"
	}
	p.Report(path, nil, problem)
}

// circles reports every event that comes, in the end, after itself.
func (p *parser) circles(list string, events []Event) {
	after := map[string]string{}
	for _, e := range events {
		if e.ID != "" {
			after[e.ID] = e.At.After
		}
	}
	for i, e := range events {
		id := e.At.After
		for steps := 0; id != "" && id != e.ID && steps <= len(events); steps++ {
			id = after[id]
		}
		if e.ID != "" && id == e.ID {
			p.Report(document.Index(list, i)+".at.after", nil, schema.Problem{Value: e.At.After, Message: "comes itself after " + e.ID, Allowed: "an event that does not wait for this one"})
		}
	}
}

// known lists the names of a set for a refusal.
func known[V any](set map[string]V) []string { return slices.Sorted(maps.Keys(set)) }
