package rng

const (
	fnvOffset = 0xcbf29ce484222325
	fnvPrime  = 0x100000001b3
)

// Derive returns the seed of the stream that a run with the given seed uses
// for the named purpose. The function never changes: a seed that somebody
// noted or shared gives the same run in every later version.
//
//	h = FNV-1a₆₄(seed₀ seed₁ seed₂ seed₃ name)
//	h ← fmix64(h), result h mod 2^32
//
// where
//
//	seed₀ … seed₃ = the bytes of the seed, the lowest first
//	name          = the bytes of the name
//	fmix64        = h ⊕ h≫33, · 0xff51afd7ed558ccd, ⊕ h≫33,
//	                · 0xc4ceb9fe1a85ec53, ⊕ h≫33
//
// FNV-1a alone spreads the last bytes of a name badly over the low bits; the
// finalizer does.
//
// Domain: every seed and name, the empty one included.
// Source: Fowler, Noll and Vo, The FNV Non-Cryptographic Hash Algorithm,
// draft-eastlake-fnv (FNV-1a); A. Appleby, MurmurHash3, public domain (fmix64).
// Test: TestDeriveNeverChanges.
func Derive(seed uint32, name string) uint32 {
	h := uint64(fnvOffset)
	for shift := 0; shift < 32; shift += 8 {
		h = (h ^ uint64(byte(seed>>shift))) * fnvPrime
	}
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * fnvPrime
	}
	return uint32(finalize(h))
}

// finalize is fmix64 of MurmurHash3: every bit of the input changes every bit
// of the result with a probability of about one half.
func finalize(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
