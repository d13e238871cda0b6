package scenario

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

// span is the spec of an offset within the drill.
func (p *parser) span() schema.Spec {
	return schema.Spec{Kind: schema.Duration, Max: float64(p.out.Duration), Step: 1}
}

func (p *parser) events(o object, key string) []Event {
	var events []Event
	for i, item := range p.list(key, o.get(key)) {
		events = append(events, p.event(key, index(key, i), item))
	}
	return events
}

func (p *parser) event(list, path string, n *yaml.Node) Event {
	o, ok := p.object(path, n, "key of an event", eventKeys)
	if !ok {
		return Event{}
	}
	p.require(o, "at", "do")
	e := Event{ID: p.id(o, list), Service: p.serviceOf(o)}
	if at := o.get("at"); at != nil {
		e.At = p.time(o.field("at"), at, "after")
	}
	if n := o.get("do"); n != nil {
		if v, ok := p.scalar(o.field("do"), n, schema.Spec{Kind: schema.Text}); ok {
			e.Do = v.Text()
			p.action(o, &e, list == "operator")
		}
	}
	return e
}

// action looks up what an event does and reads its arguments.
func (p *parser) action(o object, e *Event, operator bool) {
	service, ok := p.out.Service(e.Service)
	if !ok || service.Kind == nil {
		return
	}
	kind := service.Kind
	action, ok := findAction(kind, e.Do)
	if !ok {
		p.report(o.field("do"), nil, schema.Unknown("", "action of a "+kind.Name+" service", e.Do, actionNames(kind, operator)))
		return
	}
	if operator && action.Fault {
		p.report(o.field("do"), nil, schema.Problem{Value: e.Do, Message: "is nothing that an operator does", Allowed: strings.Join(actionNames(kind, true), ", ")})
	}
	args := o.get("args")
	if args == nil {
		args = &yaml.Node{Kind: yaml.MappingNode, Line: o.node.Line}
	}
	e.Args = p.arguments(o.field("args"), args, "argument of "+action.Name, action.Args)
	if n := resolve(args); action.AtLeastOne && n.Kind == yaml.MappingNode && len(n.Content) == 0 {
		p.report(o.field("args"), o.node, schema.Problem{Message: "needs at least one argument", Allowed: strings.Join(action.Args.Names(), ", ")})
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
func (p *parser) id(o object, list string) string {
	id := p.name(o, "id")
	if id == "" {
		return ""
	}
	if _, taken := p.ids[id]; taken {
		p.report(o.field("id"), nil, schema.Problem{Value: id, Message: "is the id of another event"})
	}
	p.ids[id] = list
	return id
}

// serviceOf reads the name of a service, which the only one needs not have.
func (p *parser) serviceOf(o object) string {
	var names []string
	for _, s := range p.out.Services {
		names = append(names, s.Name)
	}
	n := o.get("service")
	switch {
	case n == nil && len(names) == 1:
		return names[0]
	case n == nil:
		p.report(o.field("service"), o.node, schema.Problem{Message: "is missing", Allowed: strings.Join(names, ", ")})
		return ""
	}
	name := p.name(o, "service")
	if name != "" && !slices.Contains(names, name) {
		p.report(o.field("service"), nil, schema.Unknown("", "service", name, names))
	}
	return name
}

// time reads an offset from the start, drawn or not, or from an event, whose
// id stands under the key ref.
func (p *parser) time(path string, n *yaml.Node, ref string) Time {
	if resolve(n).Kind != yaml.MappingNode {
		offset, _ := p.draw(path, n, p.span())
		return Time{Offset: offset}
	}
	o, ok := p.object(path, n, "key of a time", []string{"between", ref, "plus"})
	if !ok {
		return Time{}
	}
	if o.get(ref) == nil {
		if o.get("plus") != nil {
			p.report(path, o.node, schema.Problem{Message: "says plus what, but not after which event", Allowed: "{" + ref + ": an id, plus: a span of time}"})
			return Time{}
		}
		offset, _ := p.between(o, p.span())
		return Time{Offset: offset}
	}
	if o.get("between") != nil {
		p.report(o.field("between"), nil, schema.Problem{Message: "cannot stand beside " + ref, Allowed: "plus: {between: [low, high]}"})
	}
	t := Time{After: p.name(o, ref), Offset: seconds(0)}
	if plus := o.get("plus"); plus != nil {
		t.Offset, _ = p.draw(o.field("plus"), plus, p.span())
	}
	return t
}
