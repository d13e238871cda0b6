package promengine

import (
	"slices"
	"time"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/exporter/series"
)

// TargetStatus is a target as the last scrape found it.
type TargetStatus struct {
	Labels     series.Labels
	Answers    bool
	LastScrape time.Time
	Metrics    []*metric.Desc // that it had when it answered last, by name
}

// Targets returns the targets of the last scrape in the order in which they
// came. What it returns does not change any more.
func (s *Scraper) Targets() []TargetStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]TargetStatus, len(s.order))
	for i, one := range s.order {
		all[i] = TargetStatus{Labels: one.key, Answers: one.answers, LastScrape: one.scraped, Metrics: slices.Clip(one.metrics)}
	}
	return all
}
