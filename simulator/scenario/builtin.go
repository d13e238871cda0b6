package scenario

import (
	"embed"
	"path"
	"slices"
)

//go:embed builtin/*.yaml
var files embed.FS

// builtins are the names of the scenarios that come with the program, the one
// that people should begin with first.
var builtins = []string{"calm", "bad-deploy", "cache-flush", "viral-link",
	"three-deploys", "watchdog-wins", "night-crash", "silent-drift", "bad-image",
	"kick-off", "link-cut", "maintenance", "concert", "pandemic", "tournament-evening"}

// BuiltinNames lists the scenarios that come with the program, in the order in
// which people should meet them.
func BuiltinNames() []string { return slices.Clone(builtins) }

// Builtin returns the scenarios that come with the program, in the order of
// BuiltinNames.
func Builtin() []*Scenario {
	scenarios := make([]*Scenario, len(builtins))
	for i, name := range builtins {
		scenarios[i], _ = FindBuiltin(name)
	}
	return scenarios
}

// FindBuiltin returns the scenario of that name that comes with the program.
func FindBuiltin(name string) (*Scenario, bool) {
	if !slices.Contains(builtins, name) {
		return nil, false
	}
	data := Source(name)
	s, err := Parse(path.Join("builtin", name+".yaml"), data)
	if err != nil {
		panic("scenario: a built-in scenario is always valid: " + err.Error())
	}
	return s, true
}

// Source returns the file of a scenario that comes with the program, for
// people who begin one of their own with it.
func Source(name string) []byte {
	data, err := files.ReadFile(path.Join("builtin", name+".yaml"))
	if err != nil {
		panic("scenario: " + name + " does not come with the program")
	}
	return data
}
