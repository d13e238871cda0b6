package scenario

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/firedrill/firedrill/simulator/schema"
)

func TestDrawStaysWithinItsBoundsAndOnItsGrain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := rapid.Float64Range(0, highest("")).Draw(t, "u")
		low := rapid.IntRange(-1000, 1000).Draw(t, "low")
		width := rapid.IntRange(1, 1000).Draw(t, "width")
		whole := Draw{Low: schema.OfInt(low), High: schema.OfInt(low + width), grain: 1}.value(u)
		if n := whole.Int(); n < low || n > low+width || whole.Kind() != schema.Integer {
			t.Fatalf("integer %v outside %d..%d", whole, low, low+width)
		}
		minutes := Draw{Low: schema.OfSeconds(float64(low * 60)), High: schema.OfSeconds(float64((low + width) * 60)), grain: 60}.value(u)
		if x := minutes.Float(); x < float64(low*60) || x > float64((low+width)*60) || math.Mod(x, 60) != 0 {
			t.Fatalf("span %v outside", minutes)
		}
		a, b := float64(low)/7, float64(low+width)/7
		number := Draw{Low: schema.OfNumber(a), High: schema.OfNumber(b)}.value(u)
		if x := number.Float(); x < a || x > b {
			t.Fatalf("number %v outside %v..%v", x, a, b)
		}
	})
}

func TestDrawReachesItsBounds(t *testing.T) {
	d := Draw{Low: schema.OfInt(3), High: schema.OfInt(5), grain: 1}
	if low, high := d.value(lowest("")), d.value(highest("")); low.Int() != 3 || high.Int() != 5 {
		t.Errorf("bounds give %v and %v", low, high)
	}
}

// TestDrawIsUniform counts how often each of five values comes out over seeds;
// 23.5 is the 99.99 % quantile of chi-square with 4 degrees of freedom.
func TestDrawIsUniform(t *testing.T) {
	const seeds = 5000
	d := Draw{Low: schema.OfSeconds(60), High: schema.OfSeconds(64), grain: 1}
	var counts [5]float64
	for seed := range uint32(seeds) {
		counts[d.value(seeded(seed)("events/link/at")).Int()-60]++
	}
	var chi2 float64
	for _, n := range counts {
		chi2 += (n - seeds/5) * (n - seeds/5) / (seeds / 5)
	}
	if chi2 > 23.5 {
		t.Errorf("chi-square %.1f for counts %v", chi2, counts)
	}
}

func TestDrawnNumbersCanBeNoted(t *testing.T) {
	d := Draw{Low: schema.OfNumber(2.5), High: schema.OfNumber(4)}
	for seed := range uint32(100) {
		if text := d.value(seeded(seed)("x")).String(); len(text) > len("3.84521") {
			t.Fatalf("seed %d draws %s", seed, text)
		}
	}
}

// TestDrawsAreIndependent edits a scenario and expects the draws that were not
// edited to stay as they were.
func TestDrawsAreIndependent(t *testing.T) {
	const events = `events:
  - {id: a, at: {between: [1m, 20m]}, do: break, args: {for: {between: [5m, 30m]}, depth: {between: [0, 1]}}}
  - {id: b, at: {after: a, plus: {between: [1m, 20m]}}, do: count, args: {n: {between: [1, 9]}}}
`
	plan := func(text string) map[string]string {
		out := map[string]string{}
		for _, e := range mustRun(t, head+text, Options{}).Truth().Events {
			out[e.ID] = fmt.Sprint(e.At, e.Args["depth"], e.Args["for"], e.Args["n"])
		}
		return out
	}
	want := plan(events)
	if got := plan(strings.Replace(events, "{between: [1, 9]}", "4", 1)); got["a"] != want["a"] {
		t.Errorf("a change of b moved a: %s, want %s", got["a"], want["a"])
	}
	if got := plan(strings.Replace(events, "for: {between: [5m, 30m]}, ", "", 1)); got["b"] != want["b"] {
		t.Errorf("a draw dropped from a moved b: %s, want %s", got["b"], want["b"])
	}
	more := strings.Replace(events, "events:\n", "events:\n  - {id: new, at: {between: [1m, 9m]}, do: mend}\n", 1)
	if got := plan(more); got["a"] != want["a"] || got["b"] != want["b"] {
		t.Errorf("a new event moved others: %v, want %v", got, want)
	}
	seed := uint32(2)
	other := mustRun(t, head+events, Options{Seed: &seed}).Truth().Events
	if got := fmt.Sprint(other[0].At, other[0].Args["depth"], other[0].Args["for"], other[0].Args["n"]); got == want["a"] {
		t.Errorf("another seed draws the same: %s", got)
	}
}
