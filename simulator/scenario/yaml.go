package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/simulator/schema"
)

// Limits of a scenario file, far above what a person writes.
const (
	maxBytes    = 1 << 20
	maxDepth    = 32
	maxVisits   = 200_000 // entries and items looked at, those behind aliases each time
	maxProblems = 200
)

// decoder reads the nodes of one YAML document and collects everything that is
// wrong with them.
type decoder struct {
	file     string
	lines    map[string]int // the line of every field seen, by its path
	problems schema.Problems
	visits   int
}

// document returns the root of the one document in data, nil where there is
// none to read.
func (d *decoder) document(data []byte) *yaml.Node {
	if len(data) > maxBytes {
		d.report("", nil, schema.Problem{Message: fmt.Sprintf("the file has %d bytes", len(data)), Allowed: fmt.Sprintf("at most %d", maxBytes)})
		return nil
	}
	decode := yaml.NewDecoder(bytes.NewReader(data)).Decode
	var root, more yaml.Node
	switch err := decode(&root); {
	case errors.Is(err, io.EOF):
		d.report("", nil, schema.Problem{Message: "the file is empty"})
		return nil
	case err != nil:
		d.syntax(err)
		return nil
	}
	if err := decode(&more); err == nil {
		d.report("", &more, schema.Problem{Message: "a second document begins here", Allowed: "one scenario a file"})
		return nil
	} else if !errors.Is(err, io.EOF) {
		d.syntax(err)
		return nil
	}
	if deep := deeper(&root, maxDepth); deep != nil {
		d.report("", deep, schema.Problem{Message: fmt.Sprintf("is nested deeper than %d levels", maxDepth)})
		return nil
	}
	return root.Content[0]
}

// deeper returns the first node below n at more than the given depth.
func deeper(n *yaml.Node, depth int) *yaml.Node {
	if depth == 0 {
		return n
	}
	for _, child := range n.Content {
		if found := deeper(child, depth-1); found != nil {
			return found
		}
	}
	return nil
}

// syntax reports what the YAML parser says, with the line that it names.
func (d *decoder) syntax(err error) {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	node := &yaml.Node{}
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		if number, message, ok := strings.Cut(rest, ": "); ok {
			if line, err := strconv.Atoi(number); err == nil {
				node.Line, text = line, message
			}
		}
	}
	d.report("", node, schema.Problem{Message: "is no YAML: " + text})
}

// report adds a problem of the field at path, at the line of node where there
// is one. Beyond maxProblems nobody reads on.
func (d *decoder) report(path string, node *yaml.Node, p schema.Problem) {
	if len(d.problems) >= maxProblems {
		return
	}
	p.File, p.Field = d.file, path
	if node != nil {
		p.Line = node.Line
	} else {
		p.Line = lineOf(d.lines, path)
	}
	p.Value = clip(p.Value)
	d.problems = append(d.problems, p)
}

