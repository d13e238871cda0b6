package scenario

import (
	"math"
	"strconv"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/rng"
	"github.com/firedrill/firedrill/simulator/schema"
)

// Draw is a value that is either given or drawn uniformly between two bounds,
// both of which can come out.
type Draw struct {
	Low, High schema.Value // the same where the value is given
	grain     float64      // what a drawn value is a whole number of; 0 for any
}

// fixed makes a value that is not drawn.
func fixed(v schema.Value) Draw { return Draw{Low: v, High: v} }

// seconds makes a span of time that is not drawn.
func seconds(t simulator.Tick) Draw { return fixed(schema.OfSeconds(float64(t))) }

// Fixed reports whether the value is given rather than drawn.
func (d Draw) Fixed() bool { return d.Low == d.High }

// String writes the value, or its bounds as low..high.
func (d Draw) String() string {
	if d.Fixed() {
		return d.Low.String()
	}
	return d.Low.String() + ".." + d.High.String()
}

// value returns the value for u, a uniform number on [0, 1).
//
//	grain = 0: low + (high − low)·u, rounded to 6 significant digits
//	else:      low + grain·min(n, ⌊(n + 1)·u⌋), n = (high − low)/grain
//
// Every multiple of the grain is equally likely, the bounds included. The
// rounding makes a number that people can note and give again.
func (d Draw) value(u float64) schema.Value {
	if d.Fixed() {
		return d.Low
	}
	low, width := d.Low.Float(), d.High.Float()-d.Low.Float()
	if d.grain == 0 {
		return schema.OfNumber(min(max(noted(low+float64(width*u)), low), d.High.Float()))
	}
	n := math.Round(width / d.grain)
	x := low + float64(d.grain*min(n, math.Floor((n+1)*u)))
	if d.Low.Kind() == schema.Integer {
		return schema.OfInt(int(x))
	}
	return schema.OfSeconds(x)
}

// noted rounds x to 6 significant digits.
func noted(x float64) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	if err != nil {
		return x // rounded up beyond the largest number
	}
	return y
}

// uniform gives the uniform number on [0, 1) that belongs to a name.
type uniform func(name string) float64

// seeded draws each number from a stream of its own, so that a draw that is
// added, dropped or edited shifts no other.
func seeded(seed uint32) uniform {
	return func(name string) float64 { return rng.Named(seed, "scenario/"+name).Float64() }
}

// lowest and highest give the bounds of every draw.
func lowest(string) float64  { return 0 }
func highest(string) float64 { return math.Nextafter(1, 0) }
