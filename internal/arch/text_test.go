package arch

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// banned is text that no file of the module has.
type banned struct {
	text *regexp.Regexp
	why  string
}

// The patterns are written so that they do not match themselves.
var bannedTexts = []banned{
	{regexp.MustCompile(`\bvector\(` + `0\)`), "it turns missing data into health: let 0/0 be silent"},
	{regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X|HA` + `CK)\b`), "finish it, or file an issue and leave no mark"},
	{regexp.MustCompile(`^(<<<<` + `<<<|>>>>` + `>>>) `), "a merge was left unfinished"},
}

var textExtensions = []string{".go", ".yml", ".yaml", ".md", ".json", ".txt", ".sh", ".prom", ".js", ".css", ".html"}

func TestText(t *testing.T) {
	for _, file := range readFiles(t, func(name string) bool { return slices.Contains(textExtensions, path.Ext(name)) }) {
		for _, problem := range checkText(file) {
			t.Error(problem)
		}
	}
}

func checkText(file goFile) []string {
	var problems []string
	n := 0
	for line := range strings.Lines(file.source) {
		n++
		for _, b := range bannedTexts {
			if match := b.text.FindString(line); match != "" {
				problems = append(problems, fmt.Sprintf("%s:%d: %q must not stay: %s", file.path, n, match, b.why))
			}
		}
	}
	return problems
}

func TestCheckText(t *testing.T) {
	for name, c := range map[string]struct{ line, want string }{
		"good":          {"sum(rate(x[5m])) / vector(1) // the to-do list of a hacker: fix me a drink", ""},
		"zero vector":   {"expr: x or vector(" + "0)", "missing data"},
		"to do":         {"// TO" + "DO: split", "file an issue"},
		"fix me":        {"# FIX" + "ME", "file an issue"},
		"merge":         {"<<<<" + "<<< HEAD", "merge"},
		"part of words": {"HACKATHON XXXL METHODO", ""},
	} {
		t.Run(name, func(t *testing.T) {
			wantProblem(t, checkText(goFile{path: "a.yml", source: "first\n" + c.line + "\n"}), c.want)
		})
	}
}
