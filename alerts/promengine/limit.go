package promengine

import (
	"cmp"
	"slices"
	"time"

	"github.com/prometheus/prometheus/model/labels"
)

// Trim forgets what nobody needs any more at the time now: what is older than
// Retention and, where the samples take more than Memory.Limit, native histograms
// that no rule looks back to, the oldest first. Numbers stay.
func (e *Engine) Trim(now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.forget(now.Add(-e.retention()))
	if limit := e.options.Memory.Limit; limit > 0 {
		e.store.dropHistograms(int(limit), func(l labels.Labels) int64 { return now.Add(-e.needs(l)).UnixMilli() })
	}
}

// needs returns how far back rules, or people with the default look-back, read
// a series with these labels.
func (e *Engine) needs(l labels.Labels) time.Duration {
	far := e.options.Lookback
	for _, r := range e.rules {
		found := readsOf(r)
		if found.all || slices.ContainsFunc(found.selectors, func(m []*labels.Matcher) bool { return matches(l, m) }) {
			far = max(far, e.looksBack(r))
		}
	}
	return far
}

// dropHistograms forgets blocks of native histograms, the oldest first, until
// all samples fit into limit bytes. Of each series it keeps what is not older
// than needed says.
func (s *Store) dropHistograms(limit int, needed func(labels.Labels) int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	excess := s.size().Bytes - limit
	if excess <= 0 {
		return
	}
	for _, one := range s.oldHistograms(needed) {
		if excess <= 0 {
			return
		}
		one.series.drop(one.end + 1)
		excess -= one.bytes
	}
}

// oldBlock is a block that can be forgotten once those before it are.
type oldBlock struct {
	series *stored
	end    int64 // the time of its last sample
	bytes  int
}

// oldHistograms returns the blocks at the beginning of series that have nothing
// but histograms and end before needed, by time.
func (s *Store) oldHistograms(needed func(labels.Labels) int64) []oldBlock {
	var old []oldBlock
	for _, one := range s.all {
		if !one.history.histograms {
			continue
		}
		from := needed(one.labels)
		for n := range one.blocks {
			b := &one.blocks[n]
			c, isClosed := b.histograms.(*closed)
			if !isClosed || !c.whole() || one.lastOf(n) >= from {
				break
			}
			old = append(old, oldBlock{one, one.lastOf(n), b.bytes()})
		}
	}
	slices.SortStableFunc(old, func(a, b oldBlock) int { return cmp.Compare(a.end, b.end) })
	return old
}
