package document

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/simulator/schema"
)

// List reads a sequence. Nothing at all is an empty one.
func (d *Decoder) List(path string, n *yaml.Node) []*yaml.Node {
	if n == nil {
		return nil
	}
	n = Resolve(n)
	if n.Kind != yaml.SequenceNode {
		d.Report(path, n, schema.Problem{Value: n.Value, Message: "is " + describe(n), Allowed: "a list"})
		return nil
	}
	for i, item := range n.Content {
		if !d.visit(path, item) {
			return nil
		}
		d.lines[Index(path, i)] = item.Line
	}
	return n.Content
}

// Index returns the path of an item of the list at path.
func Index(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// Scalar reads one value against its spec.
func (d *Decoder) Scalar(path string, n *yaml.Node, spec schema.Spec) (schema.Value, bool) {
	raw, ok := d.Raw(path, n, spec.Allowed())
	if !ok {
		return schema.Value{}, false
	}
	v, p := spec.Parse(raw)
	if p != nil {
		p.Value = Resolve(n).Value
		d.Report(path, n, *p)
		return schema.Value{}, false
	}
	return v, true
}

// Raw reads one value as the bool, number or text that it is; allowed says what
// could stand in its place.
func (d *Decoder) Raw(path string, n *yaml.Node, allowed string) (any, bool) {
	n = Resolve(n)
	if n.Kind != yaml.ScalarNode {
		d.Report(path, n, schema.Problem{Message: "is " + describe(n), Allowed: allowed})
		return nil, false
	}
	raw, ok := plain(n)
	if !ok {
		d.Report(path, n, schema.Problem{Value: n.Value, Message: "has the tag " + n.ShortTag(), Allowed: allowed})
	}
	return raw, ok
}

// plain returns the bool, number or string that a scalar node holds.
func plain(n *yaml.Node) (any, bool) {
	switch n.ShortTag() {
	case "!!str", "!!timestamp", "!!null":
		return n.Value, true
	case "!!bool", "!!int", "!!float":
		var raw any
		if err := n.Decode(&raw); err == nil {
			return raw, true
		}
	}
	return nil, false
}

// Text reads a line of text, or several where lines is true, without control
// characters.
func (d *Decoder) Text(o Object, key string, lines bool) string {
	n := o.Get(key)
	if n == nil {
		return ""
	}
	v, ok := d.Scalar(o.Field(key), n, schema.Spec{Kind: schema.Text})
	if !ok {
		return ""
	}
	control := func(r rune) bool { return unicode.IsControl(r) && (!lines || (r != '\n' && r != '\t')) }
	if strings.ContainsFunc(strings.TrimSuffix(v.Text(), "\n"), control) {
		d.Report(o.Field(key), Resolve(n), schema.Problem{Value: v.Text(), Message: "contains control characters", Allowed: "printable text"})
	}
	return strings.TrimSpace(v.Text())
}

// Require reports the keys that have no value.
func (d *Decoder) Require(o Object, keys ...string) {
	for _, key := range keys {
		if o.Get(key) == nil {
			d.Report(o.Field(key), o.Node, schema.Problem{Message: "is missing"})
		}
	}
}

// Sorted returns the problems by line, each said once.
func (d *Decoder) Sorted() schema.Problems {
	slices.SortStableFunc(d.problems, func(a, b schema.Problem) int { return a.Line - b.Line })
	return slices.Compact(d.problems)
}
