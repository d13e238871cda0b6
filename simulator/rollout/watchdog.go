package rollout

import "github.com/firedrill/firedrill/simulator"

// Holder is who holds the lock of a server.
type Holder uint8

// The holders.
const (
	Free Holder = iota
	HeldByDeploy
	HeldByRepair
	Holders = iota
)

// String returns the holder as metrics name it.
func (h Holder) String() string { return [...]string{"none", "deploy", "repair"}[h] }

// scheduleChecks plans the next check of every watchdog, not before now.
func (s *Service) scheduleChecks(now simulator.Tick) {
	for i := range s.servers {
		p := s.phase(i, "watchdog", s.config.WatchdogPhase)
		s.servers[i].nextCheck = p.next(now, s.config.WatchdogInterval)
	}
}

// check lets the watchdogs check whose second it is.
func (s *Service) check(now simulator.Tick, events []simulator.Event) []simulator.Event {
	for i := range s.servers {
		v := &s.servers[i]
		if v.nextCheck != now {
			continue
		}
		v.nextCheck = now + simulator.Tick(s.config.WatchdogInterval)
		if !s.paused {
			events = s.look(now, v, events)
		}
	}
	return events
}

// look is a watchdog's check of its server: anything but a 200 is a strike, a
// 200 clears them, and the strikes that are enough let it repair. Where the lock
// is held, by a deploy or by its own repair, it does not look and forgets.
func (s *Service) look(now simulator.Tick, v *server, events []simulator.Event) []simulator.Event {
	switch {
	case s.config.Lock && v.lock != Free, now < v.repairEnds:
		v.strikes = 0
		v.skipped++
		return events
	case v.health() == OK200:
		v.strikes = 0
		return events
	}
	v.strikes++
	if v.strikes < s.config.Strikes {
		return events
	}
	v.strikes = 0
	return s.repair(now, v, events)
}

// repair writes the compose file from the watchdog's copy and restarts the
// containers that it names. Where the deploy writes the same file in this
// second the result has lost its gateway, unless there is one source for it.
// Of a drain the new containers know nothing.
func (s *Service) repair(now simulator.Tick, v *server, events []simulator.Event) []simulator.Event {
	v.repairs++
	v.repairEnds = now + repairTime
	if s.config.Lock {
		v.lock = HeldByRepair
	}
	events = append(events, s.event(now, "watchdog_repaired", s.at(v)))
	if v.serving(now) {
		s.loseRequests(v)
	}
	events = s.loseJobs(now, v, "restarted", events)
	v.draining = false
	ready := v.repairEnds
	if v.stopped && s.deploy.phase == StartPhase {
		ready = max(ready, s.deploy.ready)
	}
	if s.config.SingleSource {
		v.start(ready)
		return events
	}
	if v.stopped && s.deploy.phase == Writing {
		v.start(ready)
		v.file.gateway = false
		damaged := s.event(now, "compose_file_damaged", s.at(v))
		damaged.Truth = true
		return append(events, damaged)
	}
	v.file = v.copied
	v.start(ready)
	return events
}
