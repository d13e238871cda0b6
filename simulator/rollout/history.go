package rollout

import (
	"slices"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/latency"
)

// past is a service before tick 0: nobody deploys and nothing breaks; requests
// come, probes and checks are made, jobs run.
type past struct {
	service *Service
	heir    *Service // whose past it is
}

// Past returns the service before tick 0.
func (s *Service) Past(from simulator.Tick) simulator.Past {
	return &past{service: open(s.setup, s.config, "history/"+s.name, from), heir: s}
}

// Step simulates one second.
func (p *past) Step(now simulator.Tick) { p.service.Step(now, nil, nil) }

// Snapshot returns a *Snapshot of the state after the last Step.
func (p *past) Snapshot() any { return p.service.picture() }

// End lets the snapshots of the service go on from here.
func (p *past) End() { p.heir.past = p.service.picture() }

// follow puts what was counted before tick 0 in front of every count.
func (s *Snapshot) follow(before *Snapshot) {
	for c, n := range before.Codes {
		s.Codes[c] += n
	}
	s.Latency = after(before.Latency, s.Latency)
	for i := range s.Servers {
		s.Servers[i].follow(&before.Servers[i])
	}
}

// follow puts what a server counted before tick 0 in front of its counts. In a
// history nothing fails, is refused, repaired, lost or waited for.
func (v *Server) follow(before *Server) {
	v.Answered += before.Answered
	v.TurnedAway += before.TurnedAway
	v.Latency = after(before.Latency, v.Latency)
	for a, n := range before.Probes {
		v.Probes[a] += n
	}
	v.JobsFinished += before.JobsFinished
}

// after returns the times of both histograms, and changes neither.
func after(before, now latency.Histogram) latency.Histogram {
	sum := latency.Histogram{Count: slices.Clone(before.Count), Sum: before.Sum}
	sum.Add(now)
	return sum
}
