package rollout

import (
	"github.com/firedrill/firedrill/simulator"
)

// Phase is what the deploy job is doing.
type Phase uint8

// The phases, in the order in which a server goes through them.
const (
	Idle          Phase = iota
	Locking             // waits for a running repair
	Deregistering       // waits until the load balancer does not route to the server any more
	DrainPhase
	Writing
	StartPhase
	Verifying // waits until the server is well
	Phases    = iota
)

// String returns the phase as metrics name it.
func (p Phase) String() string {
	return [...]string{"idle", "locking", "deregistering", "draining", "writing", "starting", "verifying"}[p]
}

// Outcome is how a deploy ended.
type Outcome uint8

// The outcomes.
const (
	Success  Outcome = iota
	Failed           // a server was not well in time; the others stay as they were
	Aborted          // by an operator
	Outcomes = iota
)

// String returns the outcome as metrics and events name it.
func (o Outcome) String() string { return [...]string{"success", "failed", "aborted"}[o] }

const (
	deregisterTime = 2   // seconds until the load balancer has stopped routing
	verifyTime     = 300 // seconds after which a server that is not well fails the deploy
)

// job is the deploy job.
type job struct {
	phase   Phase
	since   simulator.Tick // the phase
	server  int            // index of the server that it is at
	version string
	bad     bool // its image does not start
	abort   bool // asked for
	begun   simulator.Tick
	opened  bool // the first drain has begun: the account is open

	// Of the server that it is at, as they were at its drain's start.
	drained simulator.Tick // when the drain began
	timings Timings
	held    bool           // jobs that did not end in the drain wait to be handed over
	ready   simulator.Tick // when the containers run

	opening tally // of the service when the account was opened
}

// running reports whether a deploy is under way.
func (j *job) running() bool { return j.phase != Idle }

// begin starts a deploy of a version.
func (s *Service) begin(now simulator.Tick, version string, events []simulator.Event) []simulator.Event {
	s.deploy = job{phase: Locking, since: now, version: version, bad: s.badNext, begun: now}
	s.badNext = false
	return append(events, s.event(now, "deploy_started", simulator.Field{Name: "version", Value: version}))
}

// advance moves the deploy job on, through as many phases as need no time.
func (s *Service) advance(now simulator.Tick, events []simulator.Event) []simulator.Event {
	for s.deploy.running() {
		before := s.deploy.phase
		events = s.proceed(now, events)
		if s.deploy.phase == before {
			break
		}
	}
	return events
}

// proceed carries out one phase of the deploy job in the second at now.
func (s *Service) proceed(now simulator.Tick, events []simulator.Event) []simulator.Event {
	j := &s.deploy
	v := &s.servers[j.server]
	switch j.phase {
	case Locking:
		return s.lock(now, v, events)
	case Deregistering:
		if now-j.since >= deregisterTime {
			v.target.registered = false
			return s.drain(now, v, events)
		}
	case DrainPhase:
		return s.drainOn(now, v, events)
	case Writing:
		events = s.handOver(now, v, events)
		if now-j.since >= simulator.Tick(j.timings.WriteTime) {
			s.written(now, v)
		}
	case StartPhase:
		events = s.handOver(now, v, events)
		if now >= j.ready {
			return s.started(now, v, events)
		}
	case Verifying:
		return s.verify(now, v, events)
	}
	return events
}

// written ends the writing of the compose file, which the watchdog copies, and
// begins to start what it names.
func (s *Service) written(now simulator.Tick, v *server) {
	v.copied = v.file
	if !v.file.bad {
		v.good = file{version: v.file.version, gateway: true}
	}
	s.deploy.ready = now + s.startTime()
	v.start(s.deploy.ready)
	s.enter(StartPhase, now)
}

func (s *Service) enter(p Phase, now simulator.Tick) { s.deploy.phase, s.deploy.since = p, now }

// lock takes the server's lock, or waits for the repair that holds it.
func (s *Service) lock(now simulator.Tick, v *server, events []simulator.Event) []simulator.Event {
	j := &s.deploy
	if j.abort {
		return s.finish(now, Aborted, events)
	}
	if s.config.Lock {
		if v.lock == HeldByRepair {
			v.waited++
			return events
		}
		v.lock = HeldByDeploy
	}
	if s.config.Deregister {
		s.enter(Deregistering, now)
		return events
	}
	return s.drain(now, v, events)
}

// drain begins the drain of a server. With the first one the account of the
// deploy opens.
func (s *Service) drain(now simulator.Tick, v *server, events []simulator.Event) []simulator.Event {
	j := &s.deploy
	if !j.opened {
		j.opened, j.opening = true, s.tally()
	}
	j.timings, j.drained, j.held = s.config.Timings, now, true
	v.draining, v.closesAt = true, now+simulator.Tick(j.timings.DrainServe)
	v.setAll(Draining)
	s.enter(DrainPhase, now)
	return append(events, s.event(now, "server_draining", s.at(v)))
}

