package rng

// weyl is the increment of the state, odd, so that the state takes all 2^32
// values before it repeats.
const weyl = 0x6D2B79F5

// unit is 2^-32, the distance between two neighbouring values of Float64.
const unit = 1.0 / (1 << 32)

// A Stream is a mulberry32 generator. Copying a Stream copies its state: the
// copy continues with the same numbers. The zero value is the stream of seed 0.
// A Stream is not safe for concurrent use.
type Stream struct {
	state uint32
}

// New returns the stream of a seed. Every seed is valid and gives a stream of
// its own.
func New(seed uint32) *Stream {
	return &Stream{state: seed}
}

// Named returns the stream that a run with this seed uses for the named
// purpose: New(Derive(seed, name)).
func Named(seed uint32, name string) *Stream {
	return New(Derive(seed, name))
}

// Uint32 returns the next 32 bits of the stream.
//
//	a ← a + 0x6D2B79F5
//	t ← (a ⊕ a≫15) · (a | 1)
//	t ← t ⊕ (t + (t ⊕ t≫7) · (t | 61))
//	result t ⊕ t≫14
//
// where
//
//	a = state, Stream.state, 32 bits; all arithmetic is modulo 2^32
//
// Domain: every state.
// Source: mulberry32, public domain, T. Ettinger 2017.
// Test: TestUint32ReferenceDraws.
func (s *Stream) Uint32() uint32 {
	s.state += weyl
	t := s.state
	t = (t ^ t>>15) * (t | 1)
	t ^= t + (t^t>>7)*(t|61)
	return t ^ t>>14
}

// Float64 returns the next number of the stream, uniform on [0, 1): a multiple
// of 2^-32, so that 0 is possible and 1 is not.
//
//	u = Uint32() / 2^32
//
// Test: TestFloat64ReferenceDraws.
func (s *Stream) Float64() float64 {
	return float64(float64(s.Uint32()) * unit)
}
