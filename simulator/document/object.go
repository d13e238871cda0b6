package document

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/simulator/schema"
)

// describe names the form of a node.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	return "a single value"
}

// Object is a mapping whose keys are known to be valid and unique.
type Object struct {
	Path    string
	Node    *yaml.Node
	Entries []Entry // in file order
}

// Entry is one key of a mapping with its value.
type Entry struct {
	Key       string
	At, Value *yaml.Node
}

// Field returns the path of a field of the object.
func (o Object) Field(key string) string {
	if o.Path == "" {
		return key
	}
	return o.Path + "." + key
}

// Get returns the node of a key; nil where the key is missing or has no value.
func (o Object) Get(key string) *yaml.Node {
	i := slices.IndexFunc(o.Entries, func(e Entry) bool { return e.Key == key })
	if i < 0 || null(o.Entries[i].Value) {
		return nil
	}
	return o.Entries[i].Value
}

// Object reads a mapping: keys that occur twice or are none of the known ones
// are reported and left out. Nothing at all is an empty mapping.
func (d *Decoder) Object(path string, n *yaml.Node, what string, known []string) (Object, bool) {
	n = Resolve(n)
	o := Object{Path: path, Node: n}
	if null(n) {
		return o, true
	}
	if n.Kind != yaml.MappingNode {
		d.Report(path, n, schema.Problem{Value: n.Value, Message: "is " + describe(n), Allowed: "a mapping with " + strings.Join(known, ", ")})
		return o, false
	}
	own := map[string]bool{}
	for _, e := range d.pairs(path, n, 0) {
		switch {
		case e.merged && own[e.Key]:
			continue
		case own[e.Key]:
			d.Report(o.Field(e.Key), e.At, schema.Problem{Message: "is given twice"})
			continue
		}
		own[e.Key] = true
		if !slices.Contains(known, e.Key) {
			p := schema.Unknown("", what, e.Key, known)
			if len(known) == 0 {
				p.Allowed = "none"
			}
			d.Report(o.Field(Clip(e.Key)), e.At, p)
			continue
		}
		d.lines[o.Field(e.Key)] = e.At.Line
		o.Entries = append(o.Entries, e.Entry)
	}
	return o, true
}

// pair is an entry and whether it came in through a merge key.
type pair struct {
	Entry
	merged bool
}

// pairs lists the entries of a mapping: its own first, then those that it
// merges from others, which count only where it has none of its own.
func (d *Decoder) pairs(path string, n *yaml.Node, depth int) []pair {
	var own, merged []pair
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := Resolve(n.Content[i]), Resolve(n.Content[i+1])
		switch {
		case !d.visit(path, key):
			return nil
		case key.Kind == yaml.ScalarNode && key.ShortTag() == "!!merge":
			merged = append(merged, d.merge(path, value, depth)...)
		case key.Kind != yaml.ScalarNode:
			d.Report(path, key, schema.Problem{Message: "a key is " + describe(key), Allowed: "a name"})
		default:
			own = append(own, pair{Entry: Entry{key.Value, n.Content[i], value}, merged: depth > 0})
		}
	}
	return append(own, merged...)
}

// merge lists the entries that the value of a merge key brings in.
func (d *Decoder) merge(path string, n *yaml.Node, depth int) []pair {
	sources := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		sources = n.Content
	}
	var out []pair
	for _, source := range sources {
		source = Resolve(source)
		if source.Kind != yaml.MappingNode || depth >= maxDepth {
			d.Report(path, n, schema.Problem{Message: "<< does not name a mapping"})
			return nil
		}
		out = append(out, d.pairs(path, source, depth+1)...)
	}
	return out
}