// drainOn goes on with a drain: at the grace's end the runtime kills what still
// runs, at the drain's end the server is stopped, whatever a repair did.
func (s *Service) drainOn(now simulator.Tick, v *server, events []simulator.Event) []simulator.Event {
	j := &s.deploy
	events = s.kill(now, v, events)
	if now-j.drained < simulator.Tick(j.timings.DrainTotal) {
		return events
	}
	v.draining, v.stopped = false, true
	v.setAll(Stopped)
	v.file = file{version: j.version, gateway: true, bad: j.bad}
	s.enter(Writing, now)
	return append(events, s.event(now, "server_stopped", s.at(v)))
}

// kill lets the runtime kill what a drain has left at the end of the grace.
// After a repair there is nothing left of what drained.
func (s *Service) kill(now simulator.Tick, v *server, events []simulator.Event) []simulator.Event {
	j := &s.deploy
	if now-j.drained != simulator.Tick(j.timings.StopGrace) || now-j.drained >= simulator.Tick(j.timings.DrainTotal) || !v.draining {
		return events
	}
	if v.serving(now) {
		s.loseRequests(v)
	}
	v.setAll(Stopped)
	return s.loseJobs(now, v, "killed", events)
}

// handOver ends what the drain has left of the jobs of a stopped server: the
// stop hands them over to other servers, unless the runtime kills them first.
func (s *Service) handOver(now simulator.Tick, v *server, events []simulator.Event) []simulator.Event {
	j := &s.deploy
	if !j.held {
		return events
	}
	end := min(simulator.Tick(j.timings.StopGrace), simulator.Tick(j.timings.DrainTotal+j.timings.StopTime))
	if now-j.drained < end && (j.phase != StartPhase || now < j.ready) {
		return events
	}
	j.held = false
	if j.timings.StopGrace < j.timings.DrainTotal+j.timings.StopTime {
		return s.loseJobs(now, v, "killed", events)
	}
	s.jobs.handOver(s, v)
	return events
}

// startTime draws how long the containers take to stop and start.
func (s *Service) startTime() simulator.Tick {
	const spread = 0.2
	mean := float64(s.deploy.timings.StartTime)
	if !s.config.Noise {
		return simulator.Tick(s.deploy.timings.StartTime)
	}
	low := float64(mean * (1 - spread))
	return simulator.Tick(low + float64(2*spread*mean*s.starts.Float64()) + 0.5)
}

// started ends the start of a server.
func (s *Service) started(now simulator.Tick, v *server, events []simulator.Event) []simulator.Event {
	j := &s.deploy
	v.stopped = false
	if !v.target.registered {
		v.target.register()
	}
	events = append(events, s.event(now, "server_started", s.at(v),
		simulator.Field{Name: "version", Value: v.version}, simulator.Field{Name: "start_seconds", Value: int(now - j.since)}))
	if s.config.Verify && !j.abort {
		s.enter(Verifying, now)
		return events
	}
	return s.next(now, v, events)
}

// verify waits until the server is well: all containers answer, and the load
// balancer calls the target healthy.
func (s *Service) verify(now simulator.Tick, v *server, events []simulator.Event) []simulator.Event {
	switch {
	case s.deploy.abort, v.whole() && v.target.healthy:
		return s.next(now, v, events)
	case now-s.deploy.since >= verifyTime:
		return s.finish(now, Failed, events)
	}
	return events
}

// next leaves a server for the next one.
func (s *Service) next(now simulator.Tick, v *server, events []simulator.Event) []simulator.Event {
	j := &s.deploy
	switch {
	case j.abort:
		return s.finish(now, Aborted, events)
	case j.server == Servers-1:
		return s.finish(now, Success, events)
	}
	v.unlock()
	j.server++
	s.enter(Locking, now)
	return s.lock(now, &s.servers[j.server], events)
}

// unlock gives back the lock that a deploy holds.
func (v *server) unlock() {
	if v.lock == HeldByDeploy {
		v.lock = Free
	}
}

// finish ends the deploy.
func (s *Service) finish(now simulator.Tick, o Outcome, events []simulator.Event) []simulator.Event {
	j := s.deploy
	s.servers[j.server].unlock()
	s.last = s.report(now, o)
	s.finished[o]++
	s.deploy = job{}
	return append(events, s.event(now, "deploy_finished", s.last.fields()...))
}

// report draws up the account of the deploy that ends at now.
func (s *Service) report(now simulator.Tick, o Outcome) Report {
	j := &s.deploy
	r := Report{Version: j.version, Outcome: o, Began: j.begun, Ended: now}
	if j.opened {
		r.tally = s.tally().less(j.opening)
	}
	for i := range s.servers {
		r.MissingContainers += s.servers[i].absent()
	}
	return r
}

// at is the field that names a server.
func (s *Service) at(v *server) simulator.Field {
	return simulator.Field{Name: "server", Value: serverName(s.name, v.number)}
}

func (s *Service) event(at simulator.Tick, kind string, fields ...simulator.Field) simulator.Event {
	return simulator.Event{At: at, Service: s.name, Kind: kind, Fields: fields}
}
