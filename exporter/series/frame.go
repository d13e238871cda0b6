package series

import (
	"iter"
	"time"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/latency"
)

// Frame holds the values of one update. It does not change until all who have
// taken it have released it.
type Frame struct {
	table      *Table
	holders    int // guarded by the table
	moment     Moment
	layout     *layout
	states     []state // by place
	values     []float64
	histograms []latency.Histogram
}

// state is what a frame has of a target besides its values.
type state struct {
	Status
	created time.Time
}

// Release gives the frame back; the reader must not use it any more.
func (f *Frame) Release() { f.table.release(f) }

// forget empties the frame and lets go of what it refers to.
func (f *Frame) forget() {
	clear(f.histograms)
	f.layout = nil
	f.states, f.values, f.histograms = f.states[:0], f.values[:0], f.histograms[:0]
}

// Moment returns when the update was.
func (f *Frame) Moment() Moment { return f.moment }

// Targets returns all targets, also those that are not up.
func (f *Frame) Targets() iter.Seq[Target] {
	return func(yield func(Target) bool) {
		for i := range f.layout.slots {
			if !yield(Target{f, i}) {
				return
			}
		}
	}
}

// Find returns the target with these labels.
func (f *Frame) Find(labels Labels) (Target, bool) {
	at, known := f.layout.find(labels, len(f.layout.slots))
	return Target{f, at}, known
}

// Target is a target as it is in a frame. It is valid until the frame is
// released.
type Target struct {
	frame *Frame
	place int
}

func (t Target) slot() *slot { return &t.frame.layout.slots[t.place] }

// Labels returns which target it is.
func (t Target) Labels() Labels { return t.slot().list.target }

// Status returns how the target stands.
func (t Target) Status() Status { return t.frame.states[t.place].Status }

// Slot returns the target's number. While it is here no other has it.
func (t Target) Slot() int { return t.slot().id }

// Generation tells the targets apart that have the same slot one after
// another.
func (t Target) Generation() uint32 { return t.slot().generation }

// Born returns the tick of the first update that named the target.
func (t Target) Born() simulator.Tick { return t.slot().born }

// Epoch tells the lists of series apart that targets have had: while it stays,
// Samples gives the same series in the same order.
func (t Target) Epoch() uint64 { return t.slot().list.epoch }

// Created returns the wall time at which the target's counters began. It is an
// estimate that stays as it is until the process starts anew, and then is not
// before any frame with the old counters.
func (t Target) Created() time.Time { return t.frame.states[t.place].created }

// Len returns the number of samples.
func (t Target) Len() int { return len(t.slot().list.series) }

// Sample is a value of a series: a number or, where the metric is one, a
// histogram.
type Sample struct {
	Series    *Series
	Value     float64
	Histogram latency.Histogram
}

// Samples returns the samples of the target, by the name of the metric.
func (t Target) Samples() iter.Seq[Sample] {
	return func(yield func(Sample) bool) {
		for i := range t.slot().list.series {
			if !yield(t.sample(i)) {
				return
			}
		}
	}
}

func (t Target) sample(i int) Sample {
	slot := t.slot()
	e := &slot.list.series[i]
	if e.isHistogram() {
		return Sample{Series: &e.Series, Histogram: t.frame.histograms[slot.histograms+e.value]}
	}
	return Sample{Series: &e.Series, Value: t.frame.values[slot.values+e.value]}
}
