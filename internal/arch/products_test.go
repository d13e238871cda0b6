package arch

import (
	"go/ast"
	"go/token"
	"go/types"
	"testing"
)

// checkProducts finds sums that a compiler may fuse with a product. Go lets an
// implementation compute x*y + z with one rounding instead of two, across
// statements too, and some machines do; an explicit conversion of the product,
// float64(x*y) + z, forbids it. So a float + or - may have no operand that is
//
//   - a product,
//   - a variable, field or element that the same function sets to a product,
//   - the call of a function of the same package that returns a product, or
//   - a parameter to which a call in the same package hands a product,
//
// unless a conversion has rounded it. Whatever this cannot see shows in the
// compiled code, which .ci/fused reads.
func checkProducts(p *pkg, report reporter) {
	if numbers := p.complexNumber(); numbers != nil {
		report(numbers, "complex arithmetic is a sum of products that nothing can round")
	}
	results, summed := p.productResults(), p.summedParameters()
	for _, body := range p.bodies() {
		products := p.productsIn(body, results)
		p.sums(body.node, func(operand ast.Expr) {
			if why := products.why(operand); why != "" {
				report(operand, "%s feeds a sum and may be fused with it, which changes the last digit: round it with float64(...)", why)
			}
		})
		p.arguments(body.node, func(argument ast.Expr, parameter *types.Var) {
			if why := products.why(argument); why != "" && summed[parameter] {
				report(argument, "%s is handed on as %s, which feeds a sum, and may be fused with it, which changes the last digit: round it with float64(...)", why, parameter.Name())
			}
		})
	}
}

// sums calls visit for the operands of every float sum and difference.
func (p *pkg) sums(in ast.Node, visit func(operand ast.Expr)) {
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if (n.Op == token.ADD || n.Op == token.SUB) && p.computesFloat(n) {
				visit(n.X)
				visit(n.Y)
			}
		case *ast.AssignStmt:
			if (n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN) && isFloat(p.info.TypeOf(n.Lhs[0])) {
				visit(n.Lhs[0])
				visit(n.Rhs[0])
			}
		}
		return true
	})
}

// arguments calls visit for the arguments of every call of a declared function.
func (p *pkg) arguments(in ast.Node, visit func(argument ast.Expr, parameter *types.Var)) {
	ast.Inspect(in, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if f := p.callee(call); f != nil && f.Signature().Params().Len() > 0 {
			parameters := f.Signature().Params()
			for i, argument := range call.Args {
				visit(argument, parameters.At(min(i, parameters.Len()-1)))
			}
		}
		return true
	})
}

// summedParameters returns the variables of the package, among them the
// parameters, that are operands of a float sum or difference.
func (p *pkg) summedParameters() map[types.Object]bool {
	summed := map[types.Object]bool{}
	for _, body := range p.bodies() {
		p.sums(body.node, func(operand ast.Expr) {
			for {
				unary, ok := ast.Unparen(operand).(*ast.UnaryExpr)
				if !ok {
					break
				}
				operand = unary.X
			}
			if ident, ok := ast.Unparen(operand).(*ast.Ident); ok {
				summed[p.info.ObjectOf(ident)] = true
			}
		})
	}
	return summed
}

// body is a top-level declaration, a scope of its own for products.
type body struct {
	node   ast.Node
	object types.Object // of a function
}

func (p *pkg) bodies() []body {
	var bodies []body
	for _, file := range p.files {
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				bodies = append(bodies, body{f, p.info.Defs[f.Name]})
				continue
			}
			bodies = append(bodies, body{decl, nil})
		}
	}
	return bodies
}

// products says what may hold a product that nothing has rounded: variables,
// fields and slices of one function, and functions.
type products struct {
	p     *pkg
	holds map[types.Object]bool
}

// productsIn follows products through the assignments of one declaration.
func (p *pkg) productsIn(b body, results map[types.Object]bool) products {
	found := products{p, map[types.Object]bool{}}
	for f := range results {
		found.holds[f] = true
	}
	for before := -1; before < len(found.holds); {
		before = len(found.holds)
		ast.Inspect(b.node, func(n ast.Node) bool {
			found.follow(n)
			return true
		})
	}
	return found
}

