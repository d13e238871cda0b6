package rollout

import (
	"github.com/firedrill/firedrill/simulator/schema"
	"github.com/firedrill/firedrill/simulator/unit"
)

// Servers is the number of servers of a service.
const Servers = 3

// Config is the configuration of a rollout service. An operator changes some of
// it while the service runs; the snapshot shows what holds now. Times are whole
// seconds.
type Config struct {
	Noise      bool           // draw traffic and start times; false: everything is its mean
	LateSeries bool           // series of a code appear with its first answer
	Rate       unit.PerSecond // requests
	Timings

	Lock         bool // deploy and watchdog share a lock, one a server
	SingleSource bool // one source for the compose file
	Verify       bool // the deploy job waits for each server to be well
	Deregister   bool // the deploy job takes each server off the load balancer first

	ProbeSources  int            // nodes that probe in the same second
	ProbePhase    int            // second of its interval in which the first target is probed; below 0 all are drawn
	WatchdogPhase int            // the same of the watchdogs' checks
	Capacity      unit.PerSecond // requests that a server serves at most
	RequestTime   unit.Seconds   // mean time of a request to an idle server
	JobRate       float64        // builds a minute and server
	JobTime       unit.Seconds   // mean time of a build
	Objective     unit.Ratio     // of the availability SLO
	Budget        float64        // error budget left at the start, 1 = all of it; may be negative
}

// Timings are the numbers that must fit each other: whole seconds and counts.
// Relations says how.
type Timings struct {
	Interval           int // seconds between two probes of a target
	UnhealthyThreshold int // failed probes in a row that take a target out
	HealthyThreshold   int // good probes in a row that bring it back
	DrainServe         int // seconds of a drain in which requests are served
	DrainTotal         int // seconds of a drain
	WriteTime          int // seconds to write the compose file
	StartTime          int // seconds to stop and start the containers
	StopTime           int // seconds that a stopped container needs to hand its jobs over
	StopGrace          int // seconds from a drain's start until the runtime kills
	Strikes            int // failed checks in a row that let the watchdog repair
	WatchdogInterval   int // seconds between two checks of a watchdog
}

// option is one configuration key: its spec and where its value goes.
type option struct {
	schema.Spec
	live bool // an operator may change it with set
	put  func(*Config, schema.Value)
	get  func(*Config) schema.Value
}

// options lists all configuration keys. Those of an operator come first, in the
// order in which documents and the API show them.
func options() []option {
	const hour = 3600
	return []option{
		live(span("drain_serve", 15, 0, hour, "of a drain, in which requests are still served; then the listener closes", func(c *Config) *int { return &c.DrainServe })),
		live(span("drain_total", 150, 0, hour, "of a drain, in which jobs may run on; then the server is stopped", func(c *Config) *int { return &c.DrainTotal })),
		live(span("interval", 5, 1, 300, "between two probes of a target by the load balancer", func(c *Config) *int { return &c.Interval })),
		live(whole("unhealthy_threshold", "probes", 2, 1, 10, "failed in a row that take a target out", func(c *Config) *int { return &c.UnhealthyThreshold })),
		live(whole("healthy_threshold", "probes", 2, 1, 10, "good in a row that bring a target back", func(c *Config) *int { return &c.HealthyThreshold })),
		live(whole("strikes", "checks", 4, 1, 100, "failed in a row that let the watchdog repair a server", func(c *Config) *int { return &c.Strikes })),
		live(span("watchdog_interval", 60, 1, hour, "between two checks of a server by its watchdog", func(c *Config) *int { return &c.WatchdogInterval })),
		live(span("stop_grace", 180, 1, hour, "from a drain's start until the runtime kills what still runs", func(c *Config) *int { return &c.StopGrace })),
		live(flag("lock", true, "deploy and watchdog share a lock, one a server", func(c *Config) *bool { return &c.Lock })),
		live(flag("single_source", true, "there is one source for the compose file; off: the watchdog has a copy of its own", func(c *Config) *bool { return &c.SingleSource })),
		live(flag("verify", true, "the deploy job waits until a server is well before it goes on", func(c *Config) *bool { return &c.Verify })),
		live(flag("deregister", false, "the deploy job takes a server off the load balancer before it drains it", func(c *Config) *bool { return &c.Deregister })),
		live(number("rate", "requests/s", 120, 0, 1e6, "mean traffic", func(c *Config) *unit.PerSecond { return &c.Rate })),
		flag("noise", true, "draw traffic and start times from the seed; off: everything is its mean", func(c *Config) *bool { return &c.Noise }),
		flag("late_series", false, "series of an answer code appear with its first answer, as in real life", func(c *Config) *bool { return &c.LateSeries }),
		span("write_time", 4, 1, hour, "to write the compose file; the server is stopped meanwhile", func(c *Config) *int { return &c.WriteTime }),
		span("start_time", 25, 1, hour, "to stop and start the containers, 20 % more or less", func(c *Config) *int { return &c.StartTime }),
		span("stop_time", 10, 0, hour, "that a stopped container needs to hand its jobs over", func(c *Config) *int { return &c.StopTime }),
		whole("probe_sources", "nodes", 3, 1, 100, "of the load balancer, which probe in the same second", func(c *Config) *int { return &c.ProbeSources }),
		whole("probe_phase", "s", drawn, drawn, 299, "second of the interval in which the first target is probed, the others a third of it apart; -1: each at a time of its own", func(c *Config) *int { return &c.ProbePhase }),
		whole("watchdog_phase", "s", drawn, drawn, hour-1, "second of the interval in which the first watchdog checks, the others a third of it apart; -1: each at a time of its own", func(c *Config) *int { return &c.WatchdogPhase }),
		above(number("server_capacity", "requests/s", 80, 0, 1e6, "that a server serves at most", func(c *Config) *unit.PerSecond { return &c.Capacity })),
		requestTime(),
		number("jobs_per_minute", "jobs/min", 2, 0, 1000, "builds that begin on a server", func(c *Config) *float64 { return &c.JobRate }),
		jobTime(),
		number("objective", "", 0.999, 0.5, 0.999999, "of the availability SLO", func(c *Config) *unit.Ratio { return &c.Objective }),
		number("budget_remaining", "", 1, -1000, 1, "error budget of the month left at the start", func(c *Config) *float64 { return &c.Budget }),
	}
}

