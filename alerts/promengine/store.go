package promengine

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/storage"
)

// stored is a series in a store.
type stored struct {
	labels   labels.Labels
	nameless labels.Labels // what is left of them behind a function
	born     int64         // the time of the scrape or the evaluation that began it
	seq      int           // breaks ties of born
	gone     bool

	history
	tail      tail
	last      sample
	lastValue float64 // the last number that is no stale marker
	hasValue  bool
}

// compareOrder compares the places of series among others: by when they
// appeared. Sums go over series in this order, as in Prometheus; it does not
// depend on how many evaluations are done at once.
func compareOrder(a, b *stored) int {
	return cmp.Or(cmp.Compare(a.born, b.born), cmp.Compare(a.seq, b.seq))
}

// isMetadata reports whether functions drop the label.
func isMetadata(name string) bool {
	return name == model.MetricNameLabel || name == "__type__" || name == "__unit__"
}

// Store keeps series in memory. One goroutine writes at a time, any number read.
// The zero value is an empty store.
type Store struct {
	mu       sync.RWMutex
	byHash   map[uint64][]*stored
	postings map[labels.Label][]*stored // in order
	all      []*stored                  // in order
	seq      int
	times    map[timesKey]*blockTimes // of full blocks, which series share
}

// timesKey finds times that are probably the same.
type timesKey struct{ first, middle, last int64 }

// Append adds a number at the time t, in milliseconds, to the series with these
// labels. It refuses what Prometheus refuses: a sample that is older than the
// last one, and another value at the same time; and histograms that are none.
func (s *Store) Append(l labels.Labels, t int64, v float64) error {
	return s.appendTo(s.series(l, t), sample{t: t, v: v})
}

// AppendHistogram adds a native histogram as Append adds a number. The store
// keeps h.
func (s *Store) AppendHistogram(l labels.Labels, t int64, h *histogram.FloatHistogram) error {
	return s.appendTo(s.series(l, t), sample{t: t, h: h})
}

// series returns the series with these labels. Where there is none yet, it
// begins at the time now.
func (s *Store) series(l labels.Labels, now int64) *stored {
	hash := l.Hash()
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.find(hash, l); one != nil {
		return one
	}
	one := &stored{labels: l, nameless: l.DropReserved(isMetadata), born: now, seq: s.seq}
	s.seq++
	if s.byHash == nil {
		s.byHash = map[uint64][]*stored{}
		s.postings = map[labels.Label][]*stored{}
		s.times = map[timesKey]*blockTimes{}
	}
	s.byHash[hash] = append(s.byHash[hash], one)
	s.all = insert(s.all, one)
	l.Range(func(label labels.Label) { s.postings[label] = insert(s.postings[label], one) })
	return one
}

// revive returns a series that has not been dropped: the given one, or another
// with its labels.
func (s *Store) revive(one *stored, now int64) *stored {
	if !one.gone {
		return one
	}
	return s.series(one.labels, now)
}

// find returns the series with these labels, nil where there is none.
func (s *Store) find(hash uint64, l labels.Labels) *stored {
	for _, one := range s.byHash[hash] {
		if labels.Equal(one.labels, l) {
			return one
		}
	}
	return nil
}

// known reports whether there is a series with these labels.
func (s *Store) known(l labels.Labels) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.find(l.Hash(), l) != nil
}

// insert puts a series where it belongs, which is mostly the end.
func insert(list []*stored, one *stored) []*stored {
	if n := len(list); n == 0 || compareOrder(list[n-1], one) < 0 {
		return append(list, one)
	}
	at, _ := slices.BinarySearchFunc(list, one, compareOrder)
	return slices.Insert(list, at, one)
}