// productResults returns the functions of the package that return a product.
func (p *pkg) productResults() map[types.Object]bool {
	results := map[types.Object]bool{}
	for before := -1; before < len(results); {
		before = len(results)
		for _, b := range p.bodies() {
			if f, ok := b.node.(*ast.FuncDecl); ok && f.Body != nil && p.productsIn(b, results).returned(f) {
				results[b.object] = true
			}
		}
	}
	return results
}

// returned reports whether the function returns a product.
func (ps products) returned(f *ast.FuncDecl) bool {
	signature := ps.p.info.Defs[f.Name].(*types.Func).Signature()
	if signature.Results().Len() != 1 {
		return false
	}
	yes := ps.holds[signature.Results().At(0)]
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			yes = yes || len(n.Results) == 1 && ps.why(n.Results[0]) != ""
		}
		return true
	})
	return yes
}

// follow notes what the node puts a product into.
func (ps products) follow(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok == token.MUL_ASSIGN && isFloat(ps.p.info.TypeOf(n.Lhs[0])) {
			ps.mark(n.Lhs[0])
		}
		if (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) && len(n.Lhs) == len(n.Rhs) {
			for i, x := range n.Lhs {
				ps.put(x, n.Rhs[i])
			}
		}
	case *ast.ValueSpec:
		if len(n.Names) == len(n.Values) {
			for i, name := range n.Names {
				ps.put(name, n.Values[i])
			}
		}
	case *ast.KeyValueExpr:
		if field, ok := n.Key.(*ast.Ident); ok {
			ps.put(field, n.Value)
		}
	}
}

func (ps products) put(x, value ast.Expr) {
	if ps.why(value) != "" {
		ps.mark(x)
	}
}

func (ps products) mark(x ast.Expr) {
	if object := ps.place(x); object != nil {
		ps.holds[object] = true
	}
}

// place returns the variable, field, slice or array that an expression names.
func (ps products) place(x ast.Expr) types.Object {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return ps.p.info.ObjectOf(x)
	case *ast.SelectorExpr:
		return ps.p.info.ObjectOf(x.Sel)
	case *ast.IndexExpr:
		return ps.place(x.X)
	case *ast.StarExpr:
		return ps.place(x.X)
	}
	return nil
}

