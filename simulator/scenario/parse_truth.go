package scenario

import (
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/simulator/document"
	"github.com/firedrill/firedrill/simulator/schema"
)

func (p *parser) incidents(o document.Object) {
	ids := map[string]string{}
	for i, item := range p.List("incidents", o.Get("incidents")) {
		p.out.Incidents = append(p.out.Incidents, p.incident(document.Index("incidents", i), item, ids))
	}
}

func (p *parser) incident(path string, n *yaml.Node, ids map[string]string) Incident {
	o, ok := p.Object(path, n, "key of an incident", incidentKeys)
	if !ok {
		return Incident{}
	}
	p.Require(o, "id", "title", "kind", "starts")
	in := Incident{
		ID: p.uniqueID(o, ids), Title: p.Text(o, "title", false), Service: p.serviceOf(o),
		Kind: IncidentKind(p.choice(o, "kind", kindSpec)), Ends: p.ending(o), Summary: p.Text(o, "summary", true),
	}
	if starts := o.Get("starts"); starts != nil {
		in.Starts = p.time(o.Field("starts"), starts, "event")
	}
	return in
}

// uniqueID reads an id that no other of its list has.
func (p *parser) uniqueID(o document.Object, taken map[string]string) string {
	id := p.name(o, "id")
	if _, ok := taken[id]; ok && id != "" {
		p.Report(o.Field("id"), nil, schema.Problem{Value: id, Message: "is given twice"})
	}
	taken[id] = o.Path
	return id
}

// choice reads one of the options of an Enum, "" where there is none.
func (p *parser) choice(o document.Object, key string, spec schema.Spec) string {
	n := o.Get(key)
	if n == nil {
		return ""
	}
	v, _ := p.Scalar(o.Field(key), n, spec)
	return v.Text()
}

// ending reads when an incident is over.
func (p *parser) ending(o document.Object) Ending {
	n := o.Get("ends")
	if n == nil {
		return Ending{Recovered: true}
	}
	path := o.Field("ends")
	if document.Resolve(n).Kind == yaml.ScalarNode {
		p.Scalar(path, n, schema.Spec{Kind: schema.Enum, Options: []string{"recovered"}})
		return Ending{Recovered: true}
	}
	ref := "event"
	if slices.ContainsFunc(document.Resolve(n).Content, func(k *yaml.Node) bool { return k.Value == "operator" }) {
		ref = "operator"
	}
	return Ending{At: p.time(path, n, ref)}
}

func (p *parser) goals(o document.Object) {
	ids := map[string]string{}
	for i, item := range p.List("goals", o.Get("goals")) {
		p.out.Goals = append(p.out.Goals, p.goal(document.Index("goals", i), item, ids))
	}
}

func (p *parser) goal(path string, n *yaml.Node, ids map[string]string) Goal {
	o, ok := p.Object(path, n, "key of a goal", goalKeys)
	if !ok {
		return Goal{}
	}
	p.Require(o, "id", "title", "measure", "of")
	goal := Goal{
		ID: p.uniqueID(o, ids), Title: p.Text(o, "title", false), Service: p.serviceOf(o),
		Of: Statistic(p.choice(o, "of", statSpec)), From: Time{Offset: seconds(0)}, By: Time{Offset: seconds(p.out.Duration)},
	}
	p.measure(o, &goal)
	p.limit(o, &goal)
	if from := o.Get("from"); from != nil {
		goal.From = p.time(o.Field("from"), from, "after")
	}
	if by := o.Get("by"); by != nil {
		goal.By = p.time(o.Field("by"), by, "after")
	}
	return goal
}

// measure reads which column a goal looks at.
func (p *parser) measure(o document.Object, goal *Goal) {
	n := o.Get("measure")
	service, ok := p.out.Service(goal.Service)
	if n == nil || !ok || service.Kind == nil {
		return
	}
	v, ok := p.Scalar(o.Field("measure"), n, schema.Spec{Kind: schema.Text})
	if !ok {
		return
	}
	goal.Measure, goal.column = v.Text(), findColumn(service.Kind, v.Text())
	if goal.column < 0 {
		var keys []string
		for _, c := range service.Kind.Columns {
			keys = append(keys, c.Key)
		}
		p.Report(o.Field("measure"), nil, schema.Unknown("", "measure of a "+service.Kind.Name+" service", v.Text(), keys))
	}
}

// limit reads the one bound of a goal.
func (p *parser) limit(o document.Object, goal *Goal) {
	least, most := o.Get("at_least"), o.Get("at_most")
	if (least == nil) == (most == nil) {
		p.Report(o.Path, o.Node, schema.Problem{Message: "needs one limit", Allowed: "at_least or at_most"})
		return
	}
	goal.AtLeast = least != nil
	if goal.AtLeast {
		goal.Limit = p.number(o, "at_least", limitSpec, 0)
	} else {
		goal.Limit = p.number(o, "at_most", limitSpec, 0)
	}
}
