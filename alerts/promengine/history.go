package promengine

import (
	"math"
	"slices"
	"sort"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/value"
)

// blockLen is how many samples a block has.
const blockLen = 128

type blockTimes [blockLen]int64

// block is a stretch of samples. Only the last block of a series is written to,
// behind what readers of it have seen; there the values are plain and the
// histograms open.
type block struct {
	times      *blockTimes
	values     numbers
	histograms histograms // nil where all samples are numbers
}

// history is the samples of a series. A copy of it is a view that stays as it
// is while the series grows.
//
// Samples have numbers that stay the same when old ones are dropped. A stale
// marker is a sample whose value is one.
type history struct {
	blocks     []block
	first, end int   // numbers of the first sample and of the one after the last
	stale      []int // numbers of the stale markers
	resets     []int // numbers of the samples smaller than the last before them that is no stale marker
	histograms bool  // some samples are histograms
}

func (h *history) place(i int) (*block, int) {
	return &h.blocks[(i-h.first)/blockLen], i % blockLen
}

func (h *history) time(i int) int64 {
	b, j := h.place(i)
	return b.times[j]
}

func (h *history) value(i int) float64 {
	b, j := h.place(i)
	return b.values.at(j)
}

func (h *history) isHistogram(i int) bool {
	b, j := h.place(i)
	return b.histograms != nil && b.histograms.has(j)
}

// histogram copies the histogram with the number i.
func (h *history) histogram(i int, into *histogram.FloatHistogram) {
	b, j := h.place(i)
	b.histograms.read(j, into)
}

// search returns the number of the first sample from the number from on that is
// at t or later.
func (h *history) search(from int, t int64) int {
	return from + sort.Search(h.end-from, func(i int) bool { return h.time(from+i) >= t })
}

// until returns a view of the samples that are not later than t.
func (h history) until(t int64) history {
	if h.end > h.first && h.time(h.end-1) > t {
		h.end = h.search(h.first, t+1)
	}
	return h
}

// staleIn returns how many of the samples from the number lo to before hi are
// stale markers.
func (h *history) staleIn(lo, hi int) int {
	if len(h.stale) == 0 {
		return 0
	}
	return sort.SearchInts(h.stale, hi) - sort.SearchInts(h.stale, lo)
}

// sample is what a series has at a time: a number or a histogram.
type sample struct {
	t int64
	v float64
	h *histogram.FloatHistogram
}

func (s sample) isStale() bool {
	if s.h != nil {
		return value.IsStaleNaN(s.h.Sum)
	}
	return value.IsStaleNaN(s.v)
}

// equal reports whether two samples have the same value, bit by bit.
func (s sample) equal(o sample) bool {
	if s.h == nil || o.h == nil {
		return s.h == nil && o.h == nil && math.Float64bits(s.v) == math.Float64bits(o.v)
	}
	return s.h.Equals(o.h)
}

// tail is the last block of a series as it is written to.
type tail struct {
	times      *blockTimes
	values     plain
	histograms *open // nil where all samples are numbers so far
}

// add appends a sample that is later than all others. Full blocks get their
// times from share.
func (s *stored) add(one sample, share func(*blockTimes) *blockTimes) {
	j := s.end % blockLen
	if j == 0 {
		s.addBlock(share)
	}
	s.tail.times[j], s.tail.values[j] = one.t, one.v
	if one.h != nil {
		if s.tail.histograms == nil {
			s.tail.histograms = new(open)
			s.replaceLast(func(b *block) { b.histograms = s.tail.histograms })
		}
		s.tail.histograms[j] = one.h
		s.histograms = true
	}
	s.end++
}

// addBlock begins a block and closes the one before.
func (s *stored) addBlock(share func(*blockTimes) *blockTimes) {
	if len(s.blocks) > 0 {
		s.replaceLast(func(b *block) {
			b.times, b.values = share(s.tail.times), pack(s.tail.values)
			if s.tail.histograms != nil {
				b.histograms = closeHistograms(s.tail.histograms)
			}
		})
	}
	s.tail = tail{times: new(blockTimes), values: make(plain, blockLen)}
	s.blocks = append(s.blocks, block{times: s.tail.times, values: s.tail.values})
}

// replaceLast changes the last block. Views keep the list of blocks that they
// have.
func (s *stored) replaceLast(change func(*block)) {
	blocks := make([]block, len(s.blocks), len(s.blocks)+1)
	copy(blocks, s.blocks)
	change(&blocks[len(blocks)-1])
	s.blocks = blocks
}

// drop forgets the blocks that end before t.
func (h *history) drop(t int64) {
	n := 0
	for n < len(h.blocks) && h.lastOf(n) < t {
		n++
	}
	if n == 0 {
		return
	}
	h.blocks = slices.Clone(h.blocks[n:])
	h.first = min(h.first+n*blockLen, h.end)
	h.stale = slices.Clone(h.stale[sort.SearchInts(h.stale, h.first):])
	h.resets = slices.Clone(h.resets[sort.SearchInts(h.resets, h.first):])
}

// lastOf returns the time of the last sample in the nth block.
func (h *history) lastOf(n int) int64 {
	return h.time(min(h.first+(n+1)*blockLen, h.end) - 1)
}
