package scenario

import (
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/cdn"
	"github.com/firedrill/firedrill/simulator/document"
	"github.com/firedrill/firedrill/simulator/rollout"
	"github.com/firedrill/firedrill/simulator/schema"
	"github.com/firedrill/firedrill/simulator/web"
)

// Kinds returns the kinds of model that a scenario may name, in the order in
// which people read them.
func Kinds() []*simulator.Kind {
	return []*simulator.Kind{
		web.Kind(),
		rollout.Kind(),
		cdn.Kind(),
	}
}

// section is a part of a service's description that its kind reads by itself.
type section struct {
	kind, key string
	read      func(d *document.Decoder, path string, n *yaml.Node) any
}

// sections lists the parts that kinds read by themselves.
func sections() []section {
	return []section{
		{"cdn", cdn.Section, func(d *document.Decoder, path string, n *yaml.Node) any { return cdn.ReadTopology(d, path, n) }},
	}
}

// findKind returns the kind with that name.
func findKind(kinds []*simulator.Kind, name string) (*simulator.Kind, bool) {
	i := slices.IndexFunc(kinds, func(k *simulator.Kind) bool { return k.Name == name })
	if i < 0 {
		return nil, false
	}
	return kinds[i], true
}

// findAction returns the action of a kind with that name.
func findAction(kind *simulator.Kind, name string) (schema.Action, bool) {
	i := slices.IndexFunc(kind.Actions, func(a schema.Action) bool { return a.Name == name })
	if i < 0 {
		return schema.Action{}, false
	}
	return kind.Actions[i], true
}

// findColumn returns the index of a kind's column with that key, -1 where it
// has none.
func findColumn(kind *simulator.Kind, key string) int {
	return slices.IndexFunc(kind.Columns, func(c simulator.Column) bool { return c.Key == key })
}
