package main

import (
	"fmt"
	"strings"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
	"github.com/firedrill/firedrill/simulator/schema"
)

// generateConfigCmd writes the tables of what a service is configured with,
// what can be done to it, and what it reports.
type generateConfigCmd struct{ output }

// Run writes or checks the file.
func (c *generateConfigCmd) Run(s streams) error {
	return c.emit(s, generator{name: "config", path: "docs/configuration.md", make: func() ([]byte, error) {
		return []byte(configMarkdown(scenario.Kinds())), nil
	}})
}

// configMarkdown describes kinds of models.
func configMarkdown(kinds []*simulator.Kind) string {
	var b strings.Builder
	b.WriteString("# Configuration, actions and columns\n\nWhat each kind of service in a scenario is configured with, what can be done to it, " +
		"and what its rows hold; `firedrill generate config` makes this file.\n")
	for _, kind := range kinds {
		fmt.Fprintf(&b, "\n## Kind `%s`\n", kind.Name)
		writeConfig(&b, kind)
		writeActions(&b, "Actions of an operator", kind, false)
		writeActions(&b, "Faults and outside events", kind, true)
		writeColumns(&b, kind)
		for _, list := range kind.Lists {
			writeList(&b, list)
		}
	}
	return b.String()
}

// writeConfig writes the keys of a kind's configuration.
func writeConfig(b *strings.Builder, kind *simulator.Kind) {
	rows := make([][]string, len(kind.Config))
	for i, spec := range kind.Config {
		rows[i] = []string{code(spec.Name), spec.Kind.String(), spec.Unit, defaultOf(spec), spec.Allowed(), yesNo(settable(kind, spec.Name)), spec.Help}
	}
	writeTable(b, "Configuration", "Key|Kind|Unit|Default|Allowed|An operator may change it (`set`)|Meaning", rows)
}

// settable reports whether an operator can change a key while the service runs.
func settable(kind *simulator.Kind, key string) bool {
	for _, action := range kind.Actions {
		if action.Name == "set" {
			_, ok := action.Args.Find(key)
			return ok
		}
	}
	return false
}

// writeActions writes the actions of a kind that are faults, or those that are
// not: a row for each and one for each of its arguments.
func writeActions(b *strings.Builder, title string, kind *simulator.Kind, fault bool) {
	var rows [][]string
	for _, action := range kind.Actions {
		if action.Fault != fault {
			continue
		}
		rows = append(rows, []string{code(action.Name), "", "", "", action.Help})
		for _, spec := range action.Args {
			rows = append(rows, []string{"", code(spec.Name), necessity(action, spec), spec.Allowed(), spec.Help})
		}
	}
	writeTable(b, title, "Action|Argument|Required|Allowed|Meaning", rows)
}

// necessity says whether an argument has to be given.
func necessity(action schema.Action, spec schema.Spec) string {
	switch {
	case spec.Required:
		return "yes"
	case action.AtLeastOne:
		return "at least one"
	}
	return "no: " + defaultOf(spec)
}

// writeColumns writes the columns of a kind's rows.
func writeColumns(b *strings.Builder, kind *simulator.Kind) {
	rows := make([][]string, len(kind.Columns))
	for i, column := range kind.Columns {
		heading := ""
		if column.Head != "" {
			heading = code(column.Head)
		}
		rows[i] = []string{code(column.Key), columnUnit(column), heading, yesNo(!column.Truth)}
	}
	writeTable(b, "Columns", "Key|Meaning of the value|Heading in the table of `simulate`|Shown during a drill", rows)
}

// writeList writes what the items of a kind's list have, in JSON lines.
func writeList(b *strings.Builder, list simulator.List) {
	rows := [][]string{{code("id"), "its name"}}
	for _, column := range list.Columns {
		rows = append(rows, []string{code(column.Key), columnUnit(column)})
	}
	writeTable(b, "List "+code(list.Key)+" in JSON lines", "Key|Meaning of the value", rows)
}

// columnUnit reads what a value is from the end of its column's name; the
// first ending that fits counts.
func columnUnit(column simulator.Column) string {
	for _, unit := range [][2]string{
		{"burn_rate", "times the even use of the budget"}, {"burn_rate_1h", "times the even use of the budget, over an hour"},
		{"load_ratio", "traffic over capacity"}, {"_ratio", "a share, 1 for all"}, {"_bits_per_second", "bits per second"}, {"_rate", "per second"}, {"_seconds", "seconds"}, {"_dollars", "dollars"}, {"_probability", "0 to 1"},
	} {
		if strings.HasSuffix(column.Key, unit[0]) {
			return unit[1]
		}
	}
	if column.Whole {
		return "a whole number"
	}
	return ""
}

// writeTable writes a table under a heading; the names of its columns are
// separated by bars.
func writeTable(b *strings.Builder, title, head string, rows [][]string) {
	names := strings.Split(head, "|")
	fmt.Fprintf(b, "\n### %s\n\n| %s |\n|%s\n", title, strings.Join(names, " | "), strings.Repeat("---|", len(names)))
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = strings.ReplaceAll(cell, "|", `\|`)
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
	}
}

func code(text string) string { return "`" + text + "`" }

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// defaultOf shows the default of a value, nothing where it has to be given.
func defaultOf(spec schema.Spec) string {
	if spec.Required {
		return ""
	}
	if text := spec.Default.String(); text != "" {
		return code(text)
	}
	return ""
}
