package fmath

import "math/big"

// precision is the number of bits of the reference arithmetic.
const precision = 240

// bigPi, bigLn2 are constants of the reference arithmetic.
var (
	bigPi  = machinPi()
	bigLn2 = bigLogNear(number(2))
)

func number(x float64) *big.Float {
	return new(big.Float).SetPrec(precision).SetFloat64(x)
}

func blank() *big.Float { return new(big.Float).SetPrec(precision) }

func isBelow(term *big.Float, exponent int) bool {
	return term.Sign() == 0 || term.MantExp(nil) < exponent
}

// bigExpm1 sums the Taylor series of e^x − 1 at x/2^16 and doubles back with
// E(2x) = E(x)(E(x) + 2), which loses nothing near 0.
func bigExpm1(x *big.Float) *big.Float {
	const halvings = 16
	small := blank().SetMantExp(x, -halvings)
	sum, term := blank(), number(1)
	for k := 1.0; !isBelow(term, x.MantExp(nil)-precision); k++ {
		term = blank().Quo(blank().Mul(term, small), number(k))
		sum.Add(sum, term)
	}
	for range halvings {
		sum = blank().Mul(sum, blank().Add(sum, number(2)))
	}
	return sum
}

func bigExp(x *big.Float) *big.Float {
	if x.Sign() < 0 {
		return blank().Quo(number(1), bigExp(blank().Neg(x)))
	}
	return blank().Add(number(1), bigExpm1(x))
}

// bigLogNear returns ln x = 2 artanh((x−1)/(x+1)) for x near 1.
func bigLogNear(x *big.Float) *big.Float {
	s := blank().Quo(blank().Sub(x, number(1)), blank().Add(x, number(1)))
	square, power, sum := blank().Mul(s, s), s, blank()
	for k := 1.0; !isBelow(power, s.MantExp(nil)-precision); k += 2 {
		sum.Add(sum, blank().Quo(power, number(k)))
		power = blank().Mul(power, square)
	}
	return sum.Add(sum, sum)
}

// bigLog returns ln x = k ln 2 + ln z with z in [0.5, 1), or near 1 directly.
func bigLog(x *big.Float) *big.Float {
	mantissa := blank()
	k := x.MantExp(mantissa)
	if k == 0 || k == 1 {
		return bigLogNear(x)
	}
	return blank().Add(blank().Mul(number(float64(k)), bigLn2), bigLogNear(mantissa))
}

// machinPi returns π = 16 arctan(1/5) − 4 arctan(1/239).
func machinPi() *big.Float {
	a := blank().Mul(number(16), arctanInverse(5))
	return a.Sub(a, blank().Mul(number(4), arctanInverse(239)))
}

func arctanInverse(n float64) *big.Float {
	power, sum := blank().Quo(number(1), number(n)), blank()
	for k := 1.0; !isBelow(power, -precision); k += 2 {
		sum.Add(sum, blank().Quo(power, number(k)))
		power = blank().Quo(power, number(-n*n))
	}
	return sum
}

// bigSin returns sin(x + turn·π/2).
func bigSin(x float64, turn int) *big.Float {
	quarter := blank().Quo(bigPi, number(2))
	n, _ := blank().Quo(number(x), quarter).Int(nil)
	rest := blank().Sub(number(x), blank().Mul(quarter, blank().SetInt(n)))
	quadrant := (int(n.Int64()) + turn) & 3
	value := bigTaylor(rest, quadrant&1)
	if quadrant >= 2 {
		value.Neg(value)
	}
	return value
}

// bigTaylor sums the odd powers of the Taylor series (the sine) for even = 0
// and the even ones (the cosine) for even = 1.
func bigTaylor(x *big.Float, even int) *big.Float {
	term, k := blank().Set(x), 2.0
	if even == 1 {
		term, k = number(1), 1.0
	}
	square, sum := blank().Mul(x, x), blank()
	for ; !isBelow(term, -precision); k += 2 {
		sum.Add(sum, term)
		term = blank().Quo(blank().Mul(term, square), number(-k*(k+1)))
	}
	return sum
}
