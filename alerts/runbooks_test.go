package alerts

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/firedrill/firedrill/simulator/schema"
	"github.com/firedrill/firedrill/simulator/web"
)

// codeLines returns the indented lines of a page: queries and commands.
func codeLines(t *testing.T, page string) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "    ") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

func isCommand(line string) bool {
	return strings.HasPrefix(line, "firedrill ") || strings.HasPrefix(line, "curl ")
}

// TestRunbookCommands: what a runbook tells people to do to a service can be
// done.
func TestRunbookCommands(t *testing.T) {
	actions, seen := web.Kind().Actions, 0
	for _, page := range glob(t, "../docs/runbooks/*.md") {
		for _, line := range codeLines(t, page) {
			words, ok := strings.CutPrefix(line, "firedrill do shop ")
			if !ok {
				continue
			}
			seen++
			name, rest, _ := strings.Cut(words, " ")
			i := slices.IndexFunc(actions, func(a schema.Action) bool { return a.Name == name })
			if i < 0 || actions[i].Fault {
				t.Errorf("%s: %s: no such action of an operator", page, line)
				continue
			}
			args := schema.Args{}
			for _, word := range strings.Fields(rest) {
				key, value, _ := strings.Cut(word, "=")
				args[key] = value
			}
			if _, problems := actions[i].Parse(args); len(problems) > 0 {
				t.Errorf("%s: %s: %v", page, line, problems)
			}
		}
	}
	if seen < 15 {
		t.Errorf("found only %d commands", seen)
	}
}

// TestRunbookQueries: Prometheus can read every query of the runbooks.
func TestRunbookQueries(t *testing.T) {
	promtool := tool(t, "promtool", "prometheus")
	var rules []rule
	for _, page := range glob(t, "../docs/runbooks/*.md") {
		for i, line := range codeLines(t, page) {
			if !isCommand(line) {
				rules = append(rules, rule{comment: page, record: fmt.Sprintf("%s:%d", strings.TrimSuffix(filepath.Base(page), ".md"), i), expr: line})
			}
		}
	}
	if len(rules) < 50 {
		t.Errorf("found only %d queries", len(rules))
	}
	data, err := maker{DefaultOptions(1)}.ruleFile("Queries of the runbooks", group{name: "queries", rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "queries.yml")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, promtool, "check", "rules", file)
}
