package cdn

import (
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/dist"
)

// drainShare is the share of the movable sessions of a draining link that leave
// within ten seconds.
const drainShare = 0.03

// flight is a session on its way from one link to another.
type flight struct {
	group uint16
	from  int32
	kind  Content
	which uint8
	rung  uint8
}

// move moves the sessions that leave their links in the second at now.
func (s *Service) move(now simulator.Tick, events []simulator.Event) []simulator.Event {
	s.flights = s.flights[:0]
	if s.config.Routing == Anycast {
		s.followRoutes()
	} else {
		for i := range s.steered() {
			s.leave(i, now)
		}
	}
	s.land()
	return s.finishDrains(now, events)
}

// leave takes off a link the sessions that leave it.
func (s *Service) leave(i int, now simulator.Tick) {
	l := &s.links[i]
	share := 0.0
	switch l.status {
	case Up:
		share = l.signals.Drop / decisionSeconds
	case Draining, Maintenance:
		share = drainShare / decisionSeconds
	case Broken:
		s.abandon(i, now)
		return
	}
	for kind := range Contents {
		for range dist.Binomial(s.streams.leaves, int64(len(l.pools[kind][movable])), share) {
			s.lift(i, kind, movable)
		}
	}
}

// abandon takes sessions off a broken link, each at the end of the segment that
// it plays: those that can be moved move, the others are lost. After a segment
// all are gone.
func (s *Service) abandon(i int, now simulator.Tick) {
	l := &s.links[i]
	share := 1.0
	if left := int64(s.config.Segment) - int64(now-l.brokenAt); left > 1 {
		share = 1 / float64(left)
	}
	for kind := range Contents {
		for range dist.Binomial(s.streams.leaves, int64(len(l.pools[kind][movable])), share) {
			s.lift(i, kind, movable)
		}
		for range dist.Binomial(s.streams.leaves, int64(len(l.pools[kind][fixed])), share) {
			s.remove(l, kind, fixed, s.streams.picks.below(len(l.pools[kind][fixed])))
			s.counts.sessions[kind].Lost++
			l.counts.Lost++
		}
	}
}

// lift takes any session of a pool off its link.
func (s *Service) lift(from int, kind Content, which int) {
	l := &s.links[from]
	s.liftOne(from, kind, which, s.streams.picks.below(len(l.pools[kind][which])))
}

func (s *Service) liftOne(from int, kind Content, which, at int) {
	group, rung := s.remove(&s.links[from], kind, which, at)
	s.flights = append(s.flights, flight{group: group, from: int32(from), kind: kind, which: uint8(which), rung: uint8(rung)})
}

// land puts the sessions that have left a link on another one.
func (s *Service) land() {
	for _, f := range s.flights {
		g := &s.groups[f.group]
		var to int
		if s.config.Routing == Anycast {
			to = s.routeOf(g)
		} else {
			to = s.next(g, int(f.from))
		}
		l := &s.links[to]
		s.put(l, f.kind, int(f.which), f.group, int(f.rung))
		l.newcomers[f.kind].count++
		l.newcomers[f.kind].buffer += s.links[f.from].players[f.kind].buffer
		s.links[f.from].counts.Moved++
		s.counts.sessions[f.kind].Moved++
	}
	for i := range s.links {
		s.links[i].welcome()
	}
}

// welcome mixes the buffers of those who have come into the mean.
func (l *link) welcome() {
	for kind := range Contents {
		came := &l.newcomers[kind]
		if came.count == 0 {
			continue
		}
		n := float64(l.sessions(kind))
		p := &l.players[kind]
		p.buffer = (float64(p.buffer*(n-float64(came.count))) + came.buffer) / n
		*came = newcomers{}
	}
}

// finishDrains notes the links from which all have gone who could.
func (s *Service) finishDrains(now simulator.Tick, events []simulator.Event) []simulator.Event {
	for i := range s.steered() {
		l := &s.links[i]
		if l.status != Draining {
			continue
		}
		left := 0
		for kind := range Contents {
			left += len(l.pools[kind][movable])
		}
		if left == 0 {
			l.status = Maintenance
			events = append(events, s.event(now, "link_drained", simulator.Field{Name: "link", Value: l.ID},
				simulator.Field{Name: "sessions_left", Value: l.total()}))
		}
	}
	return events
}

// converge lets the routes follow the links, as long after a change as routes
// take.
func (s *Service) converge(now simulator.Tick, events []simulator.Event) []simulator.Event {
	for i := range s.steered() {
		l := &s.links[i]
		wanted := l.status == Up && !l.withdrawn
		switch {
		case wanted == l.routed:
			l.wantedAt = now
		case now-l.wantedAt >= convergeSeconds:
			l.routed, s.rerouted = wanted, true
			if s.config.Routing == Anycast {
				events = append(events, s.event(now, "routes_converged", simulator.Field{Name: "link", Value: l.ID}, simulator.Field{Name: "routed", Value: wanted}))
			}
		}
	}
	return events
}

// routeOf returns where routes lead a group: over its first candidate that is
// announced.
func (s *Service) routeOf(g *group) int {
	for i := range g.ways {
		if s.links[g.ways[i].Link].routed {
			return g.ways[i].Link
		}
	}
	return s.far()
}

// followRoutes lifts the sessions whose route leads elsewhere since the routes
// have changed.
func (s *Service) followRoutes() {
	if !s.rerouted {
		return
	}
	s.rerouted = false
	for i := range s.links {
		for kind := range Contents {
			for which := range 2 {
				s.followPool(i, kind, which)
			}
		}
	}
}

// followPool goes through a pool from its end, since what is lifted is replaced
// by the last.
func (s *Service) followPool(i int, kind Content, which int) {
	for at := len(s.links[i].pools[kind][which]) - 1; at >= 0; at-- {
		g := s.links[i].pools[kind][which][at]
		if s.routeOf(&s.groups[g]) != i {
			s.liftOne(i, kind, which, at)
		}
	}
}
