package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sleepers are the functions in test files that may sleep in real time, with
// the reason.
var sleepers = []exception{
	{"internal/driver.run.Step", "tests do not sleep", "a slow step, which only tests in a bubble ask for"},
}

func TestTestsDoNotSleep(t *testing.T) {
	folders := map[string][]goFile{}
	for _, file := range goFiles(t) {
		if file.isTest() {
			folders[file.folder()] = append(folders[file.folder()], file)
		}
	}
	var found []finding
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		found = append(found, parseTests(t, folder, folders[folder]).sleeps()...)
	}
	found, unused := excuse(found, sleepers)
	for _, f := range found {
		t.Error(f)
	}
	for _, e := range unused {
		t.Errorf("%s does not sleep any more: remove it from sleepers", e.function)
	}
}

// tests are the test files of one folder.
type tests struct {
	pkg
	bubbles map[string]bool // functions that run what they are given in a bubble of testing/synctest
}

func parseTests(t *testing.T, folder string, files []goFile) *tests {
	t.Helper()
	ts := &tests{pkg{folder: folder, fset: token.NewFileSet()}, map[string]bool{}}
	for _, file := range files {
		tree, err := parser.ParseFile(ts.fset, file.path, file.source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ts.files = append(ts.files, tree)
	}
	ts.each(func(file *ast.File, decl ast.Decl) {
		ast.Inspect(decl, func(n ast.Node) bool {
			if x, ok := n.(ast.Expr); ok && isNamed(file, x, "testing/synctest", "Test") {
				ts.bubbles[nameOf(decl)] = true
			}
			return true
		})
	})
	return ts
}

func (ts *tests) each(visit func(*ast.File, ast.Decl)) {
	for _, file := range ts.files {
		for _, decl := range file.Decls {
			visit(file, decl)
		}
	}
}

// sleeps finds where tests sleep in real time: the calls of time.Sleep in the
// tests and in what they use, apart from what they run in a bubble, whose time
// is simulated. A name stands for everything that has it.
func (ts *tests) sleeps() []finding {
	exposed := map[string]bool{}
	for before := -1; before < len(exposed); {
		before = len(exposed)
		ts.each(func(file *ast.File, decl ast.Decl) {
			if name := nameOf(decl); isRoot(name) || exposed[name] {
				ts.outsideBubbles(file, decl, func(x ast.Expr) {
					if ident, ok := x.(*ast.Ident); ok {
						exposed[ident.Name] = true
					}
				})
			}
		})
	}
	var found []finding
	ts.each(func(file *ast.File, decl ast.Decl) {
		if name := nameOf(decl); !isRoot(name) && !exposed[name] {
			return
		}
		ts.outsideBubbles(file, decl, func(x ast.Expr) {
			if isNamed(file, x, "time", "Sleep") {
				found = append(found, finding{ts.position(x), ts.function(x), "tests do not sleep",
					"time.Sleep in a test is slow or flaky: wait for an event with a deadline, or use testing/synctest"})
			}
		})
	})
	return found
}

// isRoot reports whether a declaration is used by nobody but the test runner.
func isRoot(name string) bool {
	return name == "" || slices.ContainsFunc([]string{"Test", "Benchmark", "Fuzz", "Example"}, func(prefix string) bool {
		return strings.HasPrefix(name, prefix)
	})
}

// nameOf returns the name of a function or method, "" of other declarations.
func nameOf(decl ast.Decl) string {
	if f, ok := decl.(*ast.FuncDecl); ok {
		return f.Name.Name
	}
	return ""
}

// outsideBubbles visits the expressions of a declaration's body that do not run
// in a bubble.
func (ts *tests) outsideBubbles(file *ast.File, decl ast.Decl, visit func(ast.Expr)) {
	var in ast.Node = decl
	if f, ok := decl.(*ast.FuncDecl); ok {
		if f.Body == nil {
			return
		}
		in = f.Body
	}
	ast.Inspect(in, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			ident, _ := call.Fun.(*ast.Ident)
			if isNamed(file, call.Fun, "testing/synctest", "Test") || ident != nil && ts.bubbles[ident.Name] {
				return false
			}
		}
		if x, ok := n.(ast.Expr); ok {
			visit(x)
		}
		return true
	})
}

// isNamed reports whether x is the name, in this file, of something that a
// package exports.
func isNamed(file *ast.File, x ast.Expr, importPath, name string) bool {
	selector, ok := x.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != name {
		return false
	}
	ident, ok := selector.X.(*ast.Ident)
	return ok && slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool {
		local := path.Base(importPath)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		return spec.Path.Value == strconv.Quote(importPath) && ident.Name == local
	})
}

func TestSleeps(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		want   string // functions that sleep
	}{
		"plain":         {`func TestA() { time.Sleep(1) }`, "TestA"},
		"as a value":    {`func TestA() { f := time.Sleep; f(1) }`, "TestA"},
		"variable":      {`var wait = func() { time.Sleep(1) }`, "declarations"},
		"helper":        {`func TestA() { b := bench{}; b.pass() }; type bench struct{}; func (b bench) pass() { rest() }; func rest() { time.Sleep(1) }`, "rest"},
		"bubble":        {`func TestA() { synctest.Test(nil, func() { time.Sleep(1); b.pass() }) }; func (b bench) pass() { time.Sleep(1) }`, ""},
		"own bubble":    {`func TestA() { inBubble(func() { time.Sleep(1) }) }; func inBubble(f func()) { synctest.Test(nil, f) }`, ""},
		"beside bubble": {`func TestA() { synctest.Test(nil, pass); time.Sleep(1) }; func pass() { time.Sleep(1) }`, "TestA"},
		"in and out":    {`func TestA() { synctest.Test(nil, pass) }; func TestB() { pass() }; func pass() { time.Sleep(1) }`, "pass"},
		"another Sleep": {`func TestA() { clock.Sleep(1) }`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			source := "package a\nimport (\"time\"; \"testing/synctest\")\n" + c.source
			var got []string
			for _, f := range parseTests(t, "a", []goFile{{path: "a/a_test.go", source: source}}).sleeps() {
				got = append(got, strings.TrimPrefix(f.within, "a."))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%q sleep, want %q", got, c.want)
			}
		})
	}
	renamed := "package a\nimport clock \"time\"\nfunc TestA() { clock.Sleep(1) }"
	if found := parseTests(t, "a", []goFile{{path: "a/a_test.go", source: renamed}}).sleeps(); len(found) != 1 {
		t.Errorf("with a renamed import found %v, want one", found)
	}
}
