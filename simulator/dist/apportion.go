package dist

// Apportion distributes k whole things over cells in proportion to their
// shares, on top of what each cell is still owed, and writes the counts.
//
//	counts_b = max(0, ⌊deficits_b + λ·shares_b + 1/2⌋), Σ counts_b = k
//
// where
//
//	b          = cell, an index of the three slices, which have the same length
//	shares_b   = the part of the things that belongs to the cell, a ratio
//	deficits_b = what it was given too little so far (below 0: too much), things
//	λ          = the number for which the counts add up to k; of the cells that
//	             would take the last things at the same λ, the lowest indexes do
//
// It is Webster's method (Sainte-Laguë) with a start that differs by cell: the
// m-th thing of a cell is due at λ = (m − 1/2 − deficits_b)/shares_b, and the k
// that are due first are handed out. Hence, for given deficits and shares, no
// count falls when k grows.
//
// Where Carry is called after each period, what cell b was given in all stays
// within 1/2 + shares_b·n/2 of its part of the whole, for n cells with shares
// that add up to 1 (the largest shares_b, where they change), however many periods
// there are: the smallest cell is as exact as a rounded number, and the largest
// makes up for the roundings of the others. The bound is not proved but tested.
//
// Domain: 0 ≤ k ≤ 2^28, shares ≥ 0, |deficits| ≤ 2^28, at least one cell. The
// shares need not add up to 1, as long as the sum is neither below 1e-280 nor
// above 1e280. A cell without a share gets nothing, even if it is owed something,
// unless no cell has a share: then the first gets everything.
// Source: Balinski and Young 1982, Fair Representation (divisor methods and their
// monotonicity); the start by cell is our own addition.
// Test: TestApportionDefinition, TestApportionGrowsWithK, TestApportionStaysFair.
func Apportion(counts []int64, deficits, shares []float64, k int64) {
	n := len(shares)
	a := apportionment{counts: counts[:n], deficits: deficits[:n], shares: shares, k: k}
	a.repair(a.start())
}

// Carry adds to the deficits what a period left unpaid.
//
//	deficits_b ← deficits_b + k·shares_b − counts_b
//
// where
//
//	counts = what Apportion wrote for these deficits, shares and k
//
// Domain: that of Apportion. The sum of the deficits stays what it was where
// the shares add up to 1.
// Test: TestApportionStaysFair.
func Carry(deficits, shares []float64, counts []int64, k int64) {
	n := len(shares)
	deficits, counts = deficits[:n], counts[:n]
	things := float64(k)
	for b, share := range shares {
		deficits[b] += float64(things*share) - float64(counts[b])
	}
}
