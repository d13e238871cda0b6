package cdn

import (
	"github.com/firedrill/firedrill/simulator"
)

// Step simulates one second.
func (s *Service) Step(now simulator.Tick, due []simulator.Due, events []simulator.Event) []simulator.Event {
	for _, d := range due {
		events = s.apply(now, d, events)
	}
	events = s.converge(now, events)
	if now%decisionSeconds == 0 {
		s.decide()
	}
	events = s.second(now, events)
	if now%simulator.Minute == 0 {
		s.row = s.minute.row(s, int(now/simulator.Minute))
	}
	return events
}

// second moves the sessions of the second at now and measures what comes of it.
func (s *Service) second(now simulator.Tick, events []simulator.Event) []simulator.Event {
	s.end()
	s.begin(now)
	events = s.move(now, events)
	s.load()
	s.watch()
	s.now = now + 1
	for i := range s.steered() {
		s.links[i].measure(s.now, s.config.Stagger)
	}
	s.minute.add(s)
	if s.now%learnSeconds == 0 && s.config.LearnWeights && s.config.Routing == Playlist {
		s.improve()
	}
	return events
}

// decide lets the balancer look at every link. Where routes decide it has
// nothing to say.
func (s *Service) decide() {
	for i := range s.steered() {
		l := &s.links[i]
		l.memory = l.memory.Measured(l.gauge(s.config.Gauge).value)
		if s.config.Routing == Anycast {
			l.signals = Signals{}
			continue
		}
		l.signals, l.memory = s.balancer.Decide(l.memory, l.target(&s.config))
	}
}

// load works out what every link carries, and counts it.
func (s *Service) load() {
	for i := range s.links {
		s.links[i].ask()
	}
	s.shareHosts()
	for i := range s.links {
		l := &s.links[i]
		l.load = l.offered() / float64(l.Capacity)
		l.lost = l.loss()
	}
}

// ask works out what the players of each kind ask for.
func (l *link) ask() {
	for kind := range Contents {
		sum := 0.0
		for rung, n := range l.rungs[kind] {
			sum += float64(float64(n) * float64(Bitrate(rung)))
		}
		l.asks[kind] = sum
	}
}

// shareHosts works out what share of what is asked for the hosts of each site
// can send.
//
//	min(1, hosts·capacity/Σ asked)
func (s *Service) shareHosts() {
	for i := range s.sites {
		s.sites[i].asked = 0
	}
	for i := range s.steered() {
		s.sites[s.links[i].Site].asked += s.links[i].asked()
	}
	for i := range s.steered() {
		l := &s.links[i]
		site := s.topology.Sites[l.Site]
		l.hostShare = min(1, float64(site.Hosts)*float64(site.HostCapacity)/max(1, s.sites[l.Site].asked))
	}
}

// watch lets the players play for a second, and counts what they get.
func (s *Service) watch() {
	for i := range s.links {
		l := &s.links[i]
		l.play(&s.config)
		if s.config.ABR {
			s.adapt(l)
		}
		l.learnSecond()
		s.countTraffic(l)
		s.countSegments(i)
	}
	s.countCalm()
	s.quality.add(s)
}
