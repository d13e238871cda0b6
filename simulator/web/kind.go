package web

import (
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

// Kind returns the kind of model that this package implements.
func Kind() *simulator.Kind {
	return &simulator.Kind{
		Name:    "web",
		Config:  ConfigSpecs(),
		Actions: actionSpecs(),
		Columns: columns(),
		New: func(setup simulator.Setup, values schema.Values) (simulator.Model, error) {
			s, err := New(setup, NewConfig(values))
			if err != nil {
				return nil, err
			}
			return s, nil
		},
	}
}

// columns describes a row in the order of AppendRow.
func columns() []simulator.Column {
	return []simulator.Column{
		{Key: "minute", Whole: true},
		{Key: "offered_rate", Head: "req/s", Scale: 1},
		{Key: "admitted_rate"},
		{Key: "bad_traffic_ratio", Truth: true, Head: "bad%", Scale: 100},
		{Key: "hit_ratio", Head: "hit%", Scale: 100},
		{Key: "warm_ratio"},
		{Key: "db_query_rate"},
		{Key: "db_utilization_ratio", Head: "db%", Scale: 100},
		{Key: "db_query_seconds"},
		{Key: "service_seconds"},
		{Key: "serving", Whole: true, Head: "serv", Scale: 1},
		{Key: "booting", Whole: true, Head: "boot", Scale: 1},
		{Key: "busy_workers"},
		{Key: "utilization_ratio", Head: "util%", Scale: 100},
		{Key: "wait_probability"},
		{Key: "failed_ratio", Truth: true},
		{Key: "error_ratio", Truth: true, Head: "err%", Scale: 100, Digits: 3},
		{Key: "p99_seconds", Head: "p99 s", Scale: 1, Digits: 2},
		{Key: "burn_rate", Truth: true},
		{Key: "burn_rate_1h", Truth: true, Head: "burn1h", Scale: 1, Digits: 1},
		{Key: simulator.BudgetColumn, Head: "budget%", Scale: 100, Digits: 1},
		{Key: "cost_dollars", Head: "cost$", Scale: 1, Digits: 2},
		{Key: "mean_answer_age_seconds"},
		{Key: "recommendations_available_ratio"},
	}
}

// AppendRow appends the minute that was last evaluated.
func (s *Service) AppendRow(dst []float64) []float64 {
	m := s.minute
	return append(dst,
		float64(m.Number), float64(m.Offered), float64(m.Admitted), float64(m.BadTraffic),
		float64(m.Hit), float64(m.Warm), float64(m.QueryRate), m.DBUtilization,
		float64(m.QueryTime), float64(m.ServiceTime), float64(m.Serving), float64(m.Booting),
		m.Busy, float64(m.Utilization), float64(m.WaitProbability), float64(m.Failed),
		float64(m.Errors), float64(s.p99()), m.Burn, m.Burn1h, m.Budget, float64(m.Cost),
		float64(m.AnswerAge), float64(m.Recommendations))
}

// Names of the actions.
const (
	doSet          = "set"
	doWarmCache    = "warm_cache"
	doRollback     = "rollback"
	doDeployBad    = "deploy_bad_build"
	doFlushCache   = "flush_cache"
	doSurge        = "surge"
	doBootDelay    = "set_boot_delay"
	doKill         = "kill_instances"
	doRestart      = "restart_instances"
	doBreakPod     = "break_pod"
	doSlowDatabase = "slow_database"
	doCapacity     = "set_database_capacity"
	doBaseline     = "set_baseline_errors"
	doGap          = "monitoring_gap"
)

// actionSpecs lists what can be done to a web service.
func actionSpecs() []schema.Action {
	count := schema.Spec{Name: "count", Kind: schema.Integer, Unit: "instances", Min: 1, Max: maxInstances, Required: true, Help: "how many, at most all that serve"}
	return []schema.Action{
		{Name: doSet, Help: "move a lever: fleet, autoscaler, cache, load shedding, optional feature", Args: liveSpecs(), AtLeastOne: true},
		{Name: doWarmCache, Help: "6 minutes of +12 % of the cache a minute, for 600 queries/s more on the database"},
		{Name: doRollback, Help: "prepare the last good build on a new fleet for 5 minutes, billed twice, then switch to it"},
		{Name: doDeployBad, Fault: true, Help: "roll out a build with 5 % errors that is a quarter slower"},
		{Name: doFlushCache, Fault: true, Help: "empty the cache"},
		{Name: doSurge, Fault: true, Help: "multiply the traffic for a while; a factor below 1 is a drop", Args: schema.Specs{
			{Name: "factor", Kind: schema.Number, Min: 0, Max: 100, Required: true, Help: "at the height of the surge"},
			wholeMinutes("rise", 0, "from nothing to the height"), wholeMinutes("hold", 0, "at the height"), wholeMinutes("fall", 0, "from the height to nothing"),
		}},
		{Name: doBootDelay, Fault: true, Help: "change how long new instances boot", Args: schema.Specs{wholeMinutes("delay", 1, "from ordering to serving")}},
		{Name: doKill, Fault: true, Help: "kill instances with the requests that they hold", Args: schema.Specs{count}},
		{Name: doRestart, Fault: true, Help: "restart instances in place: their counters begin at 0", Args: schema.Specs{count}},
		{Name: doBreakPod, Fault: true, Help: "let one pod answer with errors", Args: schema.Specs{
			{Name: "error_ratio", Kind: schema.Ratio, Max: 1, Required: true, Help: "share of its answers that are errors"},
			wholeMinutes("for", 1, "how long"),
		}},
		{Name: doSlowDatabase, Fault: true, Help: "make every query slower for a while", Args: schema.Specs{
			{Name: "factor", Kind: schema.Number, Min: 1, Max: 1000, Required: true, Help: "on the time of a query"},
			wholeMinutes("for", 1, "how long"),
		}},
		{Name: doCapacity, Fault: true, Help: "change the capacity of the database", Args: schema.Specs{
			{Name: "rate", Kind: schema.Number, Unit: "queries/s", Above: true, Max: 1e7, Required: true, Help: "that it can answer"},
		}},
		{Name: doBaseline, Fault: true, Help: "change the share of errors that is always there", Args: schema.Specs{
			{Name: "ratio", Kind: schema.Ratio, Max: 1, Required: true, Help: "of the requests"},
		}},
		{Name: doGap, Fault: true, Help: "no target answers scrapes for a while", Args: schema.Specs{wholeMinutes("for", 1, "how long")}},
	}
}

// wholeMinutes is a required argument: a span of low minutes to a week.
func wholeMinutes(name string, low int, help string) schema.Spec {
	const week = 7 * 24 * 60
	return schema.Spec{Name: name, Kind: schema.Duration, Min: float64(low * minute), Max: week * minute, Step: minute, Required: true, Help: help}
}

// liveSpecs are the arguments of set: the keys that an operator may change.
func liveSpecs() schema.Specs {
	var specs schema.Specs
	for _, o := range options() {
		if o.live {
			specs = append(specs, o.Spec)
		}
	}
	return specs
}

// Settings returns the levers of set as they stand.
func (s *Service) Settings() []simulator.Setting {
	var settings []simulator.Setting
	for _, o := range options() {
		if o.live {
			settings = append(settings, simulator.Setting{Name: o.Name, Value: o.get(&s.config)})
		}
	}
	return settings
}

// Healthy reports whether the true error ratio is within the objective.
func (s *Service) Healthy() bool {
	return float64(s.minute.Errors) < 1-float64(s.config.Objective)
}
