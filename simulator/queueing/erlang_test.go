package queueing

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// recursion is Erlang's recursion as published, in 100-bit arithmetic:
// B(n) = a·B(n−1)/(n + a·B(n−1)).
func recursion(servers int, load float64) float64 {
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(100).SetFloat64(x) }
	a, b := number(load), number(1)
	for n := 1; n <= servers; n++ {
		b.Mul(b, a)
		b.Quo(b, new(big.Float).Add(number(float64(n)), b))
	}
	result, _ := b.Float64()
	return result
}

func TestErlangBIsItsRecursion(t *testing.T) {
	for _, servers := range []int{0, 1, 2, 16, 160, 640, 1500} {
		for _, ratio := range []float64{1e-9, 0.01, 0.5, 0.9, 0.999, 1, 1.001, 1.1, 3, 1000} {
			load := ratio * max(1, float64(servers))
			got, want := ErlangB(servers, load), recursion(servers, load)
			if math.Abs(got-want) > 1e-12*want && want > 1e-300 {
				t.Errorf("ErlangB(%d, %v) = %v, want %v", servers, load, got, want)
			}
		}
	}
}

func TestErlangLimits(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"B of no servers", ErlangB(0, 7), 1},
		{"B of no servers and no load", ErlangB(0, 0), 1},
		{"B of no load", ErlangB(5, 0), 0},
		{"B of hardly any load", ErlangB(5, 5e-324), 0},
		{"B below the smallest number", ErlangB(5000, 1), 0},
		{"B of endless load", ErlangB(5000, math.MaxFloat64), 1},
		{"C of no servers", ErlangC(0, 0), 1},
		{"C of no load", ErlangC(5, 0), 0},
		{"C at the limit", ErlangC(5, 5), 1},
		{"C above the limit", ErlangC(5, 6), 1},
	} {
		if c.got != c.want {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
}

// TestErlangOfOneServer: with one server, B = a/(1 + a) and C = ρ.
func TestErlangOfOneServer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		load := rapid.Float64Range(1e-9, 0.999999).Draw(t, "load")
		if b, want := ErlangB(1, load), load/(1+load); math.Abs(b-want) > 1e-14*want {
			t.Errorf("B = %v, want %v", b, want)
		}
		if c := ErlangC(1, load); math.Abs(c-load) > 1e-14*load {
			t.Errorf("C = %v, want %v", c, load)
		}
	})
}

func TestErlangIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		servers := rapid.IntRange(1, 800).Draw(t, "servers")
		load := rapid.Float64Range(0, 1000).Draw(t, "load")
		more := load * rapid.Float64Range(1.000001, 2).Draw(t, "factor")
		if ErlangB(servers, more) < ErlangB(servers, load) || ErlangC(servers, more) < ErlangC(servers, load) {
			t.Errorf("falls from load %v to %v", load, more)
		}
		if ErlangB(servers+1, load) > ErlangB(servers, load) || ErlangC(servers+1, load) > ErlangC(servers, load) {
			t.Errorf("rises from %d servers to one more", servers)
		}
	})
}
