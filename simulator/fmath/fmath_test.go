package fmath

import (
	"encoding/binary"
	"encoding/json"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// A function is one of the package with its references and the arguments that
// the tests draw for it.
type function struct {
	name  string
	f     func(float64) float64
	std   func(float64) float64
	exact func(float64) *big.Float
	draw  func(r *rand.Rand) float64
	// golden is the hash of the results for the arguments of TestGolden.
	golden uint64
}

var functions = []function{
	{"Exp", Exp, math.Exp, func(x float64) *big.Float { return bigExp(number(x)) }, drawExponent, 0x90b4b6a2899f140c},
	{"Expm1", Expm1, math.Expm1, func(x float64) *big.Float { return bigExpm1(number(x)) }, drawExponent, 0xeaf9d293cf6f2269},
	{"Log", Log, math.Log, func(x float64) *big.Float { return bigLog(number(x)) }, drawPositive, 0xe37d979182bbb41b},
	{"Sin", Sin, math.Sin, func(x float64) *big.Float { return bigSin(x, 0) }, drawAngle, 0xb1d3efc208f76bf6},
	{"Cos", Cos, math.Cos, func(x float64) *big.Float { return bigSin(x, 1) }, drawAngle, 0x2127c08cc3bb725f},
}

// drawExponent draws over the whole range of finite results, and often near 0.
func drawExponent(r *rand.Rand) float64 {
	if r.IntN(2) == 0 {
		return float64(1454.7*r.Float64()) - 745
	}
	return (float64(2*r.Float64()) - 1) * math.Ldexp(1, 5-r.IntN(40))
}

// drawPositive draws from every binade, the subnormal ones included, and often
// near 1.
func drawPositive(r *rand.Rand) float64 {
	if r.IntN(2) == 0 {
		return math.Float64frombits(r.Uint64N(0x7FF << 52))
	}
	return 1 + float64((r.Float64()-0.4)*math.Ldexp(1, -r.IntN(40)))
}

// drawAngle draws from every binade up to 2^20, and often next to a multiple of
// π/2.
func drawAngle(r *rand.Rand) float64 {
	x := (float64(2*r.Float64()) - 1) * math.Ldexp(1, 20-r.IntN(45))
	if r.IntN(2) == 0 {
		return x
	}
	return math.Round(x*2/math.Pi) * (math.Pi / 2)
}

// errorInULPs returns |got − want| in units of the last place of want.
func errorInULPs(got float64, want *big.Float) float64 {
	nearest, _ := want.Float64()
	exponent := max(want.MantExp(nil)-53, -1074)
	if math.IsInf(got, 0) || math.IsInf(nearest, 0) {
		if got == nearest {
			return 0
		}
		return math.Inf(1)
	}
	difference := blank().Sub(number(got), want)
	ulps, _ := difference.SetMantExp(difference, -exponent).Float64()
	return math.Abs(ulps)
}

func worst(fn function, draws int, seed uint64) (ulps, at float64) {
	r := rand.New(rand.NewPCG(seed, 0))
	for range draws {
		x := fn.draw(r)
		if e := errorInULPs(fn.f(x), fn.exact(x)); e > ulps || math.IsNaN(e) {
			ulps, at = e, x
		}
	}
	return ulps, at
}

// checkULPs holds a function to its promise against 240-bit arithmetic.
func checkULPs(t *testing.T, fn function) {
	t.Helper()
	const draws, seed = 6000, 1
	ulps, at := worst(fn, draws, seed)
	t.Logf("%s: at most %.3f ulp, at %v", fn.name, ulps, at)
	if !(ulps <= 1) {
		t.Errorf("%s(%v) is off by %v ulp (seed %d)", fn.name, at, ulps, seed)
	}
}

func TestExpWithinOneULP(t *testing.T)   { checkULPs(t, functions[0]) }
func TestExpm1WithinOneULP(t *testing.T) { checkULPs(t, functions[1]) }
func TestLogWithinOneULP(t *testing.T)   { checkULPs(t, functions[2]) }
func TestSinWithinOneULP(t *testing.T)   { checkULPs(t, functions[3]) }
func TestCosWithinOneULP(t *testing.T)   { checkULPs(t, functions[4]) }

// TestAgreesWithStandardLibrary compares far more arguments than exact
// arithmetic has time for. Both sides may be off by an ulp. Subnormal arguments
// are left out: the assembly of math.Log on amd64 takes them for normal ones. Next
// to a multiple of π/2, math.Sin and math.Cos lose digits in the reduction.
func TestAgreesWithStandardLibrary(t *testing.T) {
	for _, fn := range functions {
		for seed := range uint64(4) {
			r := rand.New(rand.NewPCG(seed, 1))
			for range 100_000 {
				x := fn.draw(r)
				got, want := fn.f(x), fn.std(x)
				tolerance := float64(2*ulp(want)) + float64(math.Abs(x)*0x1p-80)
				if math.Abs(x) >= minNormal && math.Abs(got-want) > tolerance {
					t.Fatalf("%s(%v) = %v, package math has %v (seed %d)", fn.name, x, got, want, seed)
				}
			}
		}
	}
}

func ulp(x float64) float64 {
	x = math.Abs(x)
	return math.Nextafter(x, math.Inf(1)) - x
}

// TestReferenceTable compares with values that mpmath gives at 400 bits, among
// them the doubles up to 2^20 that are nearest to a multiple of π/2.
func TestReferenceTable(t *testing.T) {
	data, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct{ Function, X, Y string }
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		x, want := parse(t, row.X), parse(t, row.Y)
		if got := byName(t, row.Function).f(x); math.Abs(got-want) > ulp(want) {
			t.Errorf("%s(%v) = %v, want %v", row.Function, x, got, want)
		}
	}
}

