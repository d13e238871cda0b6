package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Problem is one thing that is wrong with an input.
type Problem struct {
	File    string // name of the file, "" where there is none
	Line    int    // line in File, counted from 1; 0 where it is unknown
	Field   string // path of the field, for example services[0].config.ttl
	Value   string // the value as it was given; "" where the field itself is wrong
	Message string // what is wrong, in lower case
	Allowed string // what would be right, "" where Message says it
	Nearest string // the valid name nearest to a mistyped one, "" where none is near
}

// Error words the problem on one line: file:line, field, value, what is
// wrong, what is allowed, and the nearest valid name.
func (p Problem) Error() string {
	var b strings.Builder
	if p.File != "" {
		b.WriteString(p.File)
		if p.Line > 0 {
			fmt.Fprintf(&b, ":%d", p.Line)
		}
		b.WriteString(": ")
	}
	if p.Field != "" {
		b.WriteString(p.Field)
		b.WriteString(": ")
	}
	if p.Value != "" {
		fmt.Fprintf(&b, "%q ", p.Value)
	}
	b.WriteString(p.Message)
	if p.Allowed != "" {
		fmt.Fprintf(&b, "; allowed: %s", p.Allowed)
	}
	if p.Nearest != "" {
		fmt.Fprintf(&b, " (did you mean %q?)", p.Nearest)
	}
	return b.String()
}

// Problems is everything that is wrong with an input. It is an error where it
// is not empty.
type Problems []Problem

// Error lists the problems, one a line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Err returns the problems as an error, nil where there are none.
func (ps Problems) Err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}

// Under puts prefix in front of the field of every problem.
func (ps Problems) Under(prefix string) Problems {
	out := slices.Clone(ps)
	for i := range out {
		if out[i].Field == "" {
			out[i].Field = prefix
		} else {
			out[i].Field = prefix + "." + out[i].Field
		}
	}
	return out
}

// Unknown is the problem of a name that is not among the valid ones.
func Unknown(field, what, name string, valid []string) Problem {
	return Problem{
		Field:   field,
		Value:   name,
		Message: "is no " + what,
		Allowed: strings.Join(valid, ", "),
		Nearest: Nearest(name, valid),
	}
}

// Nearest returns the valid name with the smallest edit distance to name, or
// "" where even that one differs in more than half of its letters.
func Nearest(name string, valid []string) string {
	best, distance := "", len(name)+1
	for _, v := range valid {
		d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(v))
		if d < distance && 2*d <= max(len(name), len(v)) {
			best, distance = v, d
		}
	}
	return best
}
