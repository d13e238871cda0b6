package cdn

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Point is a corner of a Curve: the value y at x.
type Point struct{ X, Y float64 }

// String writes the point as ParseCurve reads it.
func (p Point) String() string {
	return strconv.FormatFloat(p.X, 'g', -1, 64) + ":" + strconv.FormatFloat(p.Y, 'g', -1, 64)
}

// Curve is a piecewise linear function, constant outside its end points. Make
// it with NewCurve or ParseCurve.
type Curve []Point

// NewCurve makes a curve of points from left to right with values 0..1. The
// error names the point that is out of place, twice there or out of range.
func NewCurve(points ...Point) (Curve, error) {
	if len(points) == 0 {
		return nil, fmt.Errorf("has no point")
	}
	for i, p := range points {
		switch {
		case !(p.X >= 0) || math.IsInf(p.X, 1):
			return nil, fmt.Errorf("has the point %s, whose load is not 0 or more", p)
		case !(p.Y >= 0 && p.Y <= 1):
			return nil, fmt.Errorf("has the point %s, whose value is not between 0 and 1", p)
		case i > 0 && p.X == points[i-1].X:
			return nil, fmt.Errorf("has two points at one load, %s and %s", points[i-1], p)
		case i > 0 && p.X < points[i-1].X:
			return nil, fmt.Errorf("has the point %s after %s: loads must rise", p, points[i-1])
		}
	}
	return points, nil
}

// ParseCurve reads points such as "0.75:0 0.85:1", a load and a value each.
func ParseCurve(text string) (Curve, error) {
	var points []Point
	for word := range strings.FieldsSeq(text) {
		x, y, ok := strings.Cut(word, ":")
		if !ok {
			return nil, fmt.Errorf("has %q, which is no point", word)
		}
		p := Point{}
		var errX, errY error
		p.X, errX = strconv.ParseFloat(x, 64)
		p.Y, errY = strconv.ParseFloat(y, 64)
		if errX != nil || errY != nil {
			return nil, fmt.Errorf("has %q, which is no point", word)
		}
		points = append(points, p)
	}
	return NewCurve(points...)
}

// At returns the value at x.
//
//	y = yᵢ + (yᵢ₊₁ − yᵢ)·(x − xᵢ)/(xᵢ₊₁ − xᵢ) for xᵢ ≤ x ≤ xᵢ₊₁
//
// Left of the first point it is y of the first, right of the last y of the last.
// Test: TestCurve.
func (c Curve) At(x float64) float64 {
	if x <= c[0].X {
		return c[0].Y
	}
	for i := 1; i < len(c); i++ {
		if a, b := c[i-1], c[i]; x <= b.X {
			return a.Y + float64((b.Y-a.Y)*(x-a.X))/(b.X-a.X)
		}
	}
	return c[len(c)-1].Y
}

// String writes the curve as ParseCurve reads it.
func (c Curve) String() string {
	words := make([]string, len(c))
	for i, p := range c {
		words[i] = p.String()
	}
	return strings.Join(words, " ")
}
