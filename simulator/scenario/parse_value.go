package scenario

import (
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/simulator/schema"
)

// arguments reads the values of a table of specs; what is wrong is left out.
func (p *parser) arguments(path string, n *yaml.Node, what string, specs schema.Specs) []Argument {
	o, ok := p.object(path, n, what, specs.Names())
	if !ok {
		return nil
	}
	var args []Argument
	for _, e := range o.entries {
		spec, _ := specs.Find(e.key)
		if value, ok := p.draw(o.field(e.key), e.value, spec); ok {
			args = append(args, Argument{Name: e.key, Value: value})
		}
	}
	for _, spec := range specs {
		if spec.Required && !slices.ContainsFunc(o.entries, func(e entry) bool { return e.key == spec.Name }) {
			p.report(o.field(spec.Name), n, schema.Problem{Message: "is missing", Allowed: spec.Allowed()})
		}
	}
	return args
}

// draw reads a value or {between: [low, high]}.
func (p *parser) draw(path string, n *yaml.Node, spec schema.Spec) (Draw, bool) {
	if resolve(n).Kind != yaml.MappingNode {
		v, ok := p.scalar(path, n, spec)
		return fixed(v), ok
	}
	o, ok := p.object(path, n, "key of a drawn value", []string{"between"})
	if !ok {
		return Draw{}, false
	}
	return p.between(o, spec)
}

// between reads the bounds of a drawn value.
func (p *parser) between(o object, spec schema.Spec) (Draw, bool) {
	path := o.field("between")
	n := o.get("between")
	switch spec.Kind {
	case schema.Bool, schema.Enum, schema.Text:
		p.report(o.path, o.node, schema.Problem{Message: "cannot be drawn", Allowed: spec.Allowed()})
		return Draw{}, false
	}
	if n == nil || resolve(n).Kind != yaml.SequenceNode || len(resolve(n).Content) != 2 {
		p.report(path, n, schema.Problem{Message: "is not a pair", Allowed: "[low, high]"})
		return Draw{}, false
	}
	items := p.list(path, n)
	if len(items) != 2 {
		return Draw{}, false
	}
	low, okLow := p.scalar(index(path, 0), items[0], spec)
	high, okHigh := p.scalar(index(path, 1), items[1], spec)
	if !okLow || !okHigh {
		return Draw{}, false
	}
	if low.Float() > high.Float() {
		p.report(path, n, schema.Problem{Value: low.String(), Message: "is above " + high.String(), Allowed: "the lower bound first"})
		return Draw{}, false
	}
	return Draw{Low: low, High: high, grain: spec.Grain()}, true
}
