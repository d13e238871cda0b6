package rollout

import "github.com/firedrill/firedrill/simulator"

// Answer is what a probe of the health endpoint gets.
type Answer uint8

// The answers.
const (
	OK200          Answer = iota
	Unavailable503        // draining, or a container does not run
	Silent                // nothing answers: the probe fails at once
	Answers        = iota
)

// String returns the answer as metrics name it: the status code, or none.
func (a Answer) String() string { return [...]string{"200", "503", "none"}[a] }

// target is a server as the load balancer knows it.
type target struct {
	phase      phase
	nextProbe  simulator.Tick
	registered bool
	healthy    bool
	fails      int // failed probes in a row
	goods      int // good probes in a row
	probes     [Answers]int64
}

// register puts the target back on the load balancer, which does not route to
// it before its probes are good.
func (t *target) register() { t.registered, t.healthy, t.fails, t.goods = true, false, 0, 0 }

// scheduleProbes plans the next probe of every target, not before now.
func (s *Service) scheduleProbes(now simulator.Tick) {
	for i := range s.servers {
		t := &s.servers[i].target
		t.nextProbe = t.phase.next(now, s.config.Interval)
	}
}

// probe probes the targets whose second it is.
func (s *Service) probe(now simulator.Tick, events []simulator.Event) []simulator.Event {
	for i := range s.servers {
		v := &s.servers[i]
		if v.target.nextProbe != now {
			continue
		}
		v.target.nextProbe = now + simulator.Tick(s.config.Interval)
		if v.target.registered && v.target.judge(v.health(), &s.config) {
			events = append(events, s.event(now, v.target.verdict(), s.at(v)))
		}
	}
	return events
}

// judge takes in a probe's answer, one verdict of all sources, and reports
// whether it changes what the load balancer thinks of the target.
func (t *target) judge(a Answer, c *Config) bool {
	t.probes[a] += int64(c.ProbeSources)
	if a == OK200 {
		t.fails = 0
		t.goods++
		if !t.healthy && t.goods >= c.HealthyThreshold {
			t.healthy = true
			return true
		}
		return false
	}
	t.goods = 0
	t.fails++
	if t.healthy && t.fails >= c.UnhealthyThreshold {
		t.healthy = false
		return true
	}
	return false
}

func (t *target) verdict() string {
	if t.healthy {
		return "target_healthy"
	}
	return "target_unhealthy"
}

// routed returns the servers that get requests: the healthy targets or, where
// none is, all that are registered (the load balancer fails open).
func (s *Service) routed() (to [Servers]*server, n int) {
	for i := range s.servers {
		if t := &s.servers[i].target; t.registered && t.healthy {
			to[n] = &s.servers[i]
			n++
		}
	}
	if n > 0 {
		return to, n
	}
	for i := range s.servers {
		if s.servers[i].target.registered {
			to[n] = &s.servers[i]
			n++
		}
	}
	return to, n
}
