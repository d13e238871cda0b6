package dist

import (
	"encoding/binary"
	"encoding/json"
	"hash/fnv"
	"math"
	"os"
	"testing"

	"github.com/firedrill/firedrill/simulator/rng"
)

type reference struct {
	Seed        uint32
	Exponential []float64 `json:"exponential_rate_2"`
	Normal      []float64 `json:"normal_0_1"`
	Poisson     []int64   `json:"poisson_3.5"`
}

func references(t *testing.T) []reference {
	t.Helper()
	data, err := os.ReadFile("testdata/rng.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []reference
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) == 0 {
		t.Fatal("no reference draws")
	}
	return rows
}

func TestExponentialReferenceDraws(t *testing.T) {
	for _, row := range references(t) {
		s := rng.New(row.Seed)
		for i, want := range row.Exponential {
			checkDraw(t, row.Seed, i, Exponential(s, 2), want)
		}
	}
}

func TestNormalReferenceDraws(t *testing.T) {
	for _, row := range references(t) {
		standard, scaled := rng.New(row.Seed), rng.New(row.Seed)
		for i, want := range row.Normal {
			checkDraw(t, row.Seed, i, Normal(standard, 0, 1), want)
			checkDraw(t, row.Seed, i, Normal(scaled, 100, 3), 100+3*want)
		}
	}
}

func checkDraw(t *testing.T, seed uint32, i int, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9*math.Abs(want) {
		t.Errorf("seed %d, draw %d: %v, want %v", seed, i, got, want)
	}
}

func TestPoissonReferenceDraws(t *testing.T) {
	for _, row := range references(t) {
		s := rng.New(row.Seed)
		for i, want := range row.Poisson {
			if got := Poisson(s, 3.5); got != want {
				t.Errorf("seed %d, draw %d: %d, want %d", row.Seed, i, got, want)
			}
		}
	}
}

// TestExponentialFits and TestNormalFits send the draws through the
// distribution function and test the result for evenness: 1 − e^(−rt) and
// Φ((x − mean)/sd).
func TestExponentialFits(t *testing.T) {
	for seed := range uint32(10) {
		s := rng.Named(seed, "exponential")
		checkUniform(t, seed, func() float64 { return -math.Expm1(-0.25 * Exponential(s, 0.25)) })
	}
}

func TestNormalFits(t *testing.T) {
	for seed := range uint32(10) {
		s := rng.Named(seed, "normal")
		checkUniform(t, seed, func() float64 { return math.Erfc(-(Normal(s, -3, 5)+3)/(5*math.Sqrt2)) / 2 })
	}
}

// checkUniform is a chi-square test over 100 equal cells.
func checkUniform(t *testing.T, seed uint32, draw func() float64) {
	t.Helper()
	const cells, draws = 100, 40_000
	observed, expected := make([]float64, cells), make([]float64, cells)
	for range draws {
		observed[min(cells-1, int(cells*draw()))]++
	}
	for i := range expected {
		expected[i] = draws / cells
	}
	checkChiSquare(t, seed, observed, expected)
}

func TestExponentialIsNeverNegative(t *testing.T) {
	s := rng.New(0)
	for range 100_000 {
		if x := Exponential(s, 2); !(x >= 0) || math.Signbit(x) || x > 16*math.Ln2 {
			t.Fatalf("drew %v", x)
		}
	}
}

func TestPoissonFits(t *testing.T) {
	for _, mean := range []float64{1e-3, 0.1, 0.9, 3.5, 12, 30} {
		for seed := range uint32(8) {
			s := rng.Named(seed, "poisson")
			checkCounts(t, seed, func(k int) float64 { return poissonMass(mean, k) }, func() int64 { return Poisson(s, mean) })
		}
	}
}

func poissonMass(mean float64, k int) float64 {
	logFactorial, _ := math.Lgamma(float64(k + 1))
	return math.Exp(float64(k)*math.Log(mean) - mean - logFactorial)
}

// TestPoissonMoments compares mean and variance; 1/12 is the variance of the
// rounding of the normal limit.
func TestPoissonMoments(t *testing.T) {
	for _, mean := range []float64{0.02, 2, 29.9, 30.1, 100, 1e4, 1e9} {
		rounding := 0.0
		if mean > smallMean {
			rounding = 1.0 / 12
		}
		s := rng.Named(1, "poisson moments")
		checkMoments(t, 1, mean, mean+rounding, func() int64 { return Poisson(s, mean) })
	}
}

func TestPoissonOutsideItsDomain(t *testing.T) {
	s := rng.New(1)
	for _, mean := range []float64{0, -1, math.Inf(-1), math.NaN()} {
		if n := Poisson(s, mean); n != 0 {
			t.Errorf("mean %v: %d, want 0", mean, n)
		}
	}
	if *s != *rng.New(1) {
		t.Error("a mean of 0 drew a number")
	}
	if n := Poisson(s, math.Inf(1)); n != math.MaxInt64 {
		t.Errorf("mean +Inf: %d", n)
	}
}

// TestGolden proves that draws and counts are the same bits on every machine:
// run it with GOAMD64=v1 and v3, with GODEBUG=cpu.fma=off, and on other
// architectures.
func TestGolden(t *testing.T) {
	hash, s := fnv.New64a(), rng.New(1)
	add := func(bits uint64) { binary.Write(hash, binary.LittleEndian, bits) }
	counts, deficits, shares := make([]int64, 130), make([]float64, 130), scattered(130)
	for i := range int64(3000) {
		add(math.Float64bits(Exponential(s, 3)))
		add(math.Float64bits(Normal(s, 900, 30)))
		for _, mean := range []float64{0.01, 4, 29, 900} {
			add(uint64(Poisson(s, mean)))
			add(uint64(Binomial(s, 1500, mean/1500)))
		}
		k := Poisson(s, 900)
		Apportion(counts, deficits, shares, k)
		Carry(deficits, shares, counts, k)
		add(uint64(counts[i%130]))
		add(math.Float64bits(deficits[i%130]))
	}
	if got, want := hash.Sum64(), uint64(0x17ff71e28200a504); got != want {
		t.Errorf("the results have the hash %#x, want %#x", got, want)
	}
}
