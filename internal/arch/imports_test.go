package arch

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

const modulePath = "github.com/firedrill/firedrill"

// row says what the package in a folder may import besides the standard
// library: other folders of this module and modules of other people.
type row struct {
	folder  string
	own     []string
	foreign []string
}

var (
	leaves   = []string{"simulator/unit", "simulator/schema", "simulator/latency", "simulator/fmath", "simulator/rng"}
	core     = slices.Concat(leaves, []string{"simulator/dist", "simulator/queueing", "simulator"})
	models   = []string{"simulator/web", "simulator/rollout", "simulator/cdn"}
	outlets  = []string{"exporter/metric", "exporter/series"}
	product  = slices.Concat(core, models, outlets, []string{"simulator/scenario", "exporter"})
	rules    = []string{"alerts", "alerts/slofile"}
	services = slices.Concat(product, rules, []string{"dashboards", "internal/driver", "internal/admin", "internal/pager", "internal/pager/webhook", "internal/pager/notify"})
)

// importTable is the whole architecture: imports point inward, siblings never
// meet, only cmd/firedrill wires. Extend it in the change that needs it, and
// think about the direction of the arrow first.
var importTable = []row{
	{folder: "simulator/unit"},
	{folder: "simulator/schema", foreign: []string{"github.com/agnivade/levenshtein"}},
	{folder: "simulator/latency"},
	{folder: "simulator/fmath"},
	{folder: "simulator/rng", own: []string{"simulator/fmath"}},
	{folder: "simulator/dist", own: leaves},
	{folder: "simulator/queueing", own: leaves},
	{folder: "simulator", own: leaves},
	{folder: "simulator/web", own: core},
	{folder: "simulator/cdn", own: slices.Concat(core, []string{"simulator/document"}), foreign: []string{"github.com/gaissmai/bart", "gopkg.in/yaml.v3"}},
	{folder: "simulator/rollout", own: core},
	{folder: "simulator/document", own: []string{"simulator/schema"}, foreign: []string{"gopkg.in/yaml.v3"}},
	{folder: "simulator/scenario", own: slices.Concat(core, models, []string{"simulator/document"}), foreign: []string{"gopkg.in/yaml.v3"}},
	{folder: "exporter/metric"},
	{folder: "exporter/series", own: []string{"exporter/metric", "simulator", "simulator/latency"}, foreign: []string{
		"github.com/prometheus/client_golang", "github.com/prometheus/client_model", "github.com/prometheus/common", "google.golang.org/protobuf"}},
	{folder: "exporter", own: slices.Concat(core, models, outlets), foreign: []string{
		"github.com/prometheus/client_golang", "github.com/prometheus/client_model", "github.com/prometheus/common"}},
	{folder: "alerts", own: []string{"exporter/metric"}, foreign: []string{"gopkg.in/yaml.v3"}},
	{folder: "alerts/slofile", own: []string{"alerts", "exporter/metric", "simulator/schema", "simulator/document", "simulator/latency"}, foreign: []string{"gopkg.in/yaml.v3"}},
	{folder: "alerts/promengine", own: slices.Concat(outlets, []string{"simulator/latency"}), foreign: []string{
		"gopkg.in/yaml.v3",
		"github.com/prometheus/common/model", "github.com/prometheus/prometheus/model/histogram", "github.com/prometheus/prometheus/model/labels",
		"github.com/prometheus/prometheus/model/rulefmt", "github.com/prometheus/prometheus/model/value", "github.com/prometheus/prometheus/promql",
		"github.com/prometheus/prometheus/storage", "github.com/prometheus/prometheus/template", "github.com/prometheus/prometheus/tsdb/chunkenc",
		"github.com/prometheus/prometheus/util/annotations"}},
	{folder: "alerts/promengine/api", own: slices.Concat(outlets, []string{"alerts/promengine"}), foreign: []string{
		"github.com/prometheus/common/model", "github.com/prometheus/prometheus/model/histogram", "github.com/prometheus/prometheus/model/labels",
		"github.com/prometheus/prometheus/model/timestamp", "github.com/prometheus/prometheus/promql", "github.com/prometheus/prometheus/storage",
		"github.com/prometheus/prometheus/util/annotations", "github.com/prometheus/prometheus/util/stats"}},
	{folder: "alerts/promconfig", own: []string{"simulator/schema", "simulator/document"}, foreign: []string{
		"github.com/prometheus/common/model", "github.com/prometheus/prometheus/model/labels", "gopkg.in/yaml.v3"}},
	{folder: "alerts/watch", own: slices.Concat(product, []string{"alerts/promengine"})},
	{folder: "alerts/rehearsal", own: slices.Concat(product, []string{"alerts", "alerts/promengine", "alerts/watch", "simulator/document"}), foreign: []string{
		"github.com/prometheus/prometheus/model/labels", "github.com/prometheus/prometheus/promql/parser", "gopkg.in/yaml.v3"}},
	{folder: "dashboards", own: []string{"exporter/metric"}, foreign: []string{"github.com/grafana/grafana-foundation-sdk/go"}},
	{folder: "dashboards/dashtest", own: []string{"exporter/metric", "simulator/latency"}},
	{folder: "internal/driver", own: product},
	{folder: "internal/admin", own: slices.Concat(product, []string{"alerts", "internal/driver", "internal/pager", "internal/pager/webhook"}), foreign: []string{
		"github.com/danielgtaylor/huma/v2"}},
	{folder: "internal/pager", own: []string{"alerts", "exporter/metric", "simulator"}},
	{folder: "internal/pager/webhook", own: []string{"internal/pager", "simulator/schema"}},
	{folder: "internal/pager/notify", own: []string{"internal/pager", "internal/pager/webhook"}},
	{folder: "internal/arch"},
	{folder: "internal/pipenet"},
	{folder: "cmd/firedrill", own: slices.Concat(services, []string{
		"alerts/promengine", "alerts/promengine/api", "alerts/promconfig", "alerts/watch", "alerts/rehearsal"}), foreign: []string{
		"github.com/alecthomas/kong", "github.com/prometheus/prometheus/model/labels", "github.com/schollz/progressbar/v3", "golang.org/x/term",
		"github.com/prometheus/client_golang", "github.com/prometheus/exporter-toolkit", "gopkg.in/yaml.v3"}},
	{folder: "cmd/firedrill/e2e"},
}

