package cdn

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func mustCurve(t failer, text string) Curve {
	t.Helper()
	c, err := ParseCurve(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

func TestCurve(t *testing.T) {
	c := mustCurve(t, "0.75:0 0.85:1 0.95:0.5")
	for x, want := range map[float64]float64{0: 0, 0.75: 0, 0.8: 0.5, 0.85: 1, 0.9: 0.75, 0.95: 0.5, 3: 0.5} {
		if got := c.At(x); !near(got, want) {
			t.Errorf("at %g it is %g, want %g", x, got, want)
		}
	}
	if got := mustCurve(t, "0.5:0.25").At(7); got != 0.25 {
		t.Errorf("one point gives %g", got)
	}
}

func TestCurvesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "has no point",
		"0.75:0 0.85:1 0.8:1": "has the point 0.8:1 after 0.85:1: loads must rise",
		"0.75:0 0.75:1":       "has two points at one load, 0.75:0 and 0.75:1",
		"0.75:0 0.85:1.5":     "has the point 0.85:1.5, whose value is not between 0 and 1",
		"-0.1:0":              "has the point -0.1:0, whose load is not 0 or more",
		"0.75:0 0.85":         `has "0.85", which is no point`,
		"0.75:0 x:1":          `has "x:1", which is no point`,
		"NaN:0":               "has the point NaN:0, whose load is not 0 or more",
		"0.5:NaN":             "has the point 0.5:NaN, whose value is not between 0 and 1",
		"Inf:1":               "has the point +Inf:1, whose load is not 0 or more",
	} {
		if _, err := ParseCurve(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestCurvesThatRise: whatever is accepted rises in load and stays within its
// values; whatever does not is refused with a point of it in the message.
func TestCurvesThatRise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.SampledFrom([]float64{0, 0.1, 0.25, 0.5, 1})
		var points []Point
		for range rapid.IntRange(1, 6).Draw(t, "n") {
			points = append(points, Point{value.Draw(t, "x"), value.Draw(t, "y")})
		}
		text := Curve(points).String()
		c, err := ParseCurve(text)
		rises := true
		named := false
		for i := 1; i < len(points); i++ {
			if points[i].X <= points[i-1].X {
				rises = false
				named = named || err != nil && strings.Contains(err.Error(), points[i].String())
			}
		}
		if rises != (err == nil) || !rises && !named {
			t.Fatalf("%q: %v", text, err)
		}
		if err == nil && c.String() != text {
			t.Fatalf("%q is read as %q", text, c)
		}
		if err == nil {
			for x := 0.0; x < 2; x += 0.01 {
				if y := c.At(x); y < 0 || y > 1 {
					t.Fatalf("%q is %g at %g", text, y, x)
				}
			}
		}
	})
}

func TestDampersNeverWorkAgainstEachOther(t *testing.T) {
	for x := 0.0; x <= 2; x += 0.0005 {
		if extra, reduce := Dampers(x); extra != 0 && reduce != 0 || extra < 0 || reduce < 0 {
			t.Fatalf("an oscillation of %g gives extra %g and reduce %g", x, extra, reduce)
		}
	}
	for x, want := range map[float64][2]float64{0: {0, 0.15}, 0.03: {0, 0}, 0.04: {0, 0}, 0.05: {0, 0}, 0.2: {0.3, 0}, 0.5: {0.8, 0}, 0.9: {0.8, 0}} {
		if extra, reduce := Dampers(x); !near(extra, want[0]) || !near(reduce, want[1]) {
			t.Errorf("an oscillation of %g gives %g and %g, want %v", x, extra, reduce, want)
		}
	}
}

func TestOscillationSpansFifteenValues(t *testing.T) {
	m := NewMemory(0.5)
	m = m.Measured(0.9)
	for range 14 {
		if m = m.Measured(0.5); !near(m.Oscillation(), 0.4) && m.Load() != 0.5 {
			t.Fatalf("it is %g", m.Oscillation())
		}
	}
	if m = m.Measured(0.5); m.Oscillation() != 0 {
		t.Errorf("after 15 values it is %g", m.Oscillation())
	}
}

// TestDamped: a swing raises the slowdown, calm lowers it.
func TestDamped(t *testing.T) {
	b := Damped{Piecewise{mustCurve(t, "0.75:0 0.85:1"), mustCurve(t, "0.85:0 0.95:0.1")}}
	calm := NewMemory(0.8)
	if s, _ := b.Decide(calm, 0.85); !near(s.Slowdown, 0.35) || s.Drop != 0 {
		t.Errorf("calm: %+v, want 0.5 − 0.15", s)
	}
	if s, _ := b.Decide(calm.Measured(1).Measured(0.8), 0.85); !near(s.Slowdown, 0.8) {
		t.Errorf("a swing of 0.2: %+v, want 0.5 + 0.3", s)
	}
	if s, _ := b.Decide(NewMemory(0.95), 0.85); !near(s.Drop, 0.1) {
		t.Errorf("at 0.95: %+v", s)
	}
}

// TestPID compares the controller with values worked out by hand.
func TestPID(t *testing.T) {
	b := PID{KP: 1.2, KI: 0.01}
	s, m := b.Decide(NewMemory(0.95), 0.85) // a proportional part of 0.12 and an integral of 0.01
	if !near(s.Slowdown, 0.13) || s.Drop != 0 {
		t.Errorf("%+v", s)
	}
	if s, _ = b.Decide(m, 0.85); !near(s.Slowdown, 0.14) {
		t.Errorf("%+v", s)
	}
	if s, _ = (PID{KP: 10}).Decide(NewMemory(1), 0.85); s.Slowdown != 1 || !near(s.Drop, 0.1) { // u = 1.5
		t.Errorf("%+v", s)
	}
	if s, _ = (PID{KP: 100}).Decide(NewMemory(1), 0.85); s.Slowdown != 1 || !near(s.Drop, 0.2) { // u clamped to 2
		t.Errorf("%+v", s)
	}
	_, m = (PID{KD: 5}).Decide(NewMemory(0.85), 0.85)
	if s, _ = (PID{KD: 5}).Decide(m.Measured(1.05), 0.85); !near(s.Slowdown, 0.1) { // 5·0.2/10
		t.Errorf("%+v", s)
	}
}

// TestPIDDoesNotWindUp: hours far above or below the target leave no more than
// a u at the edge to undo.
func TestPIDDoesNotWindUp(t *testing.T) {
	for _, load := range []float64{0, 3} {
		b, m := PID{KP: 1.2, KI: 0.01}, NewMemory(load)
		for range 10000 {
			_, m = b.Decide(m.Measured(load), 0.85)
		}
		if m.integral < -3 || m.integral > 3 {
			t.Errorf("at %g the integral is %g", load, m.integral)
		}
	}
}
