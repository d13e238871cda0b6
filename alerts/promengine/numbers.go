package promengine

import "math"

// numbers are values that do not change any more, in as little memory as lets
// each be read on its own. What comes out is bit by bit what was put in.
type numbers interface {
	at(i int) float64
	bytes() int
}

// plain is numbers as they are.
type plain []float64

func (p plain) at(i int) float64 { return p[i] }
func (p plain) bytes() int       { return len(p) * bytesPerValue }

// constant is the same number again and again.
type constant float64

func (c constant) at(int) float64 { return float64(c) }
func (c constant) bytes() int     { return bytesPerValue }

// offsets are whole numbers that are not far apart: what each is above the
// smallest. Most samples are those of counters, and of buckets, that grow by
// few in the time of a block.
type offsets[D uint8 | uint16 | uint32] struct {
	smallest float64
	above    []D
}

func (o *offsets[D]) at(i int) float64 { return o.smallest + float64(o.above[i]) }

func (o *offsets[D]) bytes() int {
	var one D
	return bytesPerValue + len(o.above)*sizeOf(one)
}

func sizeOf(one any) int {
	switch one.(type) {
	case uint8:
		return 1
	case uint16:
		return 2
	}
	return 4
}

func newOffsets[D uint8 | uint16 | uint32](values []float64, smallest float64) numbers {
	o := &offsets[D]{smallest: smallest, above: make([]D, len(values))}
	for i, v := range values {
		o.above[i] = D(v - smallest)
	}
	return o
}

// pack returns the values as numbers. It may keep the list.
func pack(values []float64) numbers {
	smallest, largest := values[0], values[0]
	same, whole := true, true
	for _, v := range values {
		same = same && math.Float64bits(v) == math.Float64bits(values[0])
		whole = whole && isWhole(v)
		smallest, largest = min(smallest, v), max(largest, v)
	}
	switch {
	case same:
		return constant(values[0])
	case !whole:
		return plain(values)
	case largest-smallest <= math.MaxUint8:
		return newOffsets[uint8](values, smallest)
	case largest-smallest <= math.MaxUint16:
		return newOffsets[uint16](values, smallest)
	case largest-smallest <= math.MaxUint32:
		return newOffsets[uint32](values, smallest)
	}
	return plain(values)
}

// isWhole reports whether v is a whole number among those that floating point
// has all of, so that sums and differences of two are exact. Negative zero is
// none: it would come out as zero.
func isWhole(v float64) bool {
	const exact = 1 << 52
	return v == math.Trunc(v) && math.Abs(v) <= exact && (v != 0 || !math.Signbit(v))
}
