package exporter_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/firedrill/firedrill/exporter/metric"
)

// TestNamesAreSpelledOnce reads the source of the exporter: no name of a
// metric or label stands outside package metric.
func TestNamesAreSpelledOnce(t *testing.T) {
	labels := map[string]bool{metric.Job: true, metric.Instance: true, metric.LE: true, metric.ScrapePath: true, metric.ScrapeScheme: true}
	for _, d := range metric.All() {
		for _, label := range d.Labels {
			labels[label] = true
		}
	}
	files := 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || filepath.Dir(path) == "metric" {
			return err
		}
		files++
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
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
			if labels[text] || strings.HasPrefix(text, metric.SimulatorJob+"_") {
				t.Errorf("%s spells %q, which package metric has a name for", set.Position(literal.Pos()), text)
			}
			for _, d := range metric.All() {
				if strings.Contains(text, d.Name) {
					t.Errorf("%s spells %q, a metric of package metric", set.Position(literal.Pos()), d.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 10 {
		t.Errorf("read %d files, want all of the exporter", files)
	}
}
