package rng

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"pgregory.net/rapid"
)

type reference struct {
	Seed    uint32
	Uint32  []uint32
	Uniform []float64
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

func TestUint32ReferenceDraws(t *testing.T) {
	for _, row := range references(t) {
		s := New(row.Seed)
		for i, want := range row.Uint32 {
			if got := s.Uint32(); got != want {
				t.Errorf("seed %d, draw %d: %d, want %d", row.Seed, i, got, want)
			}
		}
	}
}

func TestFloat64ReferenceDraws(t *testing.T) {
	for _, row := range references(t) {
		s := New(row.Seed)
		for i, want := range row.Uniform {
			if got := s.Float64(); math.Abs(got-want) > 1e-9*want {
				t.Errorf("seed %d, draw %d: %v, want %v", row.Seed, i, got, want)
			}
		}
	}
}

func TestFloat64IsUint32Scaled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint32().Draw(t, "seed")
		bits, number := New(seed), New(seed)
		for range 100 {
			want := float64(bits.Uint32()) / (1 << 32)
			if got := number.Float64(); got != want || got < 0 || got >= 1 {
				t.Fatalf("%v, want %v", got, want)
			}
		}
	})
}

func TestZeroValueIsSeedZero(t *testing.T) {
	var zero Stream
	if got, want := zero.Uint32(), New(0).Uint32(); got != want {
		t.Errorf("%d, want %d", got, want)
	}
}

func TestCopyContinues(t *testing.T) {
	s := New(7)
	s.Uint32()
	twin := *s
	for range 10 {
		if got, want := twin.Uint32(), s.Uint32(); got != want {
			t.Fatalf("the copy gives %d, the original %d", got, want)
		}
	}
}

// TestDeriveNeverChanges holds values computed apart from this package. They
// are part of what a shared seed means and must not be edited.
func TestDeriveNeverChanges(t *testing.T) {
	for _, c := range []struct {
		seed uint32
		name string
		want uint32
	}{
		{0, "", 655959175},
		{0, "traffic", 444391052},
		{1, "traffic", 3853353392},
		{42, "shop/errors", 3511381538},
		{42, "shop/errorr", 2500709620},
		{4294967295, "ü", 2190313401},
	} {
		if got := Derive(c.seed, c.name); got != c.want {
			t.Errorf("Derive(%d, %q) = %d, want %d", c.seed, c.name, got, c.want)
		}
		if got, want := Named(c.seed, c.name).Uint32(), New(c.want).Uint32(); got != want {
			t.Errorf("Named(%d, %q) starts with %d, want %d", c.seed, c.name, got, want)
		}
	}
}

// TestDeriveSpreads checks that every bit of the result is set for about half of
// many names that differ little.
func TestDeriveSpreads(t *testing.T) {
	const names = 10_000
	var ones [32]int
	for i := range names {
		h := Derive(1, "pod/"+string(rune('a'+i%26))+string(rune('0'+i/26)))
		for bit := range ones {
			ones[bit] += int(h >> bit & 1)
		}
	}
	for bit, n := range ones {
		if sigmas := math.Abs(float64(n)-names/2) / (math.Sqrt(names) / 2); sigmas > 5 {
			t.Errorf("bit %d is set in %d of %d names, %.1f standard deviations off", bit, n, names, sigmas)
		}
	}
}

// TestUniformFits is a chi-square test of single draws and of pairs of
// successive ones over 256 equal cells. The statistic of a good generator has
// mean 255 and standard deviation √510.
func TestUniformFits(t *testing.T) {
	for seed := range uint32(20) {
		single, pairs := New(seed), New(Derive(seed, "pairs"))
		checkEven(t, seed, "draws", func() uint32 { return single.Uint32() >> 24 })
		checkEven(t, seed, "low bits", func() uint32 { return single.Uint32() & 255 })
		checkEven(t, seed, "pairs", func() uint32 { return pairs.Uint32()>>28<<4 | pairs.Uint32()>>28 })
	}
}

func checkEven(t *testing.T, seed uint32, what string, draw func() uint32) {
	t.Helper()
	const cells, each = 256, 100
	var counts [cells]float64
	for range cells * each {
		counts[draw()]++
	}
	sum := 0.0
	for _, n := range counts {
		sum += (n - each) * (n - each) / each
	}
	if sigmas := (sum - (cells - 1)) / math.Sqrt(2*(cells-1)); math.Abs(sigmas) > 5 {
		t.Errorf("seed %d, %s: chi-square %.0f, %.1f standard deviations off", seed, what, sum, sigmas)
	}
}

// TestStreamsAreIndependent correlates the streams of neighbouring names and of
// neighbouring seeds. A correlation of n independent pairs has standard
// deviation 1/√n.
func TestStreamsAreIndependent(t *testing.T) {
	for seed := range uint32(20) {
		checkUncorrelated(t, seed, Named(seed, "shop/errors"), Named(seed, "shop/traffic"))
		checkUncorrelated(t, seed, Named(seed, "shop"), Named(seed+1, "shop"))
		checkUncorrelated(t, seed, New(seed), New(seed+1))
	}
}

func checkUncorrelated(t *testing.T, seed uint32, a, b *Stream) {
	t.Helper()
	const pairs = 10_000
	sum := 0.0
	for range pairs {
		sum += (a.Float64() - 0.5) * (b.Float64() - 0.5) * 12
	}
	if sigmas := sum / math.Sqrt(pairs); math.Abs(sigmas) > 5 {
		t.Errorf("seed %d: correlation %.4f, %.1f standard deviations off", seed, sum/pairs, sigmas)
	}
}

var sink float64

func BenchmarkFloat64(b *testing.B) {
	s := New(1)
	b.ReportAllocs()
	for b.Loop() {
		sink = s.Float64()
	}
}

func BenchmarkDerive(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		sink = float64(Derive(1, "shop/errors"))
	}
}