// why says why an operand may be a product that nothing has rounded, "" where
// it is none.
func (ps products) why(x ast.Expr) string {
	switch e := ast.Unparen(x).(type) {
	case *ast.UnaryExpr:
		return ps.why(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.MUL && ps.p.computesFloat(e) {
			return "the product " + types.ExprString(e)
		}
		return ""
	case *ast.CallExpr:
		if f := ps.p.callee(e); f != nil && ps.holds[f] {
			return "the product that " + f.Name() + " returns"
		}
		return ""
	default:
		if isFloat(ps.p.info.TypeOf(e)) && ps.holds[ps.place(e)] {
			return "the product in " + types.ExprString(e)
		}
		return ""
	}
}

// computesFloat reports whether the machine, not the compiler, computes x, and
// whether it is a float.
func (p *pkg) computesFloat(x ast.Expr) bool {
	return p.info.Types[x].Value == nil && isFloat(p.info.TypeOf(x))
}

// isFloat reports whether values of type t are floats; of a type parameter,
// whether some of its types are.
func isFloat(t types.Type) bool {
	basic, ok := coreType(t).(*types.Basic)
	return ok && basic.Info()&types.IsFloat != 0
}

// complexNumber returns an expression of the package with a complex type.
func (p *pkg) complexNumber() ast.Expr {
	var found ast.Expr
	p.inspect(func(n ast.Node) {
		x, ok := n.(ast.Expr)
		if !ok || found != nil {
			return
		}
		if tv, ok := p.info.Types[x]; ok {
			if basic, ok := tv.Type.Underlying().(*types.Basic); ok && basic.Info()&types.IsComplex != 0 {
				found = x
			}
		}
	})
	return found
}

func TestProducts(t *testing.T) {
	checkSamples(t, "rounded products", map[string]string{
		"good": `
type ratio float64
const two = 2.0
var xs [3]float64
func f(a, b, c float64, i, j int) float64 {
	_ = i*j + 1
	_ = 2.0*3.0 + two*two
	_ = two*two + a
	_ = float64(a*b) + c
	_ = c - float64(-a*b)
	_ = float64(ratio(a*b)) + c
	_ = a*b/c + c
	_ = a * (b + c)
	_ = (a + b) * (a - b)
	_ = a*b > c || a*b == c
	i += 2 * j
	c += float64(a * b)
	i -= 2 * j
	i++
	s := "a" + "b"
	s += "c"
	n := a * b / c
	n += c
	return a * b
}
func g(a, b float64) (float64, error) { return float64(a * b), nil }
func h(a float64) float64 { return a / 2 }
var _ = h(1) + h(2)`,
		"direct": `
type ratio float64
func f(a, b, c float64, r ratio, s float32) {
	_ = a*b + c // BAD
	_ = c + a*b // BAD
	_ = c - a*b // BAD
	_ = -(a * b) + c // BAD
	_ = (c) + (-(a * (b))) // BAD
	_ = 2*a + c // BAD
	_ = r*r - r // BAD
	_ = s*s + s // BAD
	_ = a*b*c + c // BAD
	_ = a + b*c + c // BAD
	_ = a +
		b*c // BAD
	_ = float64(a*b + c) // BAD
	c += a * b // BAD
	c -= -a * b // BAD
	_ = func() float64 { return 1 + a*b } // BAD
}
var v = 2.5
var w = v*v + 1 // BAD`,
		"type parameters": `
type number interface{ ~float64 | ~float32 }
type whole interface{ ~int }
func f[T number](a, b T) T { return a*b + a } // BAD
func g[T ~float64](a, b T) T { return a*b + a } // BAD
func h[T whole](a, b T) T { return a*b + a }`,
		"across statements": `
func f(a, b, c float64) {
	x := a * b
	_ = x + c // BAD
	y := x
	y -= c // BAD
	z := c
	z *= a
	_ = 1 - z // BAD
	var v = a * b
	_ = v + 1 // BAD
	var w float64
	w = a * b
	w += 1 // BAD
	rounded := float64(a * b)
	_ = rounded + c
}
func g(x, a float64) float64 { return x + a }`,
		"fields and elements": `
type model struct { load, cost float64 }
func (m *model) step(a, b float64, xs []float64) {
	m.load = a * b
	m.cost += m.load // BAD
	xs[0] = a * b
	_ = xs[0] + 1 // BAD
	p := &a
	*p = a * b
	_ = *p + 1 // BAD
	n := model{load: a * b}
	_ = n.load + 1 // BAD
}
func (m *model) other() float64 { return m.load + 1 }`,
		"arguments": `
type carried struct{ fraction float64 }
func (c carried) plus(x, unused float64) float64 { return (c.fraction) + (-x) }
func all(xs ...float64) float64 { return xs[0] }
func scale(x float64) float64 { return x / 2 }
func f(c carried, a, b float64) {
	_ = c.plus(a*b, 1) // BAD
	y := a * b
	_ = c.plus(y, 1) // BAD
	_ = c.plus(1, a*b)
	_ = c.plus(float64(a*b), 1)
	_ = scale(a*b) + all(a*b, a*b)
}`,
		"results": `
type T struct{ a, b float64 }
func (t T) area() float64 { return t.a * t.b }
func (t T) rounded() float64 { return float64(t.a * t.b) }
func (t T) indirect() float64 { return -t.area() }
func (t T) named() (x float64) { x = t.a * t.b; return }
func (t T) part() float64 { f := func() float64 { return t.a * t.b }; return f() / 2 }
func scale[F ~float64](x F) F { return x * 3 }
func f(t T) {
	_ = t.area() + 1 // BAD
	_ = 1 - t.indirect() // BAD
	_ = t.named() + 1 // BAD
	_ = scale(2.0) + 1 // BAD
	_ = t.rounded() + t.part()
}`,
		"complex": `
var c = complex(1, 2) // BAD`,
	})
}
