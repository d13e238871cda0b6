package rollout

import "github.com/firedrill/firedrill/simulator"

// Step simulates one second in the order that the package describes. In the
// first second of a minute, after all that, the row is evaluated.
func (s *Service) Step(now simulator.Tick, due []simulator.Due, events []simulator.Event) []simulator.Event {
	for i := range s.servers {
		s.servers[i].settle(now)
	}
	for _, d := range due {
		events = s.apply(now, d, events)
	}
	if s.deploy.running() {
		events = s.advance(now, events)
	}
	events = s.check(now, events)
	events = s.probe(now, events)
	s.requests(now)
	s.jobs.second(s, now)
	s.now = now + 1
	if now%simulator.Minute == 0 {
		s.evaluate(now)
	}
	return events
}
