package rollout

import (
	"math"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/dist"
	"github.com/firedrill/firedrill/simulator/rng"
)

// traffic is what comes: requests, drawn once a second.
type traffic struct {
	arrivals *rng.Stream
	busy     *rng.Stream // of what is turned away
	inFlight *rng.Stream // of what is lost with a server
	carry    float64     // fraction of a request that has not been counted yet, without noise
	turn     int         // the routed server that gets the next request
	lost     int64       // requests in flight that were lost and are not counted yet

	among int     // routed servers that share the traffic
	rate  float64 // requests/s that came when they were counted
	each  float64 // requests/s that each of them gets
	mean  float64 // seconds of an answer
	over  float64 // share of a server's requests that is turned away
}

func newTraffic(streams string, seed uint32) traffic {
	return traffic{
		arrivals: rng.Named(seed, streams+"/traffic"),
		busy:     rng.Named(seed, streams+"/busy"),
		inFlight: rng.Named(seed, streams+"/in_flight"),
	}
}

// second returns the number of requests of one second: Poisson with the given
// mean, or the mean itself with its fractions carried.
func (t *traffic) second(mean float64, noise bool) int64 {
	if noise {
		return dist.Poisson(t.arrivals, mean)
	}
	sum := t.carry + mean
	count := math.Floor(sum)
	t.carry = sum - count
	return int64(count)
}

// longestMean is the mean time in seconds of an answer of a server that is
// asked for as much as it can serve, or more.
const longestMean = 2

// meanTime returns the mean time in seconds of an answer of a server:
//
//	T = t/(1 − λ/c), at most 2 s
//
// where t = RequestTime, λ = requests/s that the server gets, c = Capacity. The
// times are exponential. Domain: λ ≥ 0. Source: the time in an M/M/1 queue with
// processor sharing; L. Kleinrock, Queueing Systems, volume II, 1976, section
// 4.4. Test: TestOneServerOutCostsLatency.
func meanTime(c *Config, each float64) float64 {
	load := each / float64(c.Capacity)
	if load >= 1 {
		return longestMean
	}
	return min(longestMean, float64(c.RequestTime)/(1-load))
}

// balance brings what follows from the number of routed servers and the rate up
// to date.
func (s *Service) balance(among int) {
	t, rate := &s.traffic, float64(s.config.Rate)
	if t.among == among && t.rate == rate {
		return
	}
	s.fold()
	t.among, t.rate = among, rate
	t.each = rate / float64(among)
	t.mean = meanTime(&s.config, t.each)
	t.over = max(0, 1-float64(s.config.Capacity)/max(t.each, float64(s.config.Capacity)))
	t.turn %= among
}

// requests spreads the requests of a second evenly over the routed servers, one
// after the other.
func (s *Service) requests(now simulator.Tick) {
	t := &s.traffic
	came := t.second(float64(s.config.Rate), s.config.Noise)
	to, n := s.routed()
	s.balance(n)
	each, rest := came/int64(n), int(came%int64(n))
	failing := 0
	for i := range n {
		got := each
		if (i-t.turn+n)%n < rest {
			got++
		}
		if !to[i].serving(now) {
			failing++
			s.refuse(now, to[i], got)
			continue
		}
		s.answer(to[i], got)
	}
	t.turn = (t.turn + rest) % n
	failed := float64(failing) + float64(float64(n-failing)*t.over)
	s.account.second(came, failed/float64(n))
}

// refuse counts requests that a server does not answer.
func (s *Service) refuse(now simulator.Tick, v *server, got int64) {
	s.codes[BadGateway] += got
	v.load.failing++
	if !v.listening(now) {
		v.load.refused += got
	}
}

// answer counts requests that a server answers: it turns away what is too much
// for it, and of the rest some stand for those that were lost in flight.
func (s *Service) answer(v *server, got int64) {
	t := &s.traffic
	if t.over > 0 {
		turned := dist.Binomial(t.busy, got, t.over)
		v.load.turned += turned
		s.codes[TooBusy] += turned
		got -= turned
	}
	lost := min(got, t.lost)
	t.lost -= lost
	s.codes[BadGateway] += lost
	got -= lost
	s.codes[OK] += got
	v.load.answered += got
	v.load.run += got
	if v.load.run >= foldAt {
		s.fold()
	}
}

// loseRequests lets the requests in flight on a server that is killed fail with
// 502. By Little's law their mean is λ·T.
func (s *Service) loseRequests(v *server) {
	to, n := s.routed()
	for i := range n {
		if to[i] == v {
			s.balance(n)
			served := float64(s.traffic.each * (1 - s.traffic.over))
			s.traffic.lost += s.drawInFlight(float64(served * s.traffic.mean))
		}
	}
}

func (s *Service) drawInFlight(mean float64) int64 {
	if s.config.Noise {
		return dist.Poisson(s.traffic.inFlight, mean)
	}
	return int64(mean + 0.5)
}
