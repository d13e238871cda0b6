package queueing

import (
	"math"
	"math/rand/v2"
	"testing"
)

// simpson integrates a smooth function over [from, to].
func simpson(f func(float64) float64, from, to float64) float64 {
	const steps = 2000
	if !(to > from) {
		return 0
	}
	h, sum := (to-from)/steps, f(from)+f(to)
	for i := 1; i < steps; i++ {
		sum += f(from+float64(i)*h) * float64(2+2*(i&1))
	}
	return sum * h / 3
}

// density is the density of the wait as Wait defines it.
func density(w Wait, t float64) float64 {
	if w.Decay < 0 {
		return w.Peak * math.Exp(-w.Decay*(t-w.Patience))
	}
	return w.Peak * math.Exp(-w.Decay*t)
}

// drawWait draws a wait with all of its parts; in a third of them the density
// decays at the very rate of the service.
func drawWait(r *rand.Rand) (w Wait, mu float64) {
	mu = 0.5 + 10*r.Float64()
	w = Wait{Zero: r.Float64(), Peak: r.Float64(), Decay: 40 * (r.Float64() - 0.5), Patience: 0.1 + 3*r.Float64(), Atom: r.Float64()}
	switch r.IntN(6) {
	case 0:
		w.Decay = mu
	case 1:
		w.Decay = mu * (1 + 1e-9)
	case 2:
		w.Decay = 0
	case 3:
		w.Decay = 1e-300
	}
	return w, mu
}

func TestTailIsItsIntegral(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 2))
	for range 200 {
		w, mu := drawWait(r)
		for _, at := range []float64{-1, 0, 0.01, 0.5 * w.Patience, w.Patience, w.Patience + 0.4} {
			at0 := max(at, 0)
			served := simpson(func(u float64) float64 { return density(w, u) * math.Exp(-mu*(at0-u)) }, 0, min(at0, w.Patience))
			waiting := simpson(func(u float64) float64 { return density(w, u) }, at0, w.Patience)
			want := w.Zero*math.Exp(-mu*at0) + served + waiting + w.Atom*math.Exp(-mu*max(0, at0-w.Patience))
			if got := w.Tail(at, mu); math.Abs(got-want) > 1e-8*want {
				t.Errorf("%+v, μ = %v (seed %d): tail at %v is %v, want %v", w, mu, seed, at, got, want)
			}
		}
	}
}

func TestMeanTimeIsIntegralOfTail(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, 2))
	for range 200 {
		w, mu := drawWait(r)
		tail := func(t float64) float64 { return w.Tail(t, mu) }
		want := simpson(tail, 0, w.Patience) + simpson(tail, w.Patience, w.Patience+40/mu)
		if got := w.MeanTime(mu); math.Abs(got-want) > 1e-7*want {
			t.Errorf("%+v, μ = %v (seed %d): mean %v, want %v", w, mu, seed, got, want)
		}
	}
}

// TestSteepWaits: no exponential overflows or turns into NaN.
func TestSteepWaits(t *testing.T) {
	for _, decay := range []float64{-1e300, -1e6, -800, 0, 800, 1e6, 1e300} {
		for _, mu := range []float64{1e-9, 1, 1e9} {
			w := Wait{Zero: 0.5, Peak: 0.25 * max(1, math.Abs(decay)), Decay: decay, Patience: 2}
			for _, at := range []float64{0, 1e-300, 1, 2, 3, 1e300, math.Inf(1)} {
				if tail := w.Tail(at, mu); !isRatio(tail) {
					t.Errorf("decay %v, μ = %v: tail at %v is %v", decay, mu, at, tail)
				}
			}
			if mean := w.MeanTime(mu); !(mean > 0) || math.IsInf(mean, 0) {
				t.Errorf("decay %v, μ = %v: mean %v", decay, mu, mean)
			}
		}
	}
}

func TestExpIntegral(t *testing.T) {
	for _, c := range []struct{ rate, length, want float64 }{
		{0, 3, 3}, {1e-320, 2, 2}, {5, 0, 0}, {1e-9, 2, 2 * (1 - 1e-9)}, {1, 1, 1 - 1/math.E}, {-1, 1, 1 - 1/math.E}, {1e4, 2, 1e-4},
	} {
		if got := expIntegral(c.rate, c.length); math.Abs(got-c.want) > 1e-15*c.want {
			t.Errorf("expIntegral(%v, %v) = %v, want %v", c.rate, c.length, got, c.want)
		}
	}
}

func TestFirstMoment(t *testing.T) {
	for _, x := range []float64{-50, -1.0001, -1, -0.9999, -0.3, -1e-5, -1e-300, 0, 1e-300, 1e-5, 0.3, 0.9999, 1, 1.0001, 50} {
		want := simpson(func(u float64) float64 { return u * math.Exp(-x*u+min(x, 0)) }, 0, 1)
		if got := firstMoment(x); math.Abs(got-want) > 1e-8*want {
			t.Errorf("firstMoment(%v) = %v, want %v", x, got, want)
		}
	}
	if got := firstMoment(0); got != 0.5 {
		t.Errorf("firstMoment(0) = %v", got)
	}
}
