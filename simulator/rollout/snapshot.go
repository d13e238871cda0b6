package rollout

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/latency"
)

// Snapshot is the state of a rollout service after a tick. It is immutable.
//
// Its counts agree: Codes summed up is the number of requests that came; what
// the servers answered is Codes of OK and TooBusy, and the total of each
// server's latency histogram is what it answered with OK.
type Snapshot struct {
	Name    string
	Config  Config // as it is now
	Minute  Minute // the minute that was last evaluated
	Servers [Servers]Server
	Deploy  Deploy            // the one that runs
	Last    Report            // of the last deploy that has ended
	Ended   [Outcomes]int64   // deploys by outcome
	Margins []Margin          // of the relations, in their order
	Codes   [Codes]int64      // answers at the load balancer to requests
	Latency latency.Histogram // of what servers answered with OK
	Waiting int64             // jobs that no server takes
	Paused  bool              // the watchdogs do not check
}

// Deploy is a deploy that runs; Phase is Idle where none does.
type Deploy struct {
	Phase   Phase
	Server  int // number of the server that it is at
	Version string
	Began   simulator.Tick // when it was asked for
	Entered simulator.Tick // when the phase began
}

// Server is one server.
type Server struct {
	Number     int
	Name       string // unique among services of other names
	Version    string // that its containers run
	File       File
	Containers [Containers]ContainerState
	Health     Answer // of the health endpoint
	Listening  bool   // connections are accepted
	Target     TargetState
	Lock       Holder
	Strikes    int

	Answered       int64 // requests, with 200
	TurnedAway     int64 // requests, with 503: more than it can serve
	Refused        int64 // connections: nobody listened
	FailingSeconds int64 // in which a request to it would have got a 502
	Latency        latency.Histogram
	Probes         [Answers]int64 // by the answer
	Repairs        int64          // of the watchdog
	SkippedChecks  int64          // of the watchdog: the lock was held
	LockWait       int64          // seconds that deploys have waited for the lock
	JobsRunning    int64
	JobsFinished   int64
	JobsLost       int64
	JobsMoved      int64 // handed over to other servers
}

// File is a compose file as it is on the disk of a server.
type File struct {
	Version string
	Hash    string // of its text: 8 hexadecimal digits
	Gateway bool   // it names the gateway container
}

// TargetState is what the load balancer thinks of a target.
type TargetState uint8

// The states of a target.
const (
	Healthy TargetState = iota
	Unhealthy
	Deregistered
	TargetStates = iota
)

// String returns the state as metrics name it.
func (s TargetState) String() string {
	return [...]string{"healthy", "unhealthy", "deregistered"}[s]
}

func (t *target) state() TargetState {
	switch {
	case !t.registered:
		return Deregistered
	case t.healthy:
		return Healthy
	}
	return Unhealthy
}

// picture returns the file as the snapshot shows it.
func (f file) picture() File {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s gateway=%t", f.version, f.gateway)
	return File{Version: f.version, Hash: fmt.Sprintf("%08x", h.Sum32()), Gateway: f.gateway}
}

// Snapshot returns a *Snapshot of the state after the last Step.
func (s *Service) Snapshot() any { return s.picture() }

func (s *Service) picture() *Snapshot {
	shot := &Snapshot{
		Name: s.name, Config: s.config, Minute: s.minute, Last: s.last, Ended: s.finished,
		Margins: s.config.Margins(), Codes: s.codes, Latency: latency.NewHistogram(), Waiting: s.jobs.waiting, Paused: s.paused,
	}
	if j := &s.deploy; j.running() {
		shot.Deploy = Deploy{Phase: j.phase, Server: j.server + 1, Version: j.version, Began: j.begun, Entered: j.since}
	}
	times := s.latencies()
	for i := range s.servers {
		shot.Servers[i] = s.servers[i].picture(s.name, s.now-1)
		shot.Servers[i].Latency = times[i]
		shot.Latency.Add(times[i])
	}
	if s.past != nil {
		shot.follow(s.past)
	}
	return shot
}

// picture returns the server as it stood in the second at now.
func (v *server) picture(service string, now simulator.Tick) Server {
	p := Server{
		Number: v.number, Name: serverName(service, v.number), Version: v.version, File: v.file.picture(),
		Health: v.health(), Listening: v.listening(now), Target: v.target.state(), Lock: v.lock, Strikes: v.strikes,
		Answered: v.load.answered, TurnedAway: v.load.turned, Refused: v.load.refused, FailingSeconds: v.load.failing,
		Probes: v.target.probes, Repairs: v.repairs, SkippedChecks: v.skipped, LockWait: v.waited,
		JobsRunning: v.jobs.running, JobsFinished: v.jobs.finished, JobsLost: v.jobs.lost, JobsMoved: v.jobs.moved,
	}
	for c := range v.containers {
		p.Containers[c] = v.containers[c].state
	}
	return p
}

// AppendTrace appends one line: the minute as it was evaluated, every count and
// how every server stands.
func (s *Service) AppendTrace(dst []byte) []byte {
	dst = append(dst, s.name...)
	for _, x := range s.AppendRow(nil) {
		dst = strconv.AppendFloat(append(dst, ' '), x, 'g', 9, 64)
	}
	for _, n := range s.codes {
		dst = strconv.AppendInt(append(dst, ' '), n, 10)
	}
	j := &s.deploy
	dst = fmt.Appendf(dst, " %s %d %d", j.phase, j.server, s.jobs.waiting)
	times := s.latencies()
	for i := range s.servers {
		v := &s.servers[i]
		dst = fmt.Appendf(dst, " [%s %s %s %s %d", v.version, v.file.picture().Hash, v.health(), v.target.state(), v.strikes)
		for c := range v.containers {
			dst = append(dst, ' ')
			dst = append(dst, v.containers[c].state.String()[0:3]...)
		}
		for _, n := range slices.Concat(v.target.probes[:], []int64{v.load.answered, v.load.turned, v.load.refused, v.load.failing, v.repairs, v.skipped, v.waited,
			v.jobs.running, v.jobs.finished, v.jobs.lost, v.jobs.moved}) {
			dst = strconv.AppendInt(append(dst, ' '), n, 10)
		}
		dst = fmt.Appendf(dst, " %016x]", digest(times[i]))
	}
	return dst
}

// digest returns a hash of every cell of a histogram.
func digest(h latency.Histogram) uint64 {
	sum := fnv.New64a()
	for _, n := range h.Count {
		fmt.Fprintf(sum, "%d ", n)
	}
	fmt.Fprintf(sum, "%.9g", h.Sum)
	return sum.Sum64()
}
