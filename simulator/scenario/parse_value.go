package scenario

import (
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/simulator/document"
	"github.com/firedrill/firedrill/simulator/schema"
)

// arguments reads the values of a table of specs; what is wrong is left out.
func (p *parser) arguments(path string, n *yaml.Node, what string, specs schema.Specs) []Argument {
	o, ok := p.Object(path, n, what, specs.Names())
	if !ok {
		return nil
	}
	var args []Argument
	for _, e := range o.Entries {
		spec, _ := specs.Find(e.Key)
		if value, ok := p.draw(o.Field(e.Key), e.Value, spec); ok {
			args = append(args, Argument{Name: e.Key, Value: value})
		}
	}
	for _, spec := range specs {
		if spec.Required && !slices.ContainsFunc(o.Entries, func(e document.Entry) bool { return e.Key == spec.Name }) {
			p.Report(o.Field(spec.Name), n, schema.Problem{Message: "is missing", Allowed: spec.Allowed()})
		}
	}
	return args
}

// draw reads a value or {between: [low, high]}.
func (p *parser) draw(path string, n *yaml.Node, spec schema.Spec) (Draw, bool) {
	if document.Resolve(n).Kind != yaml.MappingNode {
		v, ok := p.Scalar(path, n, spec)
		return fixed(v), ok
	}
	o, ok := p.Object(path, n, "key of a drawn value", []string{"between"})
	if !ok {
		return Draw{}, false
	}
	return p.between(o, spec)
}

// between reads the bounds of a drawn value.
func (p *parser) between(o document.Object, spec schema.Spec) (Draw, bool) {
	path := o.Field("between")
	n := o.Get("between")
	switch spec.Kind {
	case schema.Bool, schema.Enum, schema.Text:
		p.Report(o.Path, o.Node, schema.Problem{Message: "cannot be drawn", Allowed: spec.Allowed()})
		return Draw{}, false
	}
	if n == nil || document.Resolve(n).Kind != yaml.SequenceNode || len(document.Resolve(n).Content) != 2 {
		p.Report(path, n, schema.Problem{Message: "is not a pair", Allowed: "[low, high]"})
		return Draw{}, false
	}
	items := p.List(path, n)
	if len(items) != 2 {
		return Draw{}, false
	}
	low, okLow := p.Scalar(document.Index(path, 0), items[0], spec)
	high, okHigh := p.Scalar(document.Index(path, 1), items[1], spec)
	if !okLow || !okHigh {
		return Draw{}, false
	}
	if low.Float() > high.Float() {
		p.Report(path, n, schema.Problem{Value: low.String(), Message: "is above " + high.String(), Allowed: "the lower bound first"})
		return Draw{}, false
	}
	return Draw{Low: low, High: high, grain: spec.Grain()}, true
}
