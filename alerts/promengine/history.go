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

type (
	blockTimes      [blockLen]int64
	blockValues     [blockLen]float64
	blockHistograms [blockLen]*histogram.FloatHistogram
)

// block is a stretch of samples. Only the last block of a series is written to,
// behind what readers of it have seen.
type block struct {
	times      *blockTimes
	values     *blockValues
	histograms *blockHistograms // nil where the samples are numbers
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
	return b.values[j]
}

func (h *history) histogram(i int) *histogram.FloatHistogram {
	b, j := h.place(i)
	if b.histograms == nil {
		return nil
	}
	return b.histograms[j]
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

// add appends a sample that is later than all others. Full blocks get their
// times from share.
func (h *history) add(s sample, share func(*blockTimes) *blockTimes) {
	j := h.end % blockLen
	if j == 0 {
		h.addBlock(share)
	}
	b := &h.blocks[len(h.blocks)-1]
	if s.h != nil && b.histograms == nil {
		h.blocks = slices.Clone(h.blocks)
		b = &h.blocks[len(h.blocks)-1]
		b.histograms = new(blockHistograms)
	}
	b.times[j], b.values[j] = s.t, s.v
	if s.h != nil {
		b.histograms[j] = s.h
		h.histograms = true
	}
	h.end++
}

// addBlock begins a block. Views keep the list of blocks that they have.
func (h *history) addBlock(share func(*blockTimes) *blockTimes) {
	blocks := make([]block, len(h.blocks), len(h.blocks)+1)
	copy(blocks, h.blocks)
	if n := len(blocks); n > 0 {
		blocks[n-1].times = share(blocks[n-1].times)
	}
	h.blocks = append(blocks, block{times: new(blockTimes), values: new(blockValues)})
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
