package dashboards

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/firedrill/firedrill/exporter/metric"
)

// TestNamesAreSpelledOnce reads the source: no name of a metric or of one of its
// labels stands outside package metric. The variable service has the name of a
// label.
func TestNamesAreSpelledOnce(t *testing.T) {
	names := []string{metric.Job, metric.Instance, metric.LE, metric.Severity, metric.AlertName, metric.AlertState, metric.Quantile}
	for _, d := range metric.All() {
		names = append(names, d.Labels...)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			read++
			at := set.Position(literal.Pos())
			if slices.Contains(names, text) && text != serviceVariable {
				t.Errorf("%s spells %q, a label of package metric", at, text)
			}
			for _, d := range metric.All() {
				if strings.Contains(text, d.Name) {
					t.Errorf("%s spells %q, a metric of package metric", at, d.Name)
				}
			}
			return true
		})
	}
	if read < 100 {
		t.Errorf("only %d texts are read", read)
	}
}
