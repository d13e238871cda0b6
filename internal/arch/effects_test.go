package arch

import (
	"go/ast"
	"go/build/constraint"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pureImports are the packages of the standard library that have no clock,
// goroutine, socket, file, environment or randomness of their own, apart from
// the functions that checkFunctions knows.
var pureImports = []string{
	"bytes", "cmp", "embed", "encoding/binary", "encoding/json", "errors", "fmt", "hash/fnv", "io", "io/fs", "iter", "maps", "math",
	"math/bits", "math/rand/v2", "net/netip", "path", "slices", "sort", "strconv", "strings", "text/tabwriter", "time", "unicode", "unicode/utf8",
}

func checkPureImports(p *pkg, report reporter) {
	p.inspect(func(n ast.Node) {
		spec, ok := n.(*ast.ImportSpec)
		if !ok {
			return
		}
		if path, err := strconv.Unquote(spec.Path.Value); err == nil && isStandard(path) && !slices.Contains(pureImports, path) {
			report(spec, "simulator/ may not import %s; if it has no clock, goroutine, file, socket or randomness, add it to pureImports", path)
		}
	})
}

// checkConcurrency finds goroutines and everything that only they need.
func checkConcurrency(p *pkg, report reporter) {
	p.inspect(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.GoStmt:
			report(n, "simulator/ starts no goroutine: whoever owns the engine may")
		case *ast.SelectStmt:
			report(n, "simulator/ has no select")
		case *ast.ChanType:
			report(n, "simulator/ has no channels: commands go in and events come out as values")
		case *ast.SendStmt:
			report(n, "simulator/ sends on no channel")
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				report(n, "simulator/ receives from no channel")
			}
		case *ast.RangeStmt:
			if _, ok := p.info.TypeOf(n.X).Underlying().(*types.Chan); ok {
				report(n, "simulator/ receives from no channel")
			}
		}
	})
}

const (
	noClock  = "the simulator has no clock: take ticks, or a time, from the caller"
	noZone   = "the simulator knows no time zone of the machine: use time.UTC"
	noOutput = "the simulator writes nothing: return values"
	noGlobal = "take a named stream of simulator/rng as an argument"
	noMath   = "its last digits differ from machine to machine: use simulator/fmath"
)

// impure are functions, methods and variables that pure packages must not use,
// with the reason.
var impure = map[string]string{
	"time.Now": noClock, "time.Since": noClock, "time.Until": noClock, "time.Sleep": noClock, "time.After": noClock, "time.Tick": noClock,
	"time.NewTimer": noClock, "time.NewTicker": noClock, "time.AfterFunc": noClock,
	"time.Local": noZone, "time.LoadLocation": noZone, "(time.Time).Local": noZone,
	"time.Unix": noZone, "time.UnixMilli": noZone, "time.UnixMicro": noZone,
	"fmt.Print": noOutput, "fmt.Printf": noOutput, "fmt.Println": noOutput, "fmt.Scan": noOutput, "fmt.Scanf": noOutput, "fmt.Scanln": noOutput,
	"iter.Pull": "it starts a coroutine", "iter.Pull2": "it starts a coroutine",
}

// exactMath are the functions of package math whose result is the exact or
// correctly rounded one on every machine.
var exactMath = []string{
	"Abs", "Floor", "Ceil", "Trunc", "Round", "RoundToEven", "Sqrt", "Inf", "IsInf", "IsNaN", "NaN", "Max", "Min", "Mod", "Modf", "Copysign",
	"Signbit", "Ldexp", "Frexp", "Nextafter", "Float64bits", "Float64frombits", "Float32bits", "Float32frombits",
}

// seededRand are the functions of math/rand/v2 that take their source as an
// argument.
var seededRand = []string{"New", "NewPCG", "NewChaCha8", "NewZipf"}

func checkFunctions(p *pkg, report reporter) {
	p.inspect(func(n ast.Node) {
		ident, ok := n.(*ast.Ident)
		if !ok {
			return
		}
		if why := whyImpure(p.info.Uses[ident]); why != "" {
			report(ident, "%s: %s", p.info.Uses[ident].Name(), why)
		}
	})
}

func whyImpure(object types.Object) string {
	switch object := object.(type) {
	case *types.Builtin:
		if object.Name() == "print" || object.Name() == "println" {
			return noOutput
		}
	case *types.Func:
		if object.Signature().Recv() == nil {
			return whyImpureFunction(object)
		}
		return impure[object.FullName()]
	case *types.Var:
		if object.Pkg() != nil {
			return impure[object.Pkg().Path()+"."+object.Name()]
		}
	}
	return ""
}

