package cdn

import (
	"math/bits"
	"math/rand/v2"

	"github.com/firedrill/firedrill/simulator/rng"
)

// picker picks single sessions, groups and links. Each purpose has its own.
type picker struct{ source *rand.PCG }

// newPicker returns the picker of a run's named purpose.
func newPicker(seed uint32, name string) picker {
	low := rng.Derive(seed, name)
	return picker{rand.NewPCG(uint64(seed)<<32|uint64(low), uint64(rng.Derive(low, name)))}
}

// below returns a whole number below n, each about equally likely: the highest
// 64 bits of a 128-bit product, whose bias is below n/2^64.
func (p picker) below(n int) int {
	high, _ := bits.Mul64(p.source.Uint64(), uint64(n))
	return int(high)
}

// unit returns a number on [0, 1), a multiple of 2^-53.
func (p picker) unit() float64 { return float64(p.source.Uint64()>>11) * 0x1p-53 }

// yes reports true with that probability. It draws nothing where the answer is
// certain.
func (p picker) yes(probability float64) bool {
	switch {
	case probability <= 0:
		return false
	case probability >= 1:
		return true
	}
	return p.unit() < probability
}

// alias draws from a fixed discrete distribution in constant time.
//
// Source: A. J. Walker 1977, An efficient method for generating discrete random
// variables with general distributions; M. D. Vose 1991 (the tables).
// Test: TestAliasFits.
type alias struct {
	keep  []float64 // probability of the column's own value
	other []int32   // the value that has the rest of the column
}

// newAlias makes the tables of weights of which one at least is above 0.
func newAlias(weights []float64) alias {
	n := len(weights)
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	a := alias{keep: make([]float64, n), other: make([]int32, n)}
	var small, large []int
	for i, w := range weights {
		a.keep[i], a.other[i] = float64(w/sum*float64(n)), int32(i)
		if a.keep[i] < 1 {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		a.other[s] = int32(l)
		a.keep[l] -= 1 - a.keep[s]
		if a.keep[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	for _, i := range append(small, large...) { // what roundings have left
		a.keep[i] = 1
	}
	return a
}

// draw returns a value.
func (a alias) draw(p picker) int {
	i := p.below(len(a.keep))
	if p.unit() < a.keep[i] {
		return i
	}
	return int(a.other[i])
}
