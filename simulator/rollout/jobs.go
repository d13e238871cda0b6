package rollout

import (
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/dist"
	"github.com/firedrill/firedrill/simulator/rng"
)

// jobs are the builds that come to the service and run on its servers.
//
// They come at random (Poisson) and take an exponential time. Both are without
// memory, so the next thing to happen is drawn for all of them together:
//
//	rate = a + n/t, next = Exponential(rate)
//
// where a = arrivals/s, n = running jobs, t = mean time of a job in seconds, and
// it is an arrival with the probability a/rate. Whenever n changes the next
// thing is drawn anew. Source: D. T. Gillespie, A general method for numerically
// simulating the stochastic time evolution of coupled chemical reactions, 1976.
// Test: TestJobs.
type jobs struct {
	stream  *rng.Stream
	at      float64 // when the next thing happens, in seconds since tick 0
	working int64   // jobs that ran when it was drawn; below 0 where none is drawn
	waiting int64   // jobs that no server takes
}

// serverJobs is what a server has of them.
type serverJobs struct {
	running  int64
	finished int64
	lost     int64
	moved    int64 // handed over to other servers
}

func newJobs(streams string, seed uint32, from simulator.Tick) jobs {
	return jobs{stream: rng.Named(seed, streams+"/jobs"), at: float64(from), working: -1}
}

// fill gives every server the mean number of jobs, by Little's law.
func (j *jobs) fill(s *Service) {
	for i := range s.servers {
		s.servers[i].jobs.running = int64(float64(s.config.JobRate/60*float64(s.config.JobTime)) + 0.5)
	}
}

// takes reports whether new jobs may begin on the server.
func (v *server) takes() bool { return !v.draining && !v.stopped && v.up(PublishWorker) }

// works reports whether jobs on the server go on.
func (v *server) works() bool { return !v.stopped && v.up(PublishWorker) }

// second lets jobs come and end in the second at now.
func (j *jobs) second(s *Service, now simulator.Tick) {
	if j.waiting > 0 {
		n := j.waiting
		j.waiting = 0
		j.place(s, n)
	}
	arrivals := float64(s.config.JobRate / 60 * Servers)
	if n := s.working(); n != j.working {
		j.draw(float64(now), arrivals, n, s)
	}
	for j.at < float64(now+1) {
		at := j.at
		if u := float64(j.stream.Float64() * (arrivals + float64(j.working)/float64(s.config.JobTime))); u < arrivals {
			j.place(s, 1)
		} else {
			j.end(s)
		}
		j.draw(at, arrivals, s.working(), s)
	}
}

// draw draws when the next thing happens, after the moment from.
func (j *jobs) draw(from, arrivals float64, working int64, s *Service) {
	j.working = working
	rate := arrivals + float64(working)/float64(s.config.JobTime)
	if rate <= 0 {
		j.at = never
		return
	}
	j.at = from + dist.Exponential(j.stream, rate)
}

// never is a second that does not come.
const never = 1e18

// working counts the jobs that go on.
func (s *Service) working() int64 {
	var n int64
	for i := range s.servers {
		if v := &s.servers[i]; v.jobs.running > 0 && v.works() {
			n += v.jobs.running
		}
	}
	return n
}

// place lets jobs begin, each on the server with the fewest that takes some; or
// they wait.
func (j *jobs) place(s *Service, n int64) {
	for ; n > 0; n-- {
		var least *server
		for i := range s.servers {
			if v := &s.servers[i]; v.takes() && (least == nil || v.jobs.running < least.jobs.running) {
				least = v
			}
		}
		if least == nil {
			j.waiting += n
			return
		}
		least.jobs.running++
	}
}

// end ends one of the jobs that go on, each as likely as the others.
func (j *jobs) end(s *Service) {
	pick := int64(float64(j.working) * j.stream.Float64())
	for i := range s.servers {
		v := &s.servers[i]
		if !v.works() {
			continue
		}
		if pick < v.jobs.running {
			v.jobs.running--
			v.jobs.finished++
			return
		}
		pick -= v.jobs.running
	}
}

// handOver gives the jobs of a stopped server to the others.
func (j *jobs) handOver(s *Service, v *server) {
	n := v.jobs.running
	v.jobs.running = 0
	v.jobs.moved += n
	j.place(s, n)
}

// loseJobs loses the jobs of a server.
func (s *Service) loseJobs(now simulator.Tick, v *server, reason string, events []simulator.Event) []simulator.Event {
	n := v.jobs.running
	if n == 0 {
		return events
	}
	v.jobs.running = 0
	v.jobs.lost += n
	return append(events, s.event(now, "jobs_lost", s.at(v),
		simulator.Field{Name: "count", Value: int(n)}, simulator.Field{Name: "reason", Value: reason}))
}
