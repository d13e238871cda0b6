package alerts

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

// TestNamesAreSpelledOnce reads the source: no name of a metric or of one of
// its labels stands outside package metric.
func TestNamesAreSpelledOnce(t *testing.T) {
	labels := []string{metric.Job, metric.Instance, metric.LE}
	for _, d := range metric.All() {
		labels = append(labels, d.Labels...)
	}
	for _, name := range glob(t, "*.go") {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				checkSpelling(t, set.Position(literal.Pos()), literal.Value, labels)
			}
			return true
		})
	}
}

// asFields are fields of an SLO that are called as a label is.
var asFields = []string{"service"}

func checkSpelling(t *testing.T, at token.Position, literal string, labels []string) {
	t.Helper()
	text, err := strconv.Unquote(literal)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(labels, text) && !(slices.Contains(asFields, text) && filepath.Base(at.Filename) == "slo.go") {
		t.Errorf("%s spells %q, a label of package metric", at, text)
	}
	for _, d := range metric.All() {
		if strings.Contains(text, d.Name) {
			t.Errorf("%s spells %q, a metric of package metric", at, d.Name)
		}
	}
}
