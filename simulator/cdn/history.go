package cdn

import (
	"slices"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/latency"
)

var _ simulator.Historian = (*Service)(nil)

// past is a service before tick 0: the opening links, weights and levers under
// the demand of the opening. Sessions come, move and end as they do later.
type past struct {
	service *Service
	heir    *Service // whose past it is
}

// Past returns the service before tick 0.
func (s *Service) Past(simulator.Tick) simulator.Past {
	before := open(s.setup, s.config, s.topology, "history/"+s.name)
	before.held = true
	return &past{service: before, heir: s}
}

// Step simulates one second. The clock of the service runs from 0 on: spans
// within a minute or ten seconds fall on the same seconds, as a past is whole
// minutes long.
func (p *past) Step(simulator.Tick) { p.service.Step(p.service.now, nil, nil) }

// Snapshot returns a *Snapshot of the state after the last Step.
func (p *past) Snapshot() any { return p.service.picture() }

// End lets the snapshots of the service go on from here.
func (p *past) End() { p.heir.past = p.service.picture() }

// follow puts what was counted before tick 0 in front of every count.
func (s *Snapshot) follow(before *Snapshot) {
	for i := range s.Sites {
		s.Sites[i].Sent += before.Sites[i].Sent
	}
	for i := range s.Links {
		s.Links[i].follow(&before.Links[i])
	}
	s.Far.Started += before.Far.Started
	for kind := range Contents {
		s.Kinds[kind].follow(&before.Kinds[kind])
	}
	s.followUsers(before.Users)
}

func (l *LinkState) follow(before *LinkState) {
	l.Started += before.Started
	l.Refused += before.Refused
	l.Moved += before.Moved
	l.Lost += before.Lost
	l.Sent += before.Sent
	l.Received += before.Received
	l.Dropped += before.Dropped
}

// follow puts the counts of the past in front. The sessions that ran when the
// past ended are not those that run at tick 0: they end with it, so that what
// started is still what ended, was lost, or runs.
func (k *KindState) follow(before *KindState) {
	k.Started += before.Started
	k.Ended += before.Ended + int64(before.Running)
	k.Lost += before.Lost
	k.Moved += before.Moved
	k.Sent += before.Sent
	k.Hits += before.Hits
	sum := latency.Histogram{Count: slices.Clone(before.Segments.Count), Sum: before.Segments.Sum}
	sum.Add(k.Segments)
	k.Segments = sum
}

// followUsers puts the counts of the past in front of the users'.
func (s *Snapshot) followUsers(before []UserState) {
	for _, b := range before {
		at, known := slices.BinarySearchFunc(s.Users, b, func(a, b UserState) int {
			return (a.Operator-b.Operator)*int(Contents) + int(a.Kind) - int(b.Kind)
		})
		if !known {
			gone := UserState{Operator: b.Operator, Kind: b.Kind}
			s.Users = slices.Insert(s.Users, at, gone)
		}
		u := &s.Users[at]
		u.Watched += b.Watched
		u.Stalled += b.Stalled
		u.Startups += b.Startups
		u.Startup += b.Startup
	}
}
