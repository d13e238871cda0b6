package rollout

import (
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/unit"
)

// Minute is a row of output: what came in the 60 seconds up to the one in which
// it is evaluated, the first of a minute, and how everything stands in that
// second. Field by field it has the keys of AppendRow.
type Minute struct {
	Number          int // minutes since the start
	Requests        unit.PerSecond
	BadGateways     int64 // in the minute
	ProbesNotOK     int64 // probe answers in the minute that are not 200
	HealthyTargets  int
	MeanTime        unit.Seconds // of an answer
	Deploying       int          // server that the deploy job is at, from 1; 0 where none runs
	Missing         int          // containers that neither run nor start
	Repairs         int64        // of the watchdogs since the start
	JobsRunning     int64
	JobsLost        int64 // since the start
	BrokenRelations int
	BadGatewaysAll  int64      // since the start
	Errors          unit.Ratio // mean share of requests that would fail, by 502 or 503
	Burn            float64    // errors over the budgeted share
	Budget          float64    // error budget left, 1 = all; may be negative
}

// account is what accumulates over the seconds.
type account struct {
	budget  float64
	seconds int64   // since the last row
	came    int64   // requests in them
	failed  float64 // sum of their shares of requests that would fail
	last    tally   // of the last row
}

// second books a second.
func (a *account) second(came int64, failed float64) {
	a.seconds++
	a.came += came
	a.failed += failed
}

// evaluate works out the row of the minute that begins at now and opens the
// next one.
//
//	error ratio = mean share of requests that would fail in a second
//	budget −= Σ share / (1 − objective) / 2 592 000 (the seconds of 30 days)
func (s *Service) evaluate(now simulator.Tick) {
	const periodSeconds = 30 * 24 * 60 * 60
	a := &s.account
	before := a.last
	a.budget -= a.failed / (1 - float64(s.config.Objective)) / periodSeconds
	a.last = s.tally()
	s.minute = s.picture60()
	m, gone := &s.minute, a.last.less(before)
	m.Number = int(now / simulator.Minute)
	m.BadGateways = gone.Requests[BadGateway]
	m.ProbesNotOK = gone.Probes[Unavailable503] + gone.Probes[Silent]
	m.Requests = unit.PerSecond(float64(a.came) / float64(a.seconds))
	m.Errors = unit.Ratio(a.failed / float64(a.seconds))
	m.Burn = float64(m.Errors) / (1 - float64(s.config.Objective))
	a.seconds, a.came, a.failed = 0, 0, 0
}

// picture60 returns a row of how everything stands now.
func (s *Service) picture60() Minute {
	_, among := s.routed()
	m := Minute{
		Requests:        s.config.Rate,
		MeanTime:        unit.Seconds(meanTime(&s.config, float64(s.config.Rate)/float64(among))),
		BrokenRelations: s.broken,
		BadGatewaysAll:  s.codes[BadGateway],
		Budget:          s.account.budget,
	}
	if s.deploy.running() {
		m.Deploying = s.deploy.server + 1
	}
	for i := range s.servers {
		v := &s.servers[i]
		if v.target.registered && v.target.healthy {
			m.HealthyTargets++
		}
		m.Missing += v.absent()
		m.Repairs += v.repairs
		m.JobsRunning += v.jobs.running
		m.JobsLost += v.jobs.lost
	}
	return m
}

// columns describes a row in the order of AppendRow.
func columns() []simulator.Column {
	return []simulator.Column{
		{Key: "minute", Whole: true},
		{Key: "request_rate", Head: "req/s", Scale: 1, Digits: 1},
		{Key: "bad_gateways", Whole: true, Head: "502", Scale: 1},
		{Key: "probe_failures", Whole: true, Head: "probes", Scale: 1},
		{Key: "healthy_targets", Whole: true, Head: "well", Scale: 1},
		{Key: "mean_seconds", Head: "ms", Scale: 1000},
		{Key: "deploying_server", Whole: true, Head: "deploy", Scale: 1},
		{Key: "missing_containers", Whole: true, Head: "miss", Scale: 1},
		{Key: "repairs_total", Whole: true, Head: "repair", Scale: 1},
		{Key: "jobs_running", Whole: true, Head: "jobs", Scale: 1},
		{Key: "jobs_lost_total", Whole: true, Head: "lost", Scale: 1},
		{Key: "broken_relations", Whole: true, Head: "broken", Scale: 1},
		{Key: "bad_gateways_total", Whole: true},
		{Key: "error_ratio", Truth: true},
		{Key: "burn_rate", Truth: true},
		{Key: simulator.BudgetColumn, Head: "budget%", Scale: 100, Digits: 1},
	}
}

// AppendRow appends the minute that was last evaluated.
func (s *Service) AppendRow(dst []float64) []float64 {
	m := &s.minute
	return append(dst,
		float64(m.Number), float64(m.Requests), float64(m.BadGateways), float64(m.ProbesNotOK),
		float64(m.HealthyTargets), float64(m.MeanTime), float64(m.Deploying), float64(m.Missing),
		float64(m.Repairs), float64(m.JobsRunning), float64(m.JobsLost), float64(m.BrokenRelations),
		float64(m.BadGatewaysAll), float64(m.Errors), m.Burn, m.Budget)
}

// Healthy reports whether the share of requests that would fail was within the
// objective in the 60 seconds up to the last evaluation.
func (s *Service) Healthy() bool {
	return float64(s.minute.Errors) < 1-float64(s.config.Objective)
}
