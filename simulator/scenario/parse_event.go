package scenario

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/document"
	"github.com/firedrill/firedrill/simulator/schema"
)

// span is the spec of an offset within the drill.
func (p *parser) span() schema.Spec {
	return schema.Spec{Kind: schema.Duration, Max: float64(p.out.Duration), Step: 1}
}

func (p *parser) events(o document.Object, key string) []Event {
	var events []Event
	for i, item := range p.List(key, o.Get(key)) {
		events = append(events, p.event(key, document.Index(key, i), item))
	}
	return events
}

func (p *parser) event(list, path string, n *yaml.Node) Event {
	o, ok := p.Object(path, n, "key of an event", eventKeys)
	if !ok {
		return Event{}
	}
	p.Require(o, "at", "do")
	e := Event{ID: p.id(o, list), Service: p.serviceOf(o)}
	if at := o.Get("at"); at != nil {
		e.At = p.time(o.Field("at"), at, "after")
	}
	if n := o.Get("do"); n != nil {
		if v, ok := p.Scalar(o.Field("do"), n, schema.Spec{Kind: schema.Text}); ok {
			e.Do = v.Text()
			p.action(o, &e, list == "operator")
		}
	}
	return e
}

// action looks up what an event does and reads its arguments.
func (p *parser) action(o document.Object, e *Event, operator bool) {
	service, ok := p.out.Service(e.Service)
	if !ok || service.Kind == nil {
		return
	}
	kind := service.Kind
	action, ok := findAction(kind, e.Do)
	if !ok {
		p.Report(o.Field("do"), nil, schema.Unknown("", "action of a "+kind.Name+" service", e.Do, actionNames(kind, operator)))
		return
	}
	if operator && action.Fault {
		p.Report(o.Field("do"), nil, schema.Problem{Value: e.Do, Message: "is nothing that an operator does", Allowed: strings.Join(actionNames(kind, true), ", ")})
	}
	args := o.Get("args")
	if args == nil {
		args = &yaml.Node{Kind: yaml.MappingNode, Line: o.Node.Line}
	}
	e.Args = p.arguments(o.Field("args"), args, "argument of "+action.Name, action.Args)
	if n := document.Resolve(args); action.AtLeastOne && n.Kind == yaml.MappingNode && len(n.Content) == 0 {
		p.Report(o.Field("args"), o.Node, schema.Problem{Message: "needs at least one argument", Allowed: strings.Join(action.Args.Names(), ", ")})
	}
}

// actionNames lists the actions of a kind, for an operator without the faults.
func actionNames(kind *simulator.Kind, operator bool) []string {
	var names []string
	for _, a := range kind.Actions {
		if !operator || !a.Fault {
			names = append(names, a.Name)
		}
	}
	return names
}

// id reads an identifier that is unique among events and steps.
func (p *parser) id(o document.Object, list string) string {
	id := p.name(o, "id")
	if id == "" {
		return ""
	}
	if _, taken := p.ids[id]; taken {
		p.Report(o.Field("id"), nil, schema.Problem{Value: id, Message: "is the id of another event"})
	}
	p.ids[id] = list
	return id
}

// serviceOf reads the name of a service, which the only one needs not have.
func (p *parser) serviceOf(o document.Object) string {
	var names []string
	for _, s := range p.out.Services {
		names = append(names, s.Name)
	}
	n := o.Get("service")
	switch {
	case n == nil && len(names) == 1:
		return names[0]
	case n == nil:
		p.Report(o.Field("service"), o.Node, schema.Problem{Message: "is missing", Allowed: strings.Join(names, ", ")})
		return ""
	}
	name := p.name(o, "service")
	if name != "" && !slices.Contains(names, name) {
		p.Report(o.Field("service"), nil, schema.Unknown("", "service", name, names))
	}
	return name
}

// time reads an offset from the start, drawn or not, or from an event, whose
// id stands under the key ref.
func (p *parser) time(path string, n *yaml.Node, ref string) Time {
	if document.Resolve(n).Kind != yaml.MappingNode {
		offset, _ := p.draw(path, n, p.span())
		return Time{Offset: offset}
	}
	o, ok := p.Object(path, n, "key of a time", []string{"between", ref, "plus"})
	if !ok {
		return Time{}
	}
	if o.Get(ref) == nil {
		if o.Get("plus") != nil {
			p.Report(path, o.Node, schema.Problem{Message: "says plus what, but not after which event", Allowed: "{" + ref + ": an id, plus: a span of time}"})
			return Time{}
		}
		offset, _ := p.between(o, p.span())
		return Time{Offset: offset}
	}
	if o.Get("between") != nil {
		p.Report(o.Field("between"), nil, schema.Problem{Message: "cannot stand beside " + ref, Allowed: "plus: {between: [low, high]}"})
	}
	t := Time{After: p.name(o, ref), Offset: seconds(0)}
	if plus := o.Get("plus"); plus != nil {
		t.Offset, _ = p.draw(o.Field("plus"), plus, p.span())
	}
	return t
}