// appendTo adds a sample to a series. A stale marker is of the kind of the
// sample before it.
func (s *Store) appendTo(to *stored, one sample) error {
	if one.h != nil && !one.isStale() {
		if err := one.h.Validate(); err != nil {
			return fmt.Errorf("histogram of %s at %d: %w", to.labels, one.t, err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if to.end > 0 && one.h == nil && to.last.h != nil && one.isStale() {
		one = sample{t: one.t, h: &histogram.FloatHistogram{Sum: one.v}}
	}
	if to.end > 0 {
		switch {
		case one.t < to.last.t:
			return fmt.Errorf("sample of %s at %d: %w", to.labels, one.t, storage.ErrOutOfOrderSample)
		case one.t == to.last.t && !one.equal(to.last):
			return fmt.Errorf("sample of %s at %d: %w", to.labels, one.t, storage.ErrDuplicateSampleForTimestamp)
		case one.t == to.last.t:
			return nil
		}
	}
	to.note(one)
	to.add(one, s.share)
	to.last = one
	return nil
}

// note remembers what windows need to know of the sample that comes next.
func (s *stored) note(one sample) {
	switch {
	case one.isStale():
		s.stale = append(s.stale, s.end)
	case one.h == nil:
		if s.hasValue && one.v < s.lastValue {
			s.resets = append(s.resets, s.end)
		}
		s.lastValue, s.hasValue = one.v, true
	}
}

// appendStale adds a stale marker to a series, unless it has a sample at t.
func (s *Store) appendStale(to *stored, t int64) {
	if to.gone {
		return
	}
	// A sample that another has written at that time stays, as in Prometheus.
	_ = s.appendTo(to, sample{t: t, v: math.Float64frombits(value.StaleNaN)})
}

// share returns times that are the same as those of a full block of another
// series, where there is one.
func (s *Store) share(times *blockTimes) *blockTimes {
	key := timesKey{times[0], times[blockLen/2], times[blockLen-1]}
	other, known := s.times[key]
	if known && *other == *times {
		return other
	}
	s.times[key] = times
	return times
}

// Truncate forgets what was before t, in milliseconds, as far as whole blocks
// go, and series that have nothing later.
func (s *Store) Truncate(t int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.all {
		one.drop(t)
		one.gone = one.end > 0 && one.last.t < t
	}
	for key := range s.times {
		if key.last < t {
			delete(s.times, key)
		}
	}
	isGone := func(one *stored) bool { return one.gone }
	if !slices.ContainsFunc(s.all, isGone) {
		return
	}
	s.all = slices.DeleteFunc(slices.Clone(s.all), isGone)
	for hash, list := range s.byHash {
		if list = slices.DeleteFunc(list, isGone); len(list) == 0 {
			delete(s.byHash, hash)
		} else {
			s.byHash[hash] = list
		}
	}
	for label, list := range s.postings {
		if list = slices.DeleteFunc(list, isGone); len(list) == 0 {
			delete(s.postings, label)
		} else {
			s.postings[label] = list
		}
	}
}

// Size is how much a store holds.
type Size struct {
	Series      int
	Samples     int
	Blocks      int   // of samples
	Bytes       int   // of the samples, without labels and index
	First, Last int64 // times of samples; of none, Last is before First
}

// Size returns how much the store holds.
func (s *Store) Size() Size {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.size()
}

func (s *Store) size() Size {
	size := Size{Series: len(s.all), Bytes: len(s.times) * blockLen * bytesPerTime, First: math.MaxInt64, Last: math.MinInt64}
	for _, one := range s.all {
		if one.end > one.first {
			size.First, size.Last = min(size.First, one.time(one.first)), max(size.Last, one.last.t)
		}
		size.Samples += one.end - one.first
		size.Blocks += len(one.blocks)
		if len(one.blocks) > 0 {
			size.Bytes += blockLen * bytesPerTime // of the last block, which it shares with nobody yet
		}
		for i := range one.blocks {
			size.Bytes += one.blocks[i].bytes()
		}
	}
	return size
}

// Pairs returns each label with its value and how many series have it.
func (s *Store) Pairs() map[labels.Label]int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	pairs := make(map[labels.Label]int, len(s.postings))
	for label, list := range s.postings {
		pairs[label] = len(list)
	}
	return pairs
}

// What things take in memory.
const (
	bytesPerTime  = 8
	bytesPerValue = 8
	bytesPerBlock = 40
)

// bytes returns what a block takes, without its times, which are others' too.
func (b *block) bytes() int {
	n := bytesPerBlock + b.values.bytes()
	if b.histograms != nil {
		n += b.histograms.bytes()
	}
	return n
}
