package rehearsal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/firedrill/firedrill/exporter/metric"
)

// titlesOf names rules so that those of one name can be told apart: by the labels
// in which they differ, the severity only where nothing else does, and by their
// place where nothing does.
func titlesOf(rules []Rule) []string {
	byName := map[string][]int{}
	for i, rule := range rules {
		byName[rule.Name] = append(byName[rule.Name], i)
	}
	titles := make([]string, len(rules))
	for i, rule := range rules {
		titles[i] = rule.Name + distinction(rules, byName[rule.Name], i)
	}
	return titles
}

// distinction is what a rule has and the others in same have not, behind a
// space; "" where it is alone.
func distinction(rules []Rule, same []int, own int) string {
	if len(same) < 2 {
		return ""
	}
	for _, names := range [][]string{differing(rules, same, metric.Severity), {metric.Severity}} {
		values := func(i int) string { return valuesOf(rules[i].Labels, names) }
		if !slices.ContainsFunc(same, func(i int) bool { return i != own && values(i) == values(own) }) {
			return " " + values(own)
		}
	}
	return fmt.Sprintf(" #%d", slices.Index(same, own)+1)
}

// differing returns the labels, except one, whose values the rules do not share.
func differing(rules []Rule, same []int, except string) []string {
	var names []string
	for _, i := range same {
		rules[i].Labels.Range(func(l labels.Label) {
			shared := !slices.ContainsFunc(same, func(j int) bool { return rules[j].Labels.Get(l.Name) != l.Value })
			if !shared && l.Name != except && !slices.Contains(names, l.Name) {
				names = append(names, l.Name)
			}
		})
	}
	slices.Sort(names)
	return names
}

func valuesOf(l labels.Labels, names []string) string {
	values := make([]string, len(names))
	for i, name := range names {
		values[i] = l.Get(name)
	}
	return strings.TrimSpace(strings.Join(values, " "))
}

// static writes the labels that a rule sets, without those that are templates, as
// matchers; quotes are those of YAML's single-quoted text.
func static(rule RuleReport) string {
	var all []string
	rule.Labels.Range(func(l labels.Label) {
		if !strings.Contains(l.Value, "{{") {
			all = append(all, labels.MustNewMatcher(labels.MatchEqual, l.Name, l.Value).String())
		}
	})
	return strings.ReplaceAll(strings.Join(all, ", "), "'", "''")
}
