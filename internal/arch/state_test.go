package arch

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"testing"
)

// checkMapOrder finds every use of a map's order: a range over a map, and an
// iterator over one that is not sorted on the spot.
func checkMapOrder(p *pkg, report reporter) {
	sorted := map[ast.Expr]bool{}
	p.inspect(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.CallExpr:
			if name := p.called(n); name == "slices.Sorted" || name == "slices.SortedFunc" || name == "slices.SortedStableFunc" {
				sorted[ast.Unparen(n.Args[0])] = true
			}
			if slices.Contains([]string{"maps.Keys", "maps.Values", "maps.All"}, p.called(n)) && !sorted[n] {
				report(n, "%s gives a map's order, which differs from run to run: put it straight into slices.Sorted", p.called(n))
			}
		case *ast.RangeStmt:
			if _, ok := coreType(p.info.TypeOf(n.X)).(*types.Map); ok {
				report(n, "the order of a map differs from run to run: range over a slice, or over slices.Sorted(maps.Keys(m))")
			}
		}
	})
}

// called returns the full name of the function that a call calls, "" where it
// calls a value or converts.
func (p *pkg) called(call *ast.CallExpr) string {
	if f := p.callee(call); f != nil {
		return f.FullName()
	}
	return ""
}

func (p *pkg) callee(call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var ident *ast.Ident
	switch x := fun.(type) {
	case *ast.Ident:
		ident = x
	case *ast.SelectorExpr:
		ident = x.Sel
	default:
		return nil
	}
	f, _ := p.info.Uses[ident].(*types.Func)
	if f == nil {
		return nil
	}
	return f.Origin()
}

// coreType returns the type that decides what an expression of type t can do;
// of a type parameter, that of its first term; nil where there is no type.
func coreType(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	if param, ok := types.Unalias(t).(*types.TypeParam); ok {
		if term := firstTerm(param.Constraint().Underlying()); term != nil {
			return term.Underlying()
		}
	}
	return t.Underlying()
}

func firstTerm(t types.Type) types.Type {
	set, ok := t.(*types.Interface)
	if !ok {
		return nil
	}
	for embedded := range set.EmbeddedTypes() {
		switch e := embedded.(type) {
		case *types.Union:
			return e.Term(0).Type()
		default:
			if _, ok := e.Underlying().(*types.Interface); !ok {
				return e
			}
			if term := firstTerm(e.Underlying()); term != nil {
				return term
			}
		}
	}
	return nil
}

// checkGlobals finds package-level variables that change: two engines in one
// process would then not be independent.
func checkGlobals(p *pkg, report reporter) {
	changed := func(x ast.Expr) {
		if v := p.global(x); v != nil {
			report(x, "package-level variable %s is changed: state belongs to a value that somebody owns", v.Name())
		}
	}
	p.inspect(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				changed(x)
			}
		case *ast.IncDecStmt:
			changed(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				changed(n.Key)
				changed(n.Value)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				changed(n.X)
			}
		case *ast.CallExpr:
			p.eachChanged(n, changed)
		}
	})
}

// eachChanged calls changed for what a call may change in place: the target of
// a builtin, and the receiver whose address a method takes.
func (p *pkg) eachChanged(call *ast.CallExpr, changed func(ast.Expr)) {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		if _, ok := p.info.Uses[fun].(*types.Builtin); ok && slices.Contains([]string{"copy", "clear", "delete"}, fun.Name) {
			changed(call.Args[0])
		}
	case *ast.SelectorExpr:
		selection, method := p.info.Selections[fun]
		if !method || selection.Kind() != types.MethodVal {
			return
		}
		_, takesAddress := types.Unalias(selection.Obj().(*types.Func).Signature().Recv().Type()).(*types.Pointer)
		if _, isPointer := p.info.TypeOf(fun.X).Underlying().(*types.Pointer); takesAddress && !isPointer {
			changed(fun.X)
		}
	}
}

// global returns the package-level variable that an expression is a part of.
func (p *pkg) global(x ast.Expr) *types.Var {
	for {
		switch e := x.(type) {
		case *ast.ParenExpr:
			x = e.X
		case *ast.IndexExpr:
			x = e.X
		case *ast.SliceExpr:
			x = e.X
		case *ast.StarExpr:
			x = e.X
		case *ast.SelectorExpr:
			if v := packageLevel(p.info.Uses[e.Sel]); v != nil {
				return v
			}
			x = e.X
		case *ast.Ident:
			return packageLevel(p.info.Uses[e])
		default:
			return nil
		}
	}
}

func packageLevel(object types.Object) *types.Var {
	v, ok := object.(*types.Var)
	if !ok || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() {
		return nil
	}
	return v
}

func TestMapOrder(t *testing.T) {
	checkSamples(t, "map order", map[string]string{
		"good": `
import ("maps"; "slices")
var m = map[string]int{"a": 1}
var keys = slices.Sorted(maps.Keys(m))
var _ = slices.SortedFunc(maps.Values(m), func(a, b int) int { return a - b })
func f() { for range []int{1} {}; for range 3 {}; for range "a" {}; m["b"] = len(m); delete(m, "b") }`,
		"range": `
type table map[string]int
func f(m map[string]int, t table) { 
	for range m {} // BAD
	for k, v := range t { _, _ = k, v } // BAD
	for k := range (map[int]int{}) { _ = k } // BAD
}
func g[M ~map[string]int](m M) {
	for range m {} // BAD
}`,
		"iterators": `
import ("maps"; "slices")
func f(m map[string]int) {
	for range maps.Keys(m) {} // BAD
	_ = slices.Collect(maps.Values(m)) // BAD
	_ = maps.Collect(maps.All(m)) // BAD
	keys := maps.Keys(m) // BAD
	_ = slices.Sorted(keys)
}`,
	})
}

func TestGlobals(t *testing.T) {
	checkSamples(t, "constant globals", map[string]string{
		"good": `
import "strings"
var table = [...]int{1, 2}
var grid = struct{ upper []int }{}
var set = map[string]bool{}
type T struct{ n int }
func (t T) get() int { return t.n }
func (t *T) put() { t.n = 1 }
var value T
func f() { x := table; x[0] = 1; local := T{}; local.put(); y := table[0]; y++; _, _ = grid.upper[0], set["a"]; var b strings.Builder; b.Reset(); value.get() }`,
		"bad": `
type T struct{ n int }
func (t *T) put() { t.n = 1 }
var (
	count int
	table = [...]int{1, 2}
	grid = struct{ upper []int }{}
	set = map[string]bool{}
	value T
	pointer = new(T)
)
func f() { 
	count = 1 // BAD
	count++ // BAD
	count += 2 // BAD
	table[0] = 1 // BAD
	grid.upper[0], table[1] = 2, 3 // BAD
	grid.upper = append(grid.upper, 1) // BAD
	set["a"] = true // BAD
	delete(set, "a") // BAD
	clear(set) // BAD
	copy(table[:], []int{1}) // BAD
	value.put() // BAD
	pointer.n = 2 // BAD
	(*pointer).n = 3 // BAD
	_ = &count // BAD
	for count = range 3 {} // BAD
}`,
	})
}
