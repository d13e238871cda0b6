package dist

import (
	"math/rand/v2"
	"testing"

	"github.com/firedrill/firedrill/simulator/rng"
)

var sink float64
var count int64

func BenchmarkExponential(b *testing.B) {
	s := rng.New(1)
	b.ReportAllocs()
	for b.Loop() {
		sink = Exponential(s, 2)
	}
}

func BenchmarkNormal(b *testing.B) {
	s := rng.New(1)
	b.ReportAllocs()
	for b.Loop() {
		sink = Normal(s, 0, 1)
	}
}

func BenchmarkPoisson(b *testing.B) {
	for _, mean := range []float64{0.1, 3.5, 30, 1000} {
		b.Run(label(mean), func(b *testing.B) {
			s := rng.New(1)
			b.ReportAllocs()
			for b.Loop() {
				count = Poisson(s, mean)
			}
		})
	}
}

func BenchmarkBinomial(b *testing.B) {
	for _, p := range []float64{1e-6, 1e-4, 5e-4, 1e-2, 0.3} {
		b.Run(label(p), func(b *testing.B) {
			s := rng.New(1)
			b.ReportAllocs()
			for b.Loop() {
				count = Binomial(s, 1500, p)
			}
		})
	}
}

// BenchmarkApportion distributes what a second brings over the cells of a
// histogram by pod, some of them nearly empty.
func BenchmarkApportion(b *testing.B) {
	const cells = 130
	counts, deficits, shares := make([]int64, cells), make([]float64, cells), scattered(cells)
	r := rand.New(rand.NewPCG(1, 2))
	b.ReportAllocs()
	for b.Loop() {
		k := int64(1400 + r.IntN(200))
		Apportion(counts, deficits, shares, k)
		Carry(deficits, shares, counts, k)
	}
}

func TestAllocatesNothing(t *testing.T) {
	const cells = 130
	counts, deficits, shares := make([]int64, cells), make([]float64, cells), scattered(cells)
	s := rng.New(1)
	allocations := testing.AllocsPerRun(100, func() {
		sink = Exponential(s, 2) + Normal(s, 0, 1)
		count = Poisson(s, 5) + Binomial(s, 1500, 0.01)
		Apportion(counts, deficits, shares, 1500)
		Carry(deficits, shares, counts, 1500)
	})
	if allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
}
