package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/firedrill/firedrill/exporter/metric"
)

// speller is a folder whose source writes names of metrics and labels, which
// package metric alone spells.
type speller struct {
	folder string
	below  bool                         // folders in it as well
	labels []string                     // besides those of the metrics
	excuse func(file, text string) bool // for what only looks like a label; nil where there is none
	prefix string                       // that no text begins with; "" where any may
	texts  int                          // read at least, so that the test sees what it is about
}

var spellers = []speller{
	{
		folder: "exporter", below: true, labels: []string{metric.Job, metric.Instance, metric.LE, metric.ScrapePath, metric.ScrapeScheme},
		prefix: metric.SimulatorJob + "_", texts: 100,
	},
	{
		// An SLO has fields that are called as labels are.
		folder: "alerts", labels: []string{metric.Job, metric.Instance, metric.LE},
		excuse: func(file, text string) bool { return file == "slo.go" && text == "service" }, texts: 100,
	},
	{
		// A variable of dashboards has the name of a label.
		folder: "dashboards", labels: []string{metric.Job, metric.Instance, metric.LE, metric.Severity, metric.AlertName, metric.AlertState, metric.Quantile},
		excuse: func(_, text string) bool { return text == "service" }, texts: 100,
	},
}

// TestNamesAreSpelledOnce reads the source: no name of a metric or of one of its
// labels stands outside package metric.
func TestNamesAreSpelledOnce(t *testing.T) {
	files := goFiles(t)
	for _, s := range spellers {
		read := 0
		for _, file := range files {
			if s.has(file) {
				read += s.check(t, file)
			}
		}
		if read < s.texts {
			t.Errorf("only %d texts of %s are read, want at least %d", read, s.folder, s.texts)
		}
	}
}

// has reports whether the file has to ask package metric for names.
func (s speller) has(file goFile) bool {
	folder := file.folder()
	return !file.isTest() && folder != "exporter/metric" &&
		(folder == s.folder || s.below && strings.HasPrefix(folder, s.folder+"/"))
}

// check reports the names that a file spells, and returns how many texts it has.
func (s speller) check(t *testing.T, file goFile) (texts int) {
	t.Helper()
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file.path, file.source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(literal.Value)
		if err != nil {
			t.Fatal(err)
		}
		texts++
		if spelled := s.spelled(path.Base(file.path), text); spelled != "" {
			t.Errorf("%s spells %q: package metric has %s", set.Position(literal.Pos()), text, spelled)
		}
		return true
	})
	return texts
}

// spelled says which name of package metric a text has, "" where it has none.
func (s speller) spelled(file, text string) string {
	if s.prefix != "" && strings.HasPrefix(text, s.prefix) {
		return "names that begin with " + s.prefix
	}
	isLabel := slices.Contains(s.labels, text)
	for _, d := range metric.All() {
		if strings.Contains(text, d.Name) {
			return "the metric " + d.Name
		}
		isLabel = isLabel || slices.Contains(d.Labels, text)
	}
	if isLabel && (s.excuse == nil || !s.excuse(file, text)) {
		return "the label " + text
	}
	return ""
}