func parse(t *testing.T, s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func byName(t *testing.T, name string) function {
	for _, fn := range functions {
		if fn.name == name {
			return fn
		}
	}
	t.Fatalf("no function %q", name)
	return function{}
}

func TestSpecialValues(t *testing.T) {
	inf, nan, minusZero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct {
		name    string
		x, want float64
	}{
		{"Exp", 0, 1}, {"Exp", minusZero, 1}, {"Exp", inf, inf}, {"Exp", -inf, 0}, {"Exp", nan, nan},
		{"Exp", 709.7827128933841, inf}, {"Exp", 1e300, inf}, {"Exp", -1e300, 0}, {"Exp", -746, 0},
		{"Exp", -745.1332191019411, 5e-324}, {"Exp", 709.782712893384, 1.7976931348622732e+308},
		{"Exp", 5e-324, 1}, {"Exp", -745.1332191019412, 0},
		{"Expm1", 0, 0}, {"Expm1", minusZero, minusZero}, {"Expm1", inf, inf}, {"Expm1", -inf, -1},
		{"Expm1", nan, nan}, {"Expm1", 5e-324, 5e-324}, {"Expm1", -5e-324, -5e-324}, {"Expm1", 710, inf},
		{"Expm1", -1e300, -1}, {"Expm1", 1e-300, 1e-300},
		{"Log", 1, 0}, {"Log", 0, -inf}, {"Log", minusZero, -inf}, {"Log", inf, inf}, {"Log", -inf, nan},
		{"Log", -1, nan}, {"Log", -5e-324, nan}, {"Log", nan, nan}, {"Log", 5e-324, -744.4400719213812},
		{"Sin", 0, 0}, {"Sin", minusZero, minusZero}, {"Sin", inf, nan}, {"Sin", -inf, nan}, {"Sin", nan, nan},
		{"Sin", 5e-324, 5e-324}, {"Sin", 1<<20 + 1, nan}, {"Sin", 1e300, nan},
		{"Cos", 0, 1}, {"Cos", minusZero, 1}, {"Cos", inf, nan}, {"Cos", -inf, nan}, {"Cos", nan, nan},
		{"Cos", 5e-324, 1}, {"Cos", -1<<20 - 1, nan},
	} {
		got := byName(t, c.name).f(c.x)
		same := math.Float64bits(got) == math.Float64bits(c.want)
		if !same && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%s(%v) = %v, want %v", c.name, c.x, got, c.want)
		}
	}
}

// TestGolden proves that the functions give the same bits on every machine: run
// it with GOAMD64=v1 and v3, with GODEBUG=cpu.fma=off, and on other
// architectures.
func TestGolden(t *testing.T) {
	for _, fn := range functions {
		hash, r := fnv.New64a(), rand.New(rand.NewPCG(11, 13))
		for range 100_000 {
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(fn.f(fn.draw(r))))
			hash.Write(b[:])
		}
		if hash.Sum64() != fn.golden {
			t.Errorf("%s: the results have the hash %#x, want %#x", fn.name, hash.Sum64(), fn.golden)
		}
	}
}

// TestNeighboursKeepOrder walks over the seams between two methods, where a
// function that rises must not fall.
func TestNeighboursKeepOrder(t *testing.T) {
	for _, c := range []struct {
		name string
		seam float64
	}{
		{"Expm1", 1.0 / 16}, {"Expm1", -1.0 / 16}, {"Expm1", 40}, {"Expm1", -38},
		{"Log", 1 - 1.0/16}, {"Log", 1 + 1.0/16}, {"Log", 1.375}, {"Log", 0.6875}, {"Log", 2},
		{"Exp", 0}, {"Exp", -708.3964185322641}, {"Exp", 709.436139303104}, {"Sin", 0x1p-26}, {"Sin", math.Pi / 4},
	} {
		fn := byName(t, c.name)
		x := c.seam
		for range 2000 {
			x = math.Nextafter(x, math.Inf(-1))
		}
		for range 4000 {
			next := math.Nextafter(x, math.Inf(1))
			if fn.f(next) < fn.f(x) {
				t.Fatalf("%s falls from %v at %v to %v at %v", c.name, fn.f(x), x, fn.f(next), next)
			}
			x = next
		}
	}
}

var sink float64

func BenchmarkFunctions(b *testing.B) {
	for _, fn := range functions {
		var arguments [256]float64
		r := rand.New(rand.NewPCG(3, 5))
		for i := range arguments {
			arguments[i] = 0.1 + float64(5*r.Float64())
		}
		b.Run(fn.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				sink = fn.f(arguments[i&255])
			}
		})
	}
}
