package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/simulator/schema"
)

// Limits of a file, far above what a person writes.
const (
	MaxBytes    = 1 << 20
	maxDepth    = 32
	maxVisits   = 200_000 // entries and items looked at, those behind aliases each time
	MaxProblems = 200
)

// Decoder reads the nodes of one YAML document and collects everything that is
// wrong with them.
type Decoder struct {
	file     string
	one      string // what a document is, for messages
	lines    Lines
	problems schema.Problems
	visits   int
}

// New returns a decoder of the file of that name, which problems carry. one
// says what its document is, for example scenario.
func New(file, one string) *Decoder {
	return &Decoder{file: file, one: one, lines: Lines{}}
}

// Lines returns the lines of the fields that were read.
func (d *Decoder) Lines() Lines { return d.lines }

// Failed reports whether anything was wrong so far.
func (d *Decoder) Failed() bool { return len(d.problems) > 0 }

// Document returns the root of the one document in data, nil where there is
// none to read.
func (d *Decoder) Document(data []byte) *yaml.Node {
	if len(data) > MaxBytes {
		d.Report("", nil, schema.Problem{Message: fmt.Sprintf("the file has %d bytes", len(data)), Allowed: fmt.Sprintf("at most %d", MaxBytes)})
		return nil
	}
	decode := yaml.NewDecoder(bytes.NewReader(data)).Decode
	var root, more yaml.Node
	switch err := decode(&root); {
	case errors.Is(err, io.EOF):
		d.Report("", nil, schema.Problem{Message: "the file is empty"})
		return nil
	case err != nil:
		d.syntax(err)
		return nil
	}
	if err := decode(&more); err == nil {
		d.Report("", &more, schema.Problem{Message: "a second document begins here", Allowed: "one " + d.one + " a file"})
		return nil
	} else if !errors.Is(err, io.EOF) {
		d.syntax(err)
		return nil
	}
	if deep := deeper(&root, maxDepth); deep != nil {
		d.Report("", deep, schema.Problem{Message: fmt.Sprintf("is nested deeper than %d levels", maxDepth)})
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
func (d *Decoder) syntax(err error) {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	node := &yaml.Node{}
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		if number, message, ok := strings.Cut(rest, ": "); ok {
			if line, err := strconv.Atoi(number); err == nil {
				node.Line, text = line, message
			}
		}
	}
	d.Report("", node, schema.Problem{Message: "is no YAML: " + text})
}

// Report adds a problem of the field at path, at the line of node where there
// is one. Beyond MaxProblems nobody reads on.
func (d *Decoder) Report(path string, node *yaml.Node, p schema.Problem) {
	if len(d.problems) >= MaxProblems {
		return
	}
	p.File, p.Field = d.file, path
	if node != nil {
		p.Line = node.Line
	} else {
		p.Line = d.lines.Of(path)
	}
	p.Value = Clip(p.Value)
	d.problems = append(d.problems, p)
}

// Clip shortens a value that is too long to be shown.
func Clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// Lines has the line of every field that was seen, by its path.
type Lines map[string]int

// Of returns the line of the field at path, or of the nearest known field
// around it; 0 where none is known.
func (l Lines) Of(path string) int {
	for path != "" {
		if line, ok := l[path]; ok {
			return line
		}
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return 0
}

// visit counts a node that is looked at and reports whether to go on.
func (d *Decoder) visit(path string, n *yaml.Node) bool {
	d.visits++
	if d.visits == maxVisits {
		d.Report(path, n, schema.Problem{Message: "the file is too large with its aliases", Allowed: fmt.Sprintf("at most %d entries", maxVisits)})
	}
	return d.visits < maxVisits && len(d.problems) < MaxProblems
}

// Resolve follows an alias.
func Resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func null(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }
