package series

import "sync"

// spare is how many frames a table keeps for the next updates. There are as
// many more as slow readers hold.
const spare = 4

// Table is the table of all series. One goroutine writes at a time; any number
// read. The zero value is an empty table.
type Table struct {
	mu      sync.Mutex
	current *Frame
	free    []*Frame

	// Of the writer.
	generations []uint32 // of each slot's id
	epochs      uint64   // lists made so far
}

// Current returns the frame of the last update, nil before the first. The
// reader releases it.
func (t *Table) Current() *Frame {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.current == nil {
		return nil
	}
	t.current.holders++
	return t.current
}

// take returns a frame that nobody reads.
func (t *Table) take() *Frame {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(t.free)
	if n == 0 {
		return &Frame{table: t}
	}
	f := t.free[n-1]
	t.free = t.free[:n-1]
	return f
}

// publish makes f the current frame.
func (t *Table) publish(f *Frame) {
	t.mu.Lock()
	old := t.current
	f.holders = 1
	t.current = f
	t.mu.Unlock()
	if old != nil {
		old.Release()
	}
}

// release takes back a frame that one holder does not need any more.
func (t *Table) release(f *Frame) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f.holders--
	switch {
	case f.holders < 0:
		panic("series: a frame is released more often than taken")
	case f.holders == 0 && len(t.free) < spare:
		f.forget()
		t.free = append(t.free, f)
	}
}

// number gives the new targets, whose id is -1, the smallest free ids.
func (t *Table) number(slots []slot) {
	used := make([]bool, len(slots)+len(t.generations))
	for _, s := range slots {
		if s.id >= 0 {
			used[s.id] = true
		}
	}
	next := 0
	for i := range slots {
		s := &slots[i]
		if s.id >= 0 {
			continue
		}
		for used[next] {
			next++
		}
		used[next] = true
		if next == len(t.generations) {
			t.generations = append(t.generations, 0)
		}
		t.generations[next]++
		s.id, s.generation = next, t.generations[next]
	}
}
