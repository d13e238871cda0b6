package dist

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/firedrill/firedrill/simulator/fmath"
)

func label(x float64) string { return fmt.Sprintf("%g", x) }

// scattered returns shares over many orders of magnitude that add up to 1, the
// same on every machine.
func scattered(cells int) []float64 {
	r := rand.New(rand.NewPCG(7, 7))
	shares, sum := make([]float64, cells), 0.0
	for b := range shares {
		shares[b] = fmath.Exp(float64(20 * (r.Float64() - 1)))
		sum += shares[b]
	}
	for b := range shares {
		shares[b] /= sum
	}
	return shares
}

// checkCounts is a chi-square test of 10,000 draws against a probability mass.
func checkCounts(t *testing.T, seed uint32, mass func(k int) float64, draw func() int64) {
	t.Helper()
	const draws = 10_000
	seen, most := map[int64]float64{}, int64(0)
	for range draws {
		x := draw()
		seen[x]++
		most = max(most, x)
	}
	observed, expected := make([]float64, most+2), make([]float64, most+2)
	rest := float64(draws)
	for k := range observed {
		observed[k] = seen[int64(k)]
		expected[k] = draws * mass(k)
		rest -= expected[k]
	}
	expected[most+1] += max(0, rest)
	checkChiSquare(t, seed, observed, expected)
}

// checkChiSquare joins cells until each expects at least 10 and compares
// Pearson's statistic with its mean and variance, 5 standard deviations wide
// after the Wilson-Hilferty transformation, which makes it nearly normal.
func checkChiSquare(t *testing.T, seed uint32, observed, expected []float64) {
	t.Helper()
	sum, cells, seen, due := 0.0, 0, 0.0, 0.0
	for i := range observed {
		seen, due = seen+observed[i], due+expected[i]
		if due >= 10 {
			sum += (seen - due) * (seen - due) / due
			cells, seen, due = cells+1, 0, 0
		}
	}
	if due > 0 {
		sum += (seen - due) * (seen - due) / max(due, 1)
	}
	freedom := float64(max(cells-1, 1))
	spread := 2 / (9 * freedom)
	sigmas := (math.Cbrt(sum/freedom) - (1 - spread)) / math.Sqrt(spread)
	if sigmas > 5 {
		t.Errorf("seed %d: chi-square %.1f with %.0f degrees of freedom, %.1f standard deviations off", seed, sum, freedom, sigmas)
	}
}

// checkMoments compares mean and variance of 20,000 draws, 5 standard
// deviations wide.
func checkMoments(t *testing.T, seed uint32, mean, variance float64, draw func() int64) {
	t.Helper()
	const draws = 20_000
	sum, squares, fourth := 0.0, 0.0, 0.0
	for range draws {
		x := float64(draw()) - mean
		sum += x
		squares += x * x
		fourth += x * x * x * x
	}
	if sigmas := sum / math.Sqrt(draws*variance); math.Abs(sigmas) > 5 {
		t.Errorf("seed %d: mean %v, want %v, %.1f standard deviations off", seed, mean+sum/draws, mean, sigmas)
	}
	deviation := math.Sqrt((fourth/draws - math.Pow(squares/draws, 2)) / draws)
	if sigmas := (squares/draws - variance) / deviation; math.Abs(sigmas) > 5 {
		t.Errorf("seed %d: mean %v, variance %v, want %v, %.1f standard deviations off", seed, mean, squares/draws, variance, sigmas)
	}
}
