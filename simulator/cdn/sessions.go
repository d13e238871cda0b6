package cdn

import (
	"math"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/dist"
	"github.com/firedrill/firedrill/simulator/fmath"
)

// starts returns the mean number of sessions of a kind that start in the second
// at now.
//
//	λ(t) = λ·(1 + A·sin(2π(h − 15)/24))·(1 + g)^d·Π surge, at most 16 λ
//
// where A = daily amplitude, h = time of day in hours, g = daily growth and d =
// days since the start. Test: TestDemand.
func (s *Service) starts(kind Content, now simulator.Tick) float64 {
	const day = 86400
	if s.held {
		now = 0
	}
	base := s.config.arrivals(kind)
	hours := float64((s.start+int(now))%day) / 3600
	rate := base * (1 + float64(float64(s.config.DailyAmp)*fmath.Sin(2*math.Pi*(hours-15)/24)))
	if s.config.DailyGrowth > 0 {
		rate *= fmath.Exp(float64(fmath.Log(1+float64(s.config.DailyGrowth)) * float64(now) / day))
	}
	for _, g := range s.surges {
		if g.all || g.kind == kind {
			rate *= g.at(now)
		}
	}
	return min(rate, float64(maxTraffic*base))
}

// at returns the multiple of the demand in the second at now: with x the
// seconds since the start plus one, 1 + (f − 1)x/rise while it rises, f while it
// holds, f − (f − 1)(x − rise − hold)/fall while it falls, and 1 before and after.
func (g surge) at(now simulator.Tick) float64 {
	x := float64(now - g.start + 1)
	switch {
	case x < 1:
		return 1
	case x < g.rise:
		return 1 + float64((g.factor-1)*x)/g.rise
	case x <= g.rise+g.hold:
		return g.factor
	case x < g.rise+g.hold+g.fall:
		return g.factor - float64((g.factor-1)*(x-g.rise-g.hold))/g.fall
	}
	return 1
}

// end ends sessions, each with the probability that its kind's duration gives
// it in a second.
func (s *Service) end() {
	for kind := range Contents {
		p := -fmath.Expm1(-1 / max(1, float64(s.config.Durations[kind])))
		for i := range s.links {
			l := &s.links[i]
			for range dist.Binomial(s.streams.ends, int64(l.sessions(kind)), p) {
				s.endOne(l, kind)
			}
		}
	}
}

// endOne ends any session of a kind on a link.
func (s *Service) endOne(l *link, kind Content) {
	at := s.streams.picks.below(l.sessions(kind))
	which := fixed
	if n := len(l.pools[kind][fixed]); at >= n {
		which, at = movable, at-n
	}
	s.remove(l, kind, which, at)
	s.counts.sessions[kind].Ended++
}

// remove takes a session off a link and returns its group and the rung that it
// played at.
func (s *Service) remove(l *link, kind Content, which, at int) (groupIndex uint16, rung int) {
	rung = s.rungOf(l, kind)
	groupIndex = l.pools[kind][which].take(at)
	l.rungs[kind][rung]--
	place := s.groups[groupIndex].Operator*int(Contents) + int(kind)
	l.operators[place]--
	s.quality.watching[place]--
	return groupIndex, rung
}

// rungOf draws the rung of a session. Sessions of a kind on a link are alike,
// so each rung is as likely as it is frequent.
func (s *Service) rungOf(l *link, kind Content) int {
	rungs := &l.rungs[kind]
	n := l.sessions(kind)
	if int(rungs[topRung]) == n {
		return topRung
	}
	at := int32(s.streams.picks.below(n))
	for rung := range topRung {
		if at < rungs[rung] {
			return rung
		}
		at -= rungs[rung]
	}
	return topRung
}

// put puts a session on a link.
func (s *Service) put(l *link, kind Content, which int, groupIndex uint16, rung int) {
	l.pools[kind][which] = append(l.pools[kind][which], groupIndex)
	l.rungs[kind][rung]++
	place := s.groups[groupIndex].Operator*int(Contents) + int(kind)
	l.operators[place]++
	s.quality.watching[place]++
}

// begin starts the sessions of a second.
func (s *Service) begin(now simulator.Tick) {
	for kind := range Contents {
		for range dist.Poisson(s.streams.starts, s.starts(kind, now)) {
			s.arrive(kind)
		}
	}
}

// arrive starts a session of a kind.
func (s *Service) arrive(kind Content) {
	g := s.users.draw(s.streams.users)
	which := fixed
	if s.streams.users.yes(float64(s.config.Movable)) {
		which = movable
	}
	to := s.choose(&s.groups[g])
	l := &s.links[to]
	s.put(l, kind, which, uint16(g), topRung)
	s.counts.sessions[kind].Started++
	l.counts.Started++
	s.startedOn(l, &s.groups[g], kind, to)
}

// choose returns the link of a new session of a group: one drawn by weight, the
// next ones in order of weight where it refuses, the far site where all do.
func (s *Service) choose(g *group) int {
	if s.config.Routing == Anycast {
		return s.routeOf(g)
	}
	if g.open == 0 {
		return s.far()
	}
	first := g.draw(s.streams.routes)
	if s.takes(g.ways[first].Link) {
		return g.ways[first].Link
	}
	return s.next(g, g.ways[first].Link)
}

// draw draws a way by weight among those that are open.
func (g *group) draw(p picker) int {
	x := float64(p.unit() * g.open)
	last := 0
	for i := range g.ways {
		if !g.ways[i].open {
			continue
		}
		last = i
		if x -= float64(g.ways[i].weight()); x < 0 {
			break
		}
	}
	return last
}

// next returns the first way in order of weight, but for one link, that takes a
// session.
func (s *Service) next(g *group, but int) int {
	for i := range g.ways {
		if w := &g.ways[i]; w.open && w.Link != but && s.takes(w.Link) {
			return w.Link
		}
	}
	return s.far()
}

// takes asks a link whether it takes a session, and counts where it refuses.
func (s *Service) takes(i int) bool {
	l := &s.links[i]
	if s.streams.routes.yes(l.signals.Slowdown) {
		l.counts.Refused++
		return false
	}
	return true
}
