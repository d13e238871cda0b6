package slofile

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/simulator/schema"
)

// reader reads one YAML document and collects everything that is wrong with it.
type reader struct {
	file     string
	problems schema.Problems
}

// report adds a problem at a line.
func (r *reader) report(line int, p schema.Problem) {
	p.File, p.Line = r.file, line
	r.problems = append(r.problems, p)
}

// document returns the mapping of the one document in data, nil where there is
// none to read.
func (r *reader) document(data []byte) map[string]yaml.Node {
	var root, more yaml.Node
	decode := yaml.NewDecoder(bytes.NewReader(data)).Decode
	switch err := decode(&root); {
	case errors.Is(err, io.EOF):
		r.report(0, schema.Problem{Message: "the file is empty", Allowed: "a mapping with " + keySLOs})
		return nil
	case err != nil:
		r.failed("", 0, err)
		return nil
	}
	if err := decode(&more); err == nil {
		r.report(more.Line, schema.Problem{Message: "a second document begins here", Allowed: "one a file"})
	} else if !errors.Is(err, io.EOF) {
		r.failed("", 0, err)
	}
	return r.mapping("", root.Content[0])
}

// mapping reads a mapping without keys that occur twice; nil where it is none.
func (r *reader) mapping(path string, n *yaml.Node) map[string]yaml.Node {
	n = resolve(n)
	if n.Kind != yaml.MappingNode {
		r.report(n.Line, schema.Problem{Field: path, Value: n.Value, Message: "is no mapping"})
		return nil
	}
	fields := map[string]yaml.Node{}
	if err := n.Decode(&fields); err != nil {
		r.failed(path, n.Line, err)
		return nil
	}
	return fields
}

// failed reports what the YAML library says, at the lines that it names.
func (r *reader) failed(path string, line int, err error) {
	messages := []string{strings.TrimPrefix(err.Error(), "yaml: ")}
	var several *yaml.TypeError
	if errors.As(err, &several) {
		messages = several.Errors
	}
	for _, message := range messages {
		at, text := line, message
		if rest, ok := strings.CutPrefix(message, "line "); ok {
			number, after, _ := strings.Cut(rest, ": ")
			if n, err := strconv.Atoi(number); err == nil {
				at, text = n, after
			}
		}
		r.report(at, schema.Problem{Field: path, Message: "cannot be read: " + text})
	}
}

// scalar returns the bool, number or text of a node.
func (r *reader) scalar(path string, n *yaml.Node) (any, bool) {
	n = resolve(n)
	if n.Kind != yaml.ScalarNode {
		r.report(n.Line, schema.Problem{Field: path, Message: "is no single value"})
		return nil, false
	}
	switch n.ShortTag() {
	case "!!bool", "!!int", "!!float":
		var raw any
		if err := n.Decode(&raw); err == nil {
			return raw, true
		}
	}
	return n.Value, true
}

// resolve follows an alias.
func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}
