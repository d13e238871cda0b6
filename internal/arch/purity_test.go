package arch

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
)

// pkg is a type-checked package.
type pkg struct {
	root   string // the folder that file names are shown relative to
	folder string // relative to the root of the module
	fset   *token.FileSet
	files  []*ast.File
	info   *types.Info
	types  *types.Package
}

// finding is a place that breaks a rule.
type finding struct {
	at      token.Position
	within  string // the function it stands in, for example simulator/web.Model.Step
	rule    string
	message string
}

func (f finding) String() string {
	return fmt.Sprintf("%s:%d: %s (rule %q, internal/arch)", f.at.Filename, f.at.Line, f.message, f.rule)
}

// rule is something that no code under simulator/ does. Its check calls report
// for every node that breaks it.
type rule struct {
	name  string
	check func(p *pkg, report reporter)
}

type reporter func(at ast.Node, format string, args ...any)

// pureRules are what makes the simulator deterministic, and the pager.
var pureRules = []rule{
	{"imports", checkPureImports},
	{"no concurrency", checkConcurrency},
	{"pure functions", checkFunctions},
	{"map order", checkMapOrder},
	{"constant globals", checkGlobals},
	{"no init", checkInit},
	{"one source for all machines", checkConstraints},
	{"rounded products", checkProducts},
}

// exception lets one function break one rule, for a reason.
type exception struct {
	function, rule, reason string
}

var exceptions = []exception{
	{"simulator/schema.Args.Names", "map order", "collects the names and sorts them"},
}

func TestSimulatorIsPure(t *testing.T) {
	pure := slices.Concat(loadModule(t, "./simulator/..."), loadModule(t, "./internal/pager"), loadModule(t, "./internal/pager/webhook"))
	found := checkRules(pure, pureRules)
	found, unused := excuse(found, exceptions)
	for _, f := range found {
		t.Error(f)
	}
	for _, e := range unused {
		t.Errorf("no %s breaks the rule %q any more: remove the exception", e.function, e.rule)
	}
}

// checkRules returns what breaks the rules, each place once.
func checkRules(pkgs []*pkg, rules []rule) []finding {
	var found []finding
	for _, p := range pkgs {
		for _, r := range rules {
			r.check(p, func(at ast.Node, format string, args ...any) {
				found = append(found, finding{p.position(at), p.function(at), r.name, fmt.Sprintf(format, args...)})
			})
		}
	}
	return found
}

// excuse takes out what the exceptions allow and returns the exceptions that
// allow nothing.
func excuse(found []finding, exceptions []exception) (rest []finding, unused []exception) {
	used := make([]bool, len(exceptions))
	for _, f := range found {
		i := slices.IndexFunc(exceptions, func(e exception) bool { return e.function == f.within && e.rule == f.rule })
		if i < 0 {
			rest = append(rest, f)
			continue
		}
		used[i] = true
	}
	for i, e := range exceptions {
		if !used[i] {
			unused = append(unused, e)
		}
	}
	return rest, unused
}

// position returns where a node stands.
func (p *pkg) position(at ast.Node) token.Position {
	position := p.fset.Position(at.Pos())
	if rel, err := filepath.Rel(p.root, position.Filename); err == nil {
		position.Filename = filepath.ToSlash(rel)
	}
	return position
}

// function names the function declaration that a node stands in.
func (p *pkg) function(at ast.Node) string {
	for _, file := range p.files {
		for _, decl := range file.Decls {
			if decl.Pos() <= at.Pos() && at.End() <= decl.End() {
				return p.folder + "." + declared(decl)
			}
		}
	}
	return p.folder
}

func declared(decl ast.Decl) string {
	f, ok := decl.(*ast.FuncDecl)
	if !ok {
		return "declarations"
	}
	if f.Recv == nil {
		return f.Name.Name
	}
	return receiver(f.Recv.List[0].Type) + "." + f.Name.Name
}

func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.IndexListExpr:
		return receiver(x.X)
	}
	return types.ExprString(x)
}