func whyImpureFunction(f *types.Func) string {
	switch f.Pkg().Path() {
	case "math":
		if !slices.Contains(exactMath, f.Name()) {
			return noMath
		}
	case "math/rand/v2":
		if !slices.Contains(seededRand, f.Name()) {
			return noGlobal
		}
	}
	return impure[f.FullName()]
}

// checkInit finds init functions, which hide what happens before main.
func checkInit(p *pkg, report reporter) {
	p.inspect(func(n ast.Node) {
		if f, ok := n.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			report(f, "no init functions: initialise in the declaration or in a constructor")
		}
	})
}

// checkConstraints finds build tags and links past the type system.
func checkConstraints(p *pkg, report reporter) {
	p.inspect(func(n ast.Node) {
		comment, ok := n.(*ast.Comment)
		if ok && (constraint.IsGoBuild(comment.Text) || strings.HasPrefix(comment.Text, "//go:linkname")) {
			report(comment, "no build tags and linknames: all machines must run the same code")
		}
	})
}

func TestPureImports(t *testing.T) {
	checkSamples(t, "imports", map[string]string{
		"good": `import ("fmt"; "math"; "strings"); var _ = fmt.Sprint(strings.ToUpper("a"), math.Pi)`,
		"bad": `
import "os" // BAD
import (
	"fmt"
	"sync/atomic" // BAD
	"math/rand" // BAD
	crand "crypto/rand" // BAD
	_ "unsafe" // BAD
)
var _ = fmt.Sprint(os.Args, atomic.AddInt32, rand.Int(), crand.Reader)`,
	})
}

func TestConcurrency(t *testing.T) {
	checkSamples(t, "no concurrency", map[string]string{
		"good": `
func f(xs []int) { for _, x := range xs { func() { _ = -x }() }; switch {}; _ = len(xs) }`,
		"bad": `
func f() { 
	go f() // BAD
	select {} // BAD
}
type C <-chan int // BAD
func g(c C, d chan<- int) { // BAD
	d <- 1 // BAD
	_ = <-c // BAD
	for range c { } // BAD
}`,
	})
}

func TestPureFunctions(t *testing.T) {
	checkSamples(t, "pure functions", map[string]string{
		"good": `
import ("math"; "math/rand/v2"; "time"; "fmt")
var r = rand.New(rand.NewPCG(1, 2))
var _ = r.Float64() + math.Sqrt(math.Floor(2)) + math.MaxFloat64
var _ = fmt.Sprintf("%v", time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC).Add(time.Second))
func Now() int { return 1 }
var _ = Now()`,
		"clock": `
import "time"
var a = time.Now() // BAD
var b = time.Since(a) // BAD
var c = time.Until // BAD
var _, _ = b, c
func f() { 
	time.Sleep(1) // BAD
	<-time.After(1) // BAD
	<-time.Tick(1) // BAD
	time.NewTimer(1) // BAD
	time.NewTicker(1) // BAD
	time.AfterFunc(1, f) // BAD
	_ = time.Local // BAD
	time.LoadLocation("UTC") // BAD
	_ = a.Local() // BAD
	_ = time.Unix(0, 0) // BAD
}`,
		"renamed": `
import clock "time"
import . "math"
var a = clock.Now() // BAD
var b = Exp(1) // BAD`,
		"randomness": `
import "math/rand/v2"
var a = rand.Float64() // BAD
var b = rand.N(3) // BAD
func f() { rand.Shuffle(1, func(int, int) {}) } // BAD
var c = rand.Perm // BAD`,
		"mathematics": `
import "math"
var _ = []func(float64) float64{
	math.Exp, // BAD
	math.Log, // BAD
	math.Sin, // BAD
	math.Cos, // BAD
	math.Tan, // BAD
	math.Expm1, // BAD
	math.Log1p, // BAD
	math.Gamma, // BAD
	math.Cbrt, // BAD
}
var a = math.Pow(2, 3) // BAD
var b = math.FMA(1, 2, 3) // BAD
var c = math.Hypot(1, 2) // BAD`,
		"output": `
import "fmt"
func f() { 
	fmt.Println() // BAD
	fmt.Printf("") // BAD
	println() // BAD
	print() // BAD
}`,
		"coroutine": `
import ("iter"; "slices")
var next, stop = iter.Pull(slices.Values([]int{1})) // BAD`,
	})
}

func TestInit(t *testing.T) {
	checkSamples(t, "no init", map[string]string{
		"good": `type T int; func (T) init() {}`,
		"bad": `
func init() { // BAD
}`,
	})
}

func TestConstraints(t *testing.T) {
	checkSamples(t, "one source for all machines", map[string]string{
		"good": `// go:build is explained here`,
		"bad": `
//go:build amd64 // BAD
//go:linkname f runtime.f // BAD
func f() {}`,
	})
}
