package web

import (
	"slices"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/latency"
)

var _ simulator.Historian = (*Service)(nil)

// past is a service before tick 0: the opening fleet, cache and levers, under
// the mean traffic of the opening minute. Traffic, errors and blips scatter as
// they do later. The budget that is left stays what the configuration says.
type past struct {
	service *Service
	heir    *Service // whose past it is
}

// Past returns the service before tick 0.
func (s *Service) Past(from simulator.Tick) simulator.Past {
	before := open(s.setup, s.config, "history/"+s.name)
	for i := range before.fleet.pods {
		p := &before.fleet.pods[i]
		p.Created, p.Started = from, from
	}
	return &past{service: before, heir: s}
}

// Step simulates one second.
func (p *past) Step(now simulator.Tick) {
	s := p.service
	place := (now%simulator.Minute + simulator.Minute) % simulator.Minute
	if place == 0 {
		p.begin(minuteOf(now))
	}
	s.second(place)
	s.now = now + 1
	if place == simulator.Minute-1 {
		s.counts.fold(s)
	}
}

// begin opens minute m, which is below 0.
func (p *past) begin(m int) {
	s := p.service
	s.fleet.share(0, m)
	s.trouble.blip = s.traffic.blip(s.config)
	s.traffic.begin(s.meanRate(0), s.config.Noise)
	s.evaluate(s.traffic.rate())
	s.bill()
	s.counts.begin(s)
}

// Snapshot returns a *Snapshot of the state after the last Step.
func (p *past) Snapshot() any { return p.service.picture() }

// End lets the snapshots of the service go on from here.
func (p *past) End() { p.heir.past = p.service.picture() }

// follow puts what was counted before tick 0 in front of every count. The pods
// of the past are those of the opening, with the same IDs; one that has started
// anew counts from 0.
func (s *Snapshot) follow(before *Snapshot) {
	for i := range s.Pods {
		p := &s.Pods[i]
		if p.ID > len(before.Pods) {
			break
		}
		old := &before.Pods[p.ID-1]
		p.Created = old.Created
		if p.opened {
			p.Started = old.Started
			p.follow(old)
		}
	}
	for code, n := range before.Codes {
		s.Codes[code] += n
	}
	s.Latency = after(before.Latency, s.Latency)
	s.CacheHits += before.CacheHits
	s.CacheMisses += before.CacheMisses
	s.Queries += before.Queries
	s.Cost += before.Cost
}

// follow puts the counts of an older picture of the pod in front of its own.
func (p *Pod) follow(before *Pod) {
	for priority, byCode := range before.Requests {
		for code, n := range byCode {
			p.Requests[priority][code] += n
		}
	}
	p.Latency = after(before.Latency, p.Latency)
}

// after returns the times of both histograms, and changes neither.
func after(before, now latency.Histogram) latency.Histogram {
	sum := latency.Histogram{Count: slices.Clone(before.Count), Sum: before.Sum}
	sum.Add(now)
	return sum
}