// inspect visits every node of the package's files.
func (p *pkg) inspect(visit func(ast.Node)) {
	for _, file := range p.files {
		ast.Inspect(file, func(n ast.Node) bool {
			if n != nil {
				visit(n)
			}
			return true
		})
	}
}

// loadModule type-checks packages of the module without their tests.
func loadModule(t *testing.T, pattern string) []*pkg {
	t.Helper()
	root := moduleRoot(t)
	loaded, err := packages.Load(&packages.Config{
		Dir: root,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo,
	}, pattern)
	if err != nil {
		t.Fatal(err)
	}
	var pkgs []*pkg
	for _, l := range loaded {
		if len(l.Errors) > 0 {
			t.Errorf("cannot check %s: %v", l.PkgPath, l.Errors[0])
			continue
		}
		pkgs = append(pkgs, &pkg{root, strings.TrimPrefix(l.PkgPath, modulePath+"/"), l.Fset, l.Syntax, l.TypesInfo, l.Types})
		for _, name := range slices.Concat(l.IgnoredFiles, l.OtherFiles) {
			if rel, err := filepath.Rel(root, name); err == nil && !strings.HasSuffix(name, "_test.go") {
				t.Errorf("%s: only Go files that compile everywhere belong under simulator/: all machines must run the same code", rel)
			}
		}
	}
	if len(pkgs) == 0 {
		t.Fatalf("no package matches %s", pattern)
	}
	return pkgs
}

var standardLibrary = sync.OnceValue(importer.Default)

// parsePkg type-checks one file of source text, as package simulator/sample.
func parsePkg(t *testing.T, source string) *pkg {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "sample.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
	}
	config := types.Config{Importer: standardLibrary()}
	checked, err := config.Check(modulePath+"/simulator/sample", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatalf("%v in\n%s", err, source)
	}
	return &pkg{"", "simulator/sample", fset, []*ast.File{file}, info, checked}
}

// checkSamples runs one rule over pieces of source text and compares the lines
// it reports with those that end in the comment // BAD.
func checkSamples(t *testing.T, name string, samples map[string]string) {
	t.Helper()
	i := slices.IndexFunc(pureRules, func(r rule) bool { return r.name == name })
	if i < 0 {
		t.Fatalf("no rule is called %q", name)
	}
	for title, s := range samples {
		t.Run(title, func(t *testing.T) {
			source := "package sample\n" + s
			var got []int
			for _, f := range checkRules([]*pkg{parsePkg(t, source)}, pureRules[i:i+1]) {
				got = append(got, f.at.Line)
			}
			slices.Sort(got)
			got = slices.Compact(got)
			var want []int
			for n, line := range strings.Split(source, "\n") {
				if strings.HasSuffix(line, "// BAD") {
					want = append(want, n+1)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("reported lines %v, want %v of\n%s", got, want, source)
			}
		})
	}
}

func TestExcuse(t *testing.T) {
	found := []finding{{within: "simulator/a.F", rule: "map order"}, {within: "simulator/a.G", rule: "map order"}}
	rest, unused := excuse(found, []exception{
		{"simulator/a.F", "map order", "sorts"},
		{"simulator/a.G", "no init", "is not what G breaks"},
	})
	if len(rest) != 1 || rest[0].within != "simulator/a.G" {
		t.Errorf("left %v, want the finding in G", rest)
	}
	if len(unused) != 1 || unused[0].function != "simulator/a.G" {
		t.Errorf("unused %v, want the exception of G", unused)
	}
}

func TestFunctionNames(t *testing.T) {
	p := parsePkg(t, `package sample
var x = 1
func f() { _ = 2 }
type T[P any] struct{}
func (t *T[P]) m() { _ = 3 }
`)
	var got []string
	p.inspect(func(n ast.Node) {
		if _, ok := n.(*ast.BasicLit); ok {
			got = append(got, p.function(n))
		}
	})
	want := []string{"simulator/sample.declarations", "simulator/sample.f", "simulator/sample.T.m"}
	if !slices.Equal(got, want) {
		t.Errorf("named %q, want %q", got, want)
	}
}