// siblings are groups of packages that never import each other.
var siblings = [][]string{models}

// testModules are the modules that test files may use besides what their
// package may.
var testModules = []string{
	"github.com/google/go-cmp",
	"github.com/prometheus/client_golang",
	"github.com/prometheus/client_model",
	"github.com/prometheus/common",
	"github.com/prometheus/prometheus",
	"github.com/rogpeppe/go-internal",
	"golang.org/x/tools",
	"gopkg.in/yaml.v3",
	"pgregory.net/rapid",
}

func TestImports(t *testing.T) {
	for _, problem := range checkImports(importTable, goFiles(t)) {
		t.Error(problem)
	}
}

func TestImportTable(t *testing.T) {
	for _, problem := range checkTable(importTable, siblings) {
		t.Error(problem)
	}
}

// checkImports compares what the files import with the table.
func checkImports(table []row, files []goFile) []string {
	var problems []string
	rows := map[string]row{}
	for _, r := range table {
		rows[r.folder] = r
	}
	unused := maps.Clone(rows)
	missing := map[string]bool{}
	for _, file := range files {
		r, known := rows[file.folder()]
		if !known {
			missing[file.folder()] = true
			continue
		}
		delete(unused, r.folder)
		for _, path := range file.imports() {
			if why := r.refuses(path, file.isTest()); why != "" {
				problems = append(problems, fmt.Sprintf("%s imports %s: %s (importTable in internal/arch/imports_test.go)", file.path, path, why))
			}
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(missing)) {
		problems = append(problems, fmt.Sprintf("package %s is not in importTable of internal/arch/imports_test.go: add a row that says what it may import", folder))
	}
	for _, folder := range slices.Sorted(maps.Keys(unused)) {
		problems = append(problems, fmt.Sprintf("importTable has a row for %s, which has no Go files: remove the row", folder))
	}
	return problems
}

// refuses says why the row does not allow an import, "" where it does.
func (r row) refuses(path string, test bool) string {
	folder, own := strings.CutPrefix(path, modulePath+"/")
	switch {
	case path == "C":
		return "firedrill is built without cgo"
	case own && strings.HasPrefix(folder, "cmd/"):
		return "nothing imports cmd"
	case own && (test || slices.Contains(r.own, folder)):
		return ""
	case own:
		return r.folder + " may not import it: imports point inward"
	case isStandard(path) || within(path, r.foreign) || test && within(path, testModules):
		return ""
	case test:
		return "tests may not use this module"
	}
	return r.folder + " may not use this module"
}

func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

func within(path string, modules []string) bool {
	return slices.ContainsFunc(modules, func(module string) bool {
		return path == module || strings.HasPrefix(path, module+"/")
	})
}

// checkTable holds the rules that the table itself obeys.
func checkTable(table []row, siblings [][]string) []string {
	var problems []string
	seen := map[string]bool{}
	for _, r := range table {
		if seen[r.folder] {
			problems = append(problems, fmt.Sprintf("importTable has two rows for %s", r.folder))
		}
		seen[r.folder] = true
		for _, to := range r.own {
			if why := forbiddenArrow(r.folder, to, siblings); why != "" {
				problems = append(problems, fmt.Sprintf("importTable lets %s import %s: %s", r.folder, to, why))
			}
		}
	}
	return problems
}

func forbiddenArrow(from, to string, siblings [][]string) string {
	simulated := func(folder string) bool { return folder == "simulator" || strings.HasPrefix(folder, "simulator/") }
	switch {
	case strings.HasPrefix(to, "cmd/"):
		return "nothing imports cmd"
	case simulated(from) && !simulated(to):
		return "simulator/ knows nothing outside itself"
	}
	for _, group := range siblings {
		if slices.Contains(group, from) && slices.Contains(group, to) {
			return "siblings never meet"
		}
	}
	return ""
}

func TestCheckImports(t *testing.T) {
	table := []row{
		{folder: "simulator/unit"},
		{folder: "simulator/web", own: []string{"simulator/unit"}, foreign: []string{"gopkg.in/yaml.v3"}},
	}
	unit := goFile{path: "simulator/unit/unit.go", source: "package unit"}
	for name, c := range map[string]struct {
		path, imports, want string
	}{
		"allowed":            {"simulator/web/a.go", `"fmt"; "github.com/firedrill/firedrill/simulator/unit"; "gopkg.in/yaml.v3"`, ""},
		"outward":            {"simulator/unit/a.go", `"github.com/firedrill/firedrill/simulator/web"`, "simulator/unit may not import it"},
		"cmd":                {"simulator/web/a_test.go", `"github.com/firedrill/firedrill/cmd/firedrill"`, "nothing imports cmd"},
		"foreign":            {"simulator/web/a.go", `"github.com/google/go-cmp/cmp"`, "may not use this module"},
		"foreign in a test":  {"simulator/web/a_test.go", `"github.com/google/go-cmp/cmp"`, ""},
		"a longer name":      {"simulator/web/a.go", `"gopkg.in/yaml.v3extra"`, "may not use this module"},
		"unknown test mod":   {"simulator/web/a_test.go", `"example.com/x"`, "tests may not use"},
		"cgo":                {"simulator/web/a.go", `"C"`, "without cgo"},
		"package not listed": {"simulator/new/a.go", `"fmt"`, "not in importTable"},
	} {
		t.Run(name, func(t *testing.T) {
			file := goFile{path: c.path, source: "package p\nimport (" + c.imports + ")"}
			problems := checkImports(table, []goFile{unit, {path: "simulator/web/doc.go", source: "package web"}, file})
			wantProblem(t, problems, c.want)
		})
	}
	t.Run("unused row", func(t *testing.T) {
		wantProblem(t, checkImports(table, []goFile{unit}), "row for simulator/web, which has no Go files")
	})
}

func TestCheckTable(t *testing.T) {
	for name, c := range map[string]struct {
		table []row
		want  string
	}{
		"good":     {[]row{{folder: "exporter", own: []string{"simulator"}}}, ""},
		"twice":    {[]row{{folder: "exporter"}, {folder: "exporter"}}, "two rows"},
		"cmd":      {[]row{{folder: "exporter", own: []string{"cmd/firedrill"}}}, "nothing imports cmd"},
		"outward":  {[]row{{folder: "simulator/web", own: []string{"exporter"}}}, "nothing outside itself"},
		"siblings": {[]row{{folder: "simulator/web", own: []string{"simulator/cdn"}}}, "siblings never meet"},
	} {
		t.Run(name, func(t *testing.T) {
			wantProblem(t, checkTable(c.table, [][]string{{"simulator/cdn", "simulator/web"}}), c.want)
		})
	}
}

// wantProblem checks that there is exactly one problem and that it says want,
// or that there is none where want is empty.
func wantProblem(t *testing.T, problems []string, want string) {
	t.Helper()
	switch {
	case want == "" && len(problems) > 0:
		t.Errorf("found %q, want no problem", problems)
	case want != "" && (len(problems) != 1 || !strings.Contains(problems[0], want)):
		t.Errorf("found %q, want one problem with %q", problems, want)
	}
}
