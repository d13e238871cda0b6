package series

import (
	"time"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/simulator/latency"
)

// Update writes the table once. Nobody sees it before Commit.
type Update struct {
	table  *Table
	last   *Frame  // the frame before, nil where there is none
	known  *layout // of the targets that may go on; nil where all are new
	frame  *Frame
	slots  []slot
	target target
}

// target is the target that is being written.
type target struct {
	labels Labels
	place  int      // in the known layout
	known  bool     // it is there
	list   *list    // its list there, nil where it has none
	next   int      // how many series have been written
	differ bool     // they are not those of the list
	series []Series // what has been written, where they differ
}

// Begin starts an update. Only the writer may call it, and not before the last
// update is committed. Where the run is another, all targets are new.
func (t *Table) Begin(m Moment) *Update {
	u := &Update{table: t, frame: t.take(), last: t.current}
	u.frame.moment = m
	if u.last != nil {
		u.slots = make([]slot, 0, len(u.last.layout.slots))
		if u.last.moment.Run == m.Run {
			u.known = u.last.layout
		}
	}
	return u
}

// Known reports whether the update before named the target.
func (u *Update) Known(labels Labels) bool {
	_, known := u.known.find(labels, len(u.frame.states))
	return known
}

// Target begins the next target; the series that follow are its.
func (u *Update) Target(labels Labels, status Status) {
	u.finish()
	u.target = target{labels: labels}
	u.target.place, u.target.known = u.known.find(labels, len(u.frame.states))
	if u.target.known {
		u.target.list = u.known.slots[u.target.place].list
	}
	u.frame.states = append(u.frame.states, state{Status: status, created: u.created(status)})
}

// created returns the wall time at which the target began to count. It stays
// the same while the process does, and is not before the last frame that shows
// an earlier process.
func (u *Update) created(status Status) time.Time {
	if u.target.known {
		if before := u.last.states[u.target.place]; before.Since == status.Since {
			return before.created
		}
	}
	var low time.Time
	if u.last != nil {
		low = u.last.moment.Wall
	}
	return u.frame.moment.wallOf(status.Since, low)
}

// Set writes the next series of the target, a counter or a gauge. The labels
// are the values of desc.OwnLabels(), in their order.
func (u *Update) Set(desc *metric.Desc, value float64, labels ...string) {
	u.series(desc, labels)
	u.frame.values = append(u.frame.values, value)
}

// SetHistogram writes the next series of the target, a histogram, which must
// not change any more.
func (u *Update) SetHistogram(desc *metric.Desc, h latency.Histogram, labels ...string) {
	u.series(desc, labels)
	u.frame.histograms = append(u.frame.histograms, h)
}

// series notes which series is written.
func (u *Update) series(desc *metric.Desc, values []string) {
	t := &u.target
	if !t.differ && !t.list.matches(t.next, desc, values) {
		t.differ, t.series = true, t.list.first(t.next)
	}
	if t.differ {
		t.series = append(t.series, newSeries(desc, values))
	}
	t.next++
}

// finish ends the target that is being written.
func (u *Update) finish() {
	if len(u.frame.states) == 0 {
		return
	}
	t := &u.target
	if !t.differ && t.list != nil && t.next == len(t.list.series) {
		u.slots = append(u.slots, u.known.slots[t.place])
		return
	}
	if !t.differ {
		t.series = t.list.first(t.next)
	}
	s := slot{id: -1, born: u.frame.moment.Tick}
	if t.known {
		s = u.known.slots[t.place]
	}
	u.table.epochs++
	s.list = newList(t.labels, u.table.epochs, t.series)
	u.slots = append(u.slots, s)
}

// Commit makes the update the current frame.
func (u *Update) Commit() {
	u.finish()
	u.frame.layout = u.known
	if !u.known.same(u.slots) {
		u.table.number(u.slots)
		u.frame.layout = newLayout(u.slots)
	}
	u.table.publish(u.frame)
}