// clip shortens a value that is too long to be shown.
func clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// lineOf returns the line of the field at path, or of the nearest known field
// around it; 0 where none is known.
func lineOf(lines map[string]int, path string) int {
	for path != "" {
		if line, ok := lines[path]; ok {
			return line
		}
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return 0
}

// visit counts a node that is looked at and reports whether to go on.
func (d *decoder) visit(path string, n *yaml.Node) bool {
	d.visits++
	if d.visits == maxVisits {
		d.report(path, n, schema.Problem{Message: "the file is too large with its aliases", Allowed: fmt.Sprintf("at most %d entries", maxVisits)})
	}
	return d.visits < maxVisits && len(d.problems) < maxProblems
}

// resolve follows an alias.
func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func null(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

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

// object is a mapping whose keys are known to be valid and unique.
type object struct {
	path    string
	node    *yaml.Node
	entries []entry
}

type entry struct {
	key       string
	at, value *yaml.Node
}

// path returns the path of a field of the object.
func (o object) field(key string) string {
	if o.path == "" {
		return key
	}
	return o.path + "." + key
}

// get returns the node of a key; nil where the key is missing or has no value.
func (o object) get(key string) *yaml.Node {
	i := slices.IndexFunc(o.entries, func(e entry) bool { return e.key == key })
	if i < 0 || null(o.entries[i].value) {
		return nil
	}
	return o.entries[i].value
}

// object reads a mapping: keys that occur twice or are none of the known ones
// are reported and left out. Nothing at all is an empty mapping.
func (d *decoder) object(path string, n *yaml.Node, what string, known []string) (object, bool) {
	n = resolve(n)
	o := object{path: path, node: n}
	if null(n) {
		return o, true
	}
	if n.Kind != yaml.MappingNode {
		d.report(path, n, schema.Problem{Value: n.Value, Message: "is " + describe(n), Allowed: "a mapping with " + strings.Join(known, ", ")})
		return o, false
	}
	own := map[string]bool{}
	for _, e := range d.pairs(path, n, 0) {
		switch {
		case e.merged && own[e.key]:
			continue
		case own[e.key]:
			d.report(o.field(e.key), e.at, schema.Problem{Message: "is given twice"})
			continue
		}
		own[e.key] = true
		if !slices.Contains(known, e.key) {
			p := schema.Unknown("", what, e.key, known)
			if len(known) == 0 {
				p.Allowed = "none"
			}
			d.report(o.field(clip(e.key)), e.at, p)
			continue
		}
		d.lines[o.field(e.key)] = e.at.Line
		o.entries = append(o.entries, e.entry)
	}
	return o, true
}

// pair is an entry and whether it came in through a merge key.
type pair struct {
	entry
	merged bool
}

// pairs lists the entries of a mapping: its own first, then those that it
// merges from others, which count only where it has none of its own.
func (d *decoder) pairs(path string, n *yaml.Node, depth int) []pair {
	var own, merged []pair
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := resolve(n.Content[i]), resolve(n.Content[i+1])
		switch {
		case !d.visit(path, key):
			return nil
		case key.Kind == yaml.ScalarNode && key.ShortTag() == "!!merge":
			merged = append(merged, d.merge(path, value, depth)...)
		case key.Kind != yaml.ScalarNode:
			d.report(path, key, schema.Problem{Message: "a key is " + describe(key), Allowed: "a name"})
		default:
			own = append(own, pair{entry: entry{key.Value, n.Content[i], value}, merged: depth > 0})
		}
	}
	return append(own, merged...)
}

// merge lists the entries that the value of a merge key brings in.
func (d *decoder) merge(path string, n *yaml.Node, depth int) []pair {
	sources := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		sources = n.Content
	}
	var out []pair
	for _, source := range sources {
		source = resolve(source)
		if source.Kind != yaml.MappingNode || depth >= maxDepth {
			d.report(path, n, schema.Problem{Message: "<< does not name a mapping"})
			return nil
		}
		out = append(out, d.pairs(path, source, depth+1)...)
	}
	return out
}

// list reads a sequence. Nothing at all is an empty one.
func (d *decoder) list(path string, n *yaml.Node) []*yaml.Node {
	if n == nil {
		return nil
	}
	n = resolve(n)
	if n.Kind != yaml.SequenceNode {
		d.report(path, n, schema.Problem{Value: n.Value, Message: "is " + describe(n), Allowed: "a list"})
		return nil
	}
	for i, item := range n.Content {
		if !d.visit(path, item) {
			return nil
		}
		d.lines[index(path, i)] = item.Line
	}
	return n.Content
}

func index(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// scalar reads one value against its spec.
func (d *decoder) scalar(path string, n *yaml.Node, spec schema.Spec) (schema.Value, bool) {
	n = resolve(n)
	if n.Kind != yaml.ScalarNode {
		d.report(path, n, schema.Problem{Message: "is " + describe(n), Allowed: spec.Allowed()})
		return schema.Value{}, false
	}
	raw, ok := plain(n)
	if !ok {
		d.report(path, n, schema.Problem{Value: n.Value, Message: "has the tag " + n.ShortTag(), Allowed: spec.Allowed()})
		return schema.Value{}, false
	}
	v, p := spec.Parse(raw)
	if p != nil {
		p.Value = n.Value
		d.report(path, n, *p)
		return schema.Value{}, false
	}
	return v, true
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

// text reads a line of text, or several where lines is true, without control
// characters.
func (d *decoder) text(o object, key string, lines bool) string {
	n := o.get(key)
	if n == nil {
		return ""
	}
	v, ok := d.scalar(o.field(key), n, schema.Spec{Kind: schema.Text})
	if !ok {
		return ""
	}
	control := func(r rune) bool { return unicode.IsControl(r) && (!lines || (r != '\n' && r != '\t')) }
	if strings.ContainsFunc(strings.TrimSuffix(v.Text(), "\n"), control) {
		d.report(o.field(key), resolve(n), schema.Problem{Value: v.Text(), Message: "contains control characters", Allowed: "printable text"})
	}
	return strings.TrimSpace(v.Text())
}

// require reports the keys that have no value.
func (d *decoder) require(o object, keys ...string) {
	for _, key := range keys {
		if o.get(key) == nil {
			d.report(o.field(key), o.node, schema.Problem{Message: "is missing"})
		}
	}
}

// sorted returns the problems by line, each said once.
func (d *decoder) sorted() schema.Problems {
	slices.SortStableFunc(d.problems, func(a, b schema.Problem) int { return a.Line - b.Line })
	return slices.Compact(d.problems)
}

// known lists the names of a set for a refusal.
func known[V any](set map[string]V) []string { return slices.Sorted(maps.Keys(set)) }
