package scenario

import (
	"embed"
	"path"
	"slices"
)

//go:embed suite/*.yaml
var suiteFiles embed.FS

// suite are the names of the scenarios that try alert rules, each with one
// question: they are no drills and have no operator.
var suite = []string{
	"total-outage", "slow-burn", "short-spike", "flapping", "one-bad-pod", "latency-only",
	"traffic-drop", "low-traffic", "restarts", "monitoring-gap",
}

// SuiteNames lists the scenarios that try alert rules.
func SuiteNames() []string { return slices.Clone(suite) }

// Suite returns the scenarios that try alert rules, in the order of SuiteNames.
func Suite() []*Scenario {
	scenarios := make([]*Scenario, len(suite))
	for i, name := range suite {
		scenarios[i], _ = FindSuite(name)
	}
	return scenarios
}

// FindSuite returns the scenario of that name that tries alert rules.
func FindSuite(name string) (*Scenario, bool) {
	if !slices.Contains(suite, name) {
		return nil, false
	}
	file := path.Join("suite", name+".yaml")
	data, err := suiteFiles.ReadFile(file)
	if err != nil {
		panic("scenario: " + name + " does not come with the program")
	}
	s, err := Parse(file, data)
	if err != nil {
		panic("scenario: a scenario of the suite is always valid: " + err.Error())
	}
	return s, true
}
