package web

import (
	"github.com/firedrill/firedrill/simulator/queueing"
	"github.com/firedrill/firedrill/simulator/unit"
)

// Illustrative constants of a mid-size web service.
const (
	badBuildErrors = 0.05 // share of a bad build's answers that are errors
	badBuildSlower = 0.25 // by which its application time is longer
	blipErrors     = 0.01 // share of the answers in a blip that are errors
	warmUpQueries  = 600  // queries/s of the warm-up job
	longestQuery   = 0.25 // seconds: the time of a query to a saturated database
)

// evaluate works out the minute from its rate of requests/s and the state; what
// accumulates over minutes is left to charge.
func (s *Service) evaluate(rate float64) {
	c := &s.config
	admitted := rate * (1 - float64(float64(c.LowPriority)*float64(c.Shed)))
	bad := s.fleet.bad
	s.minute = Minute{
		Offered:    unit.PerSecond(rate),
		Admitted:   unit.PerSecond(admitted),
		BadTraffic: unit.Ratio(bad),
		Hit:        unit.Ratio(s.hitRatio(admitted)),
		Warm:       unit.Ratio(s.cache.warm),
		Serving:    s.fleet.serving(),
		Booting:    s.fleet.booting(),
		AnswerAge:  c.TTL / 2,
		Number:     s.minute.Number,
		Budget:     s.account.budget,
	}
	s.solve(admitted)
	s.known = false
	s.errors()
}

// hitRatio returns the hit ratio of a cache whose entries live for TTL:
//
//	hit = warm · rT/(1 + rT), r = λₐ/objects
//
// where λₐ = admitted requests/s, T = TTL in seconds. Source: Jung, Berger,
// Balakrishnan, "Modeling TTL-based Internet caches", INFOCOM 2003. Test:
// TestVectors.
func (s *Service) hitRatio(admitted float64) float64 {
	perLife := float64(admitted / s.config.Objects * float64(s.config.TTL))
	return s.cache.warm * perLife / (1 + perLife)
}

// solve finds the waiting times. Where callers give up, only answered requests
// load the database, whose time in turn decides how many are answered.
func (s *Service) solve(admitted float64) {
	if s.config.Queueing == Textbook {
		s.load(admitted)
		s.queue = queueing.Textbook(s.station(admitted))
	} else {
		s.root = s.answered(admitted)
		s.load(s.root)
		s.queue = queueing.Exact(s.station(admitted))
	}
	m, workers := &s.minute, float64(s.workers())
	offered := admitted * float64(m.ServiceTime) // Erlang
	m.Busy = min(offered, workers)               // Little's law
	m.Utilization = 1
	if workers > 0 {
		m.Utilization = unit.Ratio(min(1, offered/workers))
	}
	m.WaitProbability = unit.Ratio(s.queue.WaitProbability)
	m.Failed = unit.Ratio(s.queue.Failed)
}

// answered returns the rate x of requests that are answered: the root of
// x = λₐ(1 − failed(S(x))).
func (s *Service) answered(admitted float64) float64 {
	if s.workers() == 0 {
		return 0
	}
	return queueing.AnsweredRate(admitted, s.root, func(x float64) float64 {
		s.load(x)
		return queueing.Exact(s.station(admitted)).Failed
	})
}

// load works out the database and the service time where answered requests/s
// reach the database:
//
//	load = x·q·(1 − hit) + 600/s while the warm-up job runs, ρ = load/capacity
//	query time = 5 ms/(1 − ρ), at most 250 ms; 250 ms for ρ ≥ 1
//	S = application time + (1 − hit)·q·query time
//
// where x = answered, q = queries per request. A slow database multiplies the
// 5 ms. Test: TestVectors.
func (s *Service) load(answered float64) {
	m := &s.minute
	queries, misses := s.queriesPerRequest(), 1-float64(m.Hit)
	rate := float64(answered * queries * misses)
	if s.cache.warmUp > 0 {
		rate += warmUpQueries
	}
	m.QueryRate = unit.PerSecond(rate)
	m.DBUtilization = rate / float64(s.config.DatabaseCapacity)
	m.QueryTime = unit.Seconds(s.queryTime(m.DBUtilization))
	m.ServiceTime = unit.Seconds(s.appTime(s.fleet.bad) + float64(misses*queries*float64(m.QueryTime)))
}

func (s *Service) queryTime(utilization float64) float64 {
	if utilization >= 1 {
		return longestQuery
	}
	return min(longestQuery, float64(s.config.QueryTime)*s.slowness()/(1-utilization))
}

// slowness is the factor on the time of a query.
func (s *Service) slowness() float64 { return max(1, s.trouble.slow) }

func (s *Service) queriesPerRequest() float64 {
	if s.config.Recommendations {
		return s.config.QueriesPerRequest + 1
	}
	return s.config.QueriesPerRequest
}

// appTime is the mean time of the application in seconds where the share bad
// of the requests meets a bad build.
func (s *Service) appTime(bad float64) float64 {
	t := float64(s.config.AppTime)
	if s.config.Recommendations {
		t += float64(s.config.FeatureTime)
	}
	return float64(t * (1 + float64(badBuildSlower*bad)))
}

func (s *Service) workers() int { return s.fleet.serving() * s.config.Workers }

func (s *Service) station(admitted float64) queueing.Station {
	return queueing.Station{
		Servers:     s.workers(),
		ArrivalRate: admitted,
		Service:     float64(s.minute.ServiceTime),
		Patience:    float64(s.config.Timeout),
	}
}

// errors combines the independent ways to fail:
//
//	error ratio = 1 − (1 − failed)(1 − 0.05·bad share)(1 − broken)(1 − baseline)(1 − blip)
//
// and the burn rate, error ratio / (1 − objective). Source: The Site
// Reliability Workbook, chapter 5. Test: TestVectors.
func (s *Service) errors() {
	m := &s.minute
	e := either(float64(m.Failed), badBuildErrors*s.fleet.bad)
	e = either(e, s.fleet.broken)
	e = either(e, s.background())
	m.Errors = unit.Ratio(e)
	m.Burn = e / (1 - float64(s.config.Objective))
}

// background is the share of errors that every pod has: baseline and blip.
func (s *Service) background() float64 {
	if s.trouble.blip {
		return either(float64(s.config.BaselineErrors), blipErrors)
	}
	return float64(s.config.BaselineErrors)
}

// either returns the probability that at least one of two independent things
// happens: 1 − (1 − a)(1 − b), exact where both are tiny.
func either(a, b float64) float64 { return a + float64(b*(1-a)) }

// p99 returns the time that 1 % of the answered requests exceed.
func (s *Service) p99() unit.Seconds {
	if !s.known {
		s.known = true
		s.tail = unit.Seconds(s.solveP99())
	}
	return s.tail
}

func (s *Service) solveP99() float64 {
	station := s.station(float64(s.minute.Admitted))
	if s.config.Queueing == Textbook {
		return station.TextbookP99()
	}
	return queueing.ExactP99(s.queue.Wait, s.queue.Failed, 1/station.Service, station.Servers, station.Patience)
}

// rateOf returns the service rate in requests/s of a worker of a pod with or
// without the bad build.
func (s *Service) rateOf(bad bool) float64 {
	m, share := &s.minute, 0.0
	if bad {
		share = 1
	}
	waiting := float64((1 - float64(m.Hit)) * s.queriesPerRequest() * float64(m.QueryTime))
	return 1 / (s.appTime(share) + waiting)
}