// drawn is the phase that the seed draws.
const drawn = -1

func requestTime() option {
	return option{
		Spec: schema.Spec{Name: "request_time", Kind: schema.Duration, Unit: "s", Min: 0.001, Max: 1, Step: 0.001, Default: schema.OfSeconds(0.040), Help: "mean time of a request to an idle server"},
		put:  func(c *Config, v schema.Value) { c.RequestTime = unit.Seconds(v.Float()) },
		get:  func(c *Config) schema.Value { return schema.OfSeconds(float64(c.RequestTime)) },
	}
}

func jobTime() option {
	return option{
		Spec: schema.Spec{Name: "job_time", Kind: schema.Duration, Unit: "s", Min: 1, Max: 3600, Default: schema.OfSeconds(60), Help: "mean time of a build, exponential"},
		put:  func(c *Config, v schema.Value) { c.JobTime = unit.Seconds(v.Float()) },
		get:  func(c *Config) schema.Value { return schema.OfSeconds(float64(c.JobTime)) },
	}
}

func live(o option) option {
	o.live = true
	return o
}

func above(o option) option {
	o.Above = true
	return o
}

func flag(name string, preset bool, help string, at func(*Config) *bool) option {
	return option{
		Spec: schema.Spec{Name: name, Kind: schema.Bool, Default: schema.OfBool(preset), Help: help},
		put:  func(c *Config, v schema.Value) { *at(c) = v.Bool() },
		get:  func(c *Config) schema.Value { return schema.OfBool(*at(c)) },
	}
}

func whole(name, of string, preset, low, high int, help string, at func(*Config) *int) option {
	return option{
		Spec: schema.Spec{Name: name, Kind: schema.Integer, Unit: of, Min: float64(low), Max: float64(high), Default: schema.OfInt(preset), Help: help},
		put:  func(c *Config, v schema.Value) { *at(c) = v.Int() },
		get:  func(c *Config) schema.Value { return schema.OfInt(*at(c)) },
	}
}

// span makes a key whose value is a time of whole seconds.
func span(name string, preset, low, high int, help string, at func(*Config) *int) option {
	return option{
		Spec: schema.Spec{Name: name, Kind: schema.Duration, Unit: "s", Min: float64(low), Max: float64(high), Step: 1,
			Default: schema.OfSeconds(float64(preset)), Help: help},
		put: func(c *Config, v schema.Value) { *at(c) = v.Int() },
		get: func(c *Config) schema.Value { return schema.OfSeconds(float64(*at(c))) },
	}
}

// number makes a key whose value is a number, called a ratio where its domain
// is 0..1 and it has no unit.
func number[T ~float64](name, of string, preset, low, high float64, help string, at func(*Config) *T) option {
	kind := schema.Number
	if of == "" && low >= 0 && high <= 1 {
		kind = schema.Ratio
	}
	return option{
		Spec: schema.Spec{Name: name, Kind: kind, Unit: of, Min: low, Max: high, Default: schema.OfNumber(preset), Help: help},
		put:  func(c *Config, v schema.Value) { *at(c) = T(v.Float()) },
		get:  func(c *Config) schema.Value { return schema.OfNumber(float64(*at(c))) },
	}
}

// ConfigSpecs returns the configuration keys in the order of the documents.
func ConfigSpecs() schema.Specs {
	var specs schema.Specs
	for _, o := range options() {
		specs = append(specs, o.Spec)
	}
	return specs
}

// NewConfig makes a configuration of parsed values; what is not given has its
// default. Every combination of them is a configuration: one that breaks a
// relation is what people practise on.
func NewConfig(values schema.Values) Config {
	var c Config
	for _, o := range options() {
		o.put(&c, values.Get(o.Name))
	}
	return c
}
