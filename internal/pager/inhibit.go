package pager

import (
	"slices"
	"strconv"

	"github.com/firedrill/firedrill/alerts"
)

// inhibitor knows which alerts are silenced by others that fire. As in
// Alertmanager, a label that an alert does not have is as good as an empty one.
type inhibitor struct {
	rules  []alerts.Inhibition
	active map[string]bool // keys of the sources that fire
}

func newInhibitor(rules []alerts.Inhibition) *inhibitor {
	return &inhibitor{rules: rules, active: map[string]bool{}}
}

// add takes a firing alert into account.
func (i *inhibitor) add(a Alert) {
	for n, rule := range i.rules {
		if a.Severity() == rule.Source {
			i.active[inhibitionKey(n, rule, a.Labels)] = true
		}
	}
}

// silences reports whether an alert with these labels is silenced.
func (i *inhibitor) silences(a Alert) bool {
	severity := a.Severity()
	n := 0
	return slices.ContainsFunc(i.rules, func(rule alerts.Inhibition) bool {
		n++
		return severity == rule.Target && i.active[inhibitionKey(n-1, rule, a.Labels)]
	})
}

// inhibitionKey is the same for a source and a target of the n-th rule that
// agree in its labels.
func inhibitionKey(n int, rule alerts.Inhibition, l Labels) string {
	key := strconv.Itoa(n)
	for _, name := range rule.Equal {
		key += "\xff" + l[name]
	}
	return key
}
