package series

import "github.com/firedrill/firedrill/simulator/latency"

// Native is a native histogram, laid out as Prometheus stores one: the
// populated buckets as spans, their counts as differences from one bucket to
// the next.
type Native struct {
	Schema        int32
	ZeroThreshold float64
	ZeroCount     uint64
	Count         uint64
	Sum           float64
	Spans         []Span
	Deltas        []int64
}

// Span is a run of neighbouring buckets.
type Span struct {
	Offset int32 // empty buckets since the last span; of the first, its index
	Length uint32
}

// gap is the longest run of empty buckets that a span holds rather than ends
// at: two zeros are no longer than another span.
const gap = 2

// NewNative returns the native histogram of h.
func NewNative(h latency.Histogram) Native {
	var counts [latency.NativeLast - latency.NativeFirst + 1]int64
	n := Native{
		Schema: latency.NativeSchema, ZeroThreshold: latency.ZeroThreshold,
		ZeroCount: uint64(h.NativeCounts(counts[:])), Count: uint64(h.Total()), Sum: h.Sum,
	}
	n.Spans, n.Deltas = spans(counts[:])
	return n
}

func spans(counts []int64) (list []Span, deltas []int64) {
	next, last := int32(0), int64(0) // the index after the last span and the count before it
	for i, n := range counts {
		if n == 0 {
			continue
		}
		index := int32(latency.NativeFirst + i)
		empty := index - next
		if len(list) == 0 || empty > gap {
			list = append(list, Span{Offset: empty})
			empty = 0
		}
		for range empty {
			deltas = append(deltas, -last)
			last = 0
		}
		deltas = append(deltas, n-last)
		list[len(list)-1].Length += uint32(empty) + 1
		next, last = index+1, n
	}
	return list, deltas
}
