package dist

import "math"

// maxRounds bounds Newton's iteration, which seldom needs more than five.
const maxRounds = 60

// An apportionment is the work of one call of Apportion. Things are ordered by
// the λ at which they are due, then by cell, and this order alone decides the
// result: start only gets near it, and repair does the rest.
type apportionment struct {
	counts           []int64
	deficits, shares []float64
	k                int64
}

// due returns the λ at which the cell gets its m-th thing. It never falls with
// m.
func (a *apportionment) due(b int, m int64) float64 {
	return ((float64(m) - 0.5) - a.deficits[b]) / a.shares[b]
}

// start sets the counts to all that is due up to some λ, and returns how many
// things are missing then: a small number, below 0 for too many. Shares that
// add up to 1 and deficits that add up to 0 have λ near k; others are balanced
// first.
func (a *apportionment) start() (missing int64) {
	missing = a.k - a.fill(float64(a.k))
	if near := int64(queueSize + len(a.counts)/8); missing > near || missing < -near {
		missing = a.k - a.fill(a.balance())
	}
	return missing
}

// balance returns the λ with Σ max(0, deficits_b + λ·shares_b) = k, which is
// what the counts add up to but for their roundings. The sum is convex in λ:
// from a λ that is too large, Newton's iteration falls to the root and never
// below it.
func (a *apportionment) balance() (lambda float64) {
	lambda = math.Inf(1)
	for b, share := range a.shares {
		if share > 0 {
			lambda = min(lambda, (float64(a.k)-a.deficits[b])/share)
		}
	}
	for range maxRounds {
		sum, slope := a.relaxed(lambda)
		lower := lambda - (sum-float64(a.k))/slope
		if !(lower < lambda) {
			break
		}
		lambda = lower
	}
	return lambda
}

// relaxed returns Σ max(0, deficits_b + λ·shares_b) and its slope in λ.
func (a *apportionment) relaxed(lambda float64) (sum, slope float64) {
	for b, share := range a.shares {
		if x := a.deficits[b] + float64(lambda*share); share > 0 && x > 0 {
			sum += x
			slope += share
		}
	}
	return sum, slope
}

// fill sets every count to what is due up to λ, at most k, and returns their
// sum. Next to a whole number, where rounding decides and floor has to look, x
// leaves a rest near 0 or 1. The test for it, cheap and wide, is good as long
// as the errors of x are below 2^-21.
func (a *apportionment) fill(lambda float64) (sum int64) {
	shares := a.shares
	counts, deficits := a.counts[:len(shares)], a.deficits[:len(shares)]
	top := float64(a.k + 1)
	for b, share := range shares {
		n := int64(0)
		if share > 0 {
			x := (deficits[b] + float64(lambda*share)) + 0.5
			n = int64(x)
			rest := x - float64(n)
			square := float64(rest * rest)
			if square*(1-square) < 0x1p-20 || x >= top {
				n = a.floor(b, x, lambda)
			}
			n = max(n, 0)
		}
		counts[b] = n
		sum += n
	}
	return sum
}

// floor returns how many things of the cell are due up to λ, at most k. x is
// about that number before it is rounded down.
func (a *apportionment) floor(b int, x, lambda float64) int64 {
	if x >= float64(a.k+1) {
		return a.k
	}
	n := int64(max(x, 0))
	for n > 0 && a.due(b, n) > lambda {
		n--
	}
	for n < a.k && a.due(b, n+1) <= lambda {
		n++
	}
	return n
}

// repair hands out what is missing in the order in which it is due, or takes
// back what is too much, the last due first. The first cell gets what no cell
// has a share of.
func (a *apportionment) repair(missing int64) {
	for missing < 0 {
		missing += a.move(-1, min(-missing, queueSize))
	}
	for missing > 0 {
		moved := a.move(1, min(missing, queueSize))
		if moved == 0 {
			a.counts[0] += missing
			return
		}
		missing -= moved
	}
}

// move hands out (step 1) or takes back (step −1) a number of things, at most
// queueSize. It returns how many it moved, which is 0 where no cell has a share
// and else all of them.
func (a *apportionment) move(step float64, things int64) (moved int64) {
	q := newQueue(step, int(things))
	a.collect(&q)
	for ; q.length > 0; moved++ {
		b := q.pop()
		a.counts[b] += int64(step)
		if q.size > 0 && a.movable(b, step) {
			q.push(turn{due: a.owed(b, step) / a.shares[b], cell: b})
		}
	}
	return moved
}

// collect offers the next thing of every cell to the queue. A product tells
// without a division that most are not near the front; it leaves a margin for
// its rounding error.
func (a *apportionment) collect(q *queue) {
	for b, share := range a.shares {
		owed := a.owed(b, q.step)
		if q.isBehind(owed, float64(q.bound*share)) || !a.movable(b, q.step) {
			continue
		}
		q.push(turn{due: owed / share, cell: b})
	}
}

// owed returns how much λ·share has to be for the next thing of the cell to be
// due (step 1), or for its last one (step −1).
func (a *apportionment) owed(b int, step float64) float64 {
	return (float64(a.counts[b]) + float64(step/2)) - a.deficits[b]
}

// movable reports whether the cell takes part: one without a share gets
// nothing, and one without a thing has none to give back.
func (a *apportionment) movable(b int, step float64) bool {
	return a.shares[b] > 0 && (step > 0 || a.counts[b] > 0)
}
