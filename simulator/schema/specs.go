package schema

import (
	"slices"
	"strings"
)

// Specs is a table of values that belong together: the keys of a
// configuration or the arguments of an action.
type Specs []Spec

// Names lists the names in the order of the table.
func (ss Specs) Names() []string {
	names := make([]string, len(ss))
	for i, s := range ss {
		names[i] = s.Name
	}
	return names
}

// Find returns the spec with that name.
func (ss Specs) Find(name string) (Spec, bool) {
	i := slices.IndexFunc(ss, func(s Spec) bool { return s.Name == name })
	if i < 0 {
		return Spec{}, false
	}
	return ss[i], true
}

// Args are raw arguments by name, as YAML, JSON or a command line gives them:
// bools, numbers and strings.
type Args map[string]any

// Names lists the names of the arguments in alphabetical order.
func (a Args) Names() []string {
	names := make([]string, 0, len(a))
	for name := range a {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Values are the accepted values of a table of specs.
type Values struct {
	specs Specs
	given []bool
	value []Value
}

// Parse reads the arguments against the table: unknown names, values of the
// wrong kind or outside their domain and missing ones are all reported.
// what says what a name is, for example "argument of set".
func (ss Specs) Parse(what string, args Args) (Values, Problems) {
	vs := Values{specs: ss, given: make([]bool, len(ss)), value: make([]Value, len(ss))}
	var problems Problems
	for _, name := range args.Names() {
		i := slices.IndexFunc(ss, func(s Spec) bool { return s.Name == name })
		if i < 0 {
			p := Unknown(name, what, name, ss.Names())
			if len(ss) == 0 {
				p.Allowed = "none"
			}
			problems = append(problems, p)
			continue
		}
		v, p := ss[i].Parse(args[name])
		if p != nil {
			problems = append(problems, *p)
			continue
		}
		vs.given[i], vs.value[i] = true, v
	}
	for i, s := range ss {
		if _, named := args[s.Name]; !named {
			vs.value[i] = s.Default
			if s.Required {
				problems = append(problems, Problem{Field: s.Name, Message: "is missing", Allowed: s.Allowed()})
			}
		}
	}
	return vs, problems
}

// Given reports whether the value was given rather than its default taken.
func (vs Values) Given(name string) bool {
	i := vs.index(name)
	return vs.given[i]
}

// Get returns the value of that name, its default where it was not given. It
// panics on a name that is not in the table.
func (vs Values) Get(name string) Value { return vs.value[vs.index(name)] }

func (vs Values) index(name string) int {
	i := slices.IndexFunc(vs.specs, func(s Spec) bool { return s.Name == name })
	if i < 0 {
		panic("schema: no value is called " + name)
	}
	return i
}

// Action describes something that can be done to a service: a lever that an
// operator has, or a fault that a scenario or a trainer injects.
type Action struct {
	Name  string
	Fault bool // a fault or an outside event, not a lever of the operator
	Help  string
	Args  Specs
	// AtLeastOne says that the arguments are all optional but one at least
	// must be given.
	AtLeastOne bool
}

// Parse reads the arguments of the action.
func (a Action) Parse(args Args) (Values, Problems) {
	vs, problems := a.Args.Parse("argument of "+a.Name, args)
	if a.AtLeastOne && len(args) == 0 {
		problems = append(problems, Problem{Message: "needs at least one argument", Allowed: strings.Join(a.Args.Names(), ", ")})
	}
	return vs, problems
}
