package dist

import "math"

const (
	// queueSize is the largest number of things moved at once. The roundings of
	// 130 cells leave 2 or 3 to move, seldom more than 10.
	queueSize = 16
	// margin is far more than the relative errors of a product and a division.
	margin = 0x1p-48
)

// A turn is the claim of a cell on the next move, at the λ where it is due.
type turn struct {
	due  float64
	cell int
}

// A queue holds the first turns in the order of the moves, as many as there are
// moves left: the first due first where things are handed out (step 1), the last
// due first where they are taken back (step −1).
type queue struct {
	step  float64
	bound float64 // due of the last turn when the queue is full, else ±Inf
	// length turns are in the queue, size are wanted.
	length, size int
	turns        [queueSize]turn
}

func newQueue(step float64, size int) queue {
	return queue{step: step, size: size, bound: step * math.Inf(1)}
}

// isBehind reports whether something owed comes after the last turn of a full
// queue for certain; at is the bound times the share of the cell.
func (q *queue) isBehind(owed, at float64) bool {
	return q.step*(owed-at) > math.Abs(at)*margin
}

// before reports whether a moves before b.
func (q *queue) before(a, b turn) bool {
	if a.due == b.due {
		return (a.cell < b.cell) == (q.step > 0)
	}
	return (a.due < b.due) == (q.step > 0)
}

// push puts a turn in its place, and drops the last one of a full queue.
func (q *queue) push(t turn) {
	i := q.length
	switch {
	case i < q.size:
		q.length++
	case q.before(t, q.turns[i-1]):
		i--
	default:
		return
	}
	for ; i > 0 && q.before(t, q.turns[i-1]); i-- {
		q.turns[i] = q.turns[i-1]
	}
	q.turns[i] = t
	if q.length == q.size {
		q.bound = q.turns[q.length-1].due
	}
}

// pop removes the first turn and returns its cell. One move less is left.
func (q *queue) pop() (cell int) {
	cell = q.turns[0].cell
	copy(q.turns[:], q.turns[1:q.length])
	q.length--
	q.size--
	return cell
}
