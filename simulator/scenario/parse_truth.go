package scenario

import (
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/simulator/schema"
)

func (p *parser) incidents(o object) {
	ids := map[string]string{}
	for i, item := range p.list("incidents", o.get("incidents")) {
		p.out.Incidents = append(p.out.Incidents, p.incident(index("incidents", i), item, ids))
	}
}

func (p *parser) incident(path string, n *yaml.Node, ids map[string]string) Incident {
	o, ok := p.object(path, n, "key of an incident", incidentKeys)
	if !ok {
		return Incident{}
	}
	p.require(o, "id", "title", "kind", "starts")
	in := Incident{
		ID: p.uniqueID(o, ids), Title: p.text(o, "title", false), Service: p.serviceOf(o),
		Kind: IncidentKind(p.choice(o, "kind", kindSpec)), Ends: p.ending(o), Summary: p.text(o, "summary", true),
	}
	if starts := o.get("starts"); starts != nil {
		in.Starts = p.time(o.field("starts"), starts, "event")
	}
	return in
}

// uniqueID reads an id that no other of its list has.
func (p *parser) uniqueID(o object, taken map[string]string) string {
	id := p.name(o, "id")
	if _, ok := taken[id]; ok && id != "" {
		p.report(o.field("id"), nil, schema.Problem{Value: id, Message: "is given twice"})
	}
	taken[id] = o.path
	return id
}

// choice reads one of the options of an Enum, "" where there is none.
func (p *parser) choice(o object, key string, spec schema.Spec) string {
	n := o.get(key)
	if n == nil {
		return ""
	}
	v, _ := p.scalar(o.field(key), n, spec)
	return v.Text()
}

// ending reads when an incident is over.
func (p *parser) ending(o object) Ending {
	n := o.get("ends")
	if n == nil {
		return Ending{Recovered: true}
	}
	path := o.field("ends")
	if resolve(n).Kind == yaml.ScalarNode {
		p.scalar(path, n, schema.Spec{Kind: schema.Enum, Options: []string{"recovered"}})
		return Ending{Recovered: true}
	}
	ref := "event"
	if slices.ContainsFunc(resolve(n).Content, func(k *yaml.Node) bool { return k.Value == "operator" }) {
		ref = "operator"
	}
	return Ending{At: p.time(path, n, ref)}
}

func (p *parser) goals(o object) {
	ids := map[string]string{}
	for i, item := range p.list("goals", o.get("goals")) {
		p.out.Goals = append(p.out.Goals, p.goal(index("goals", i), item, ids))
	}
}

func (p *parser) goal(path string, n *yaml.Node, ids map[string]string) Goal {
	o, ok := p.object(path, n, "key of a goal", goalKeys)
	if !ok {
		return Goal{}
	}
	p.require(o, "id", "title", "measure", "of")
	goal := Goal{
		ID: p.uniqueID(o, ids), Title: p.text(o, "title", false), Service: p.serviceOf(o),
		Of: Statistic(p.choice(o, "of", statSpec)), From: Time{Offset: seconds(0)}, By: Time{Offset: seconds(p.out.Duration)},
	}
	p.measure(o, &goal)
	p.limit(o, &goal)
	if from := o.get("from"); from != nil {
		goal.From = p.time(o.field("from"), from, "after")
	}
	if by := o.get("by"); by != nil {
		goal.By = p.time(o.field("by"), by, "after")
	}
	return goal
}

// measure reads which column a goal looks at.
func (p *parser) measure(o object, goal *Goal) {
	n := o.get("measure")
	service, ok := p.out.Service(goal.Service)
	if n == nil || !ok || service.Kind == nil {
		return
	}
	v, ok := p.scalar(o.field("measure"), n, schema.Spec{Kind: schema.Text})
	if !ok {
		return
	}
	goal.Measure, goal.column = v.Text(), findColumn(service.Kind, v.Text())
	if goal.column < 0 {
		var keys []string
		for _, c := range service.Kind.Columns {
			keys = append(keys, c.Key)
		}
		p.report(o.field("measure"), nil, schema.Unknown("", "measure of a "+service.Kind.Name+" service", v.Text(), keys))
	}
}

// limit reads the one bound of a goal.
func (p *parser) limit(o object, goal *Goal) {
	least, most := o.get("at_least"), o.get("at_most")
	if (least == nil) == (most == nil) {
		p.report(o.path, o.node, schema.Problem{Message: "needs one limit", Allowed: "at_least or at_most"})
		return
	}
	goal.AtLeast = least != nil
	if goal.AtLeast {
		goal.Limit = p.number(o, "at_least", limitSpec, 0)
	} else {
		goal.Limit = p.number(o, "at_most", limitSpec, 0)
	}
}
