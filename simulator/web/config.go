package web

import (
	"github.com/firedrill/firedrill/simulator/schema"
	"github.com/firedrill/firedrill/simulator/unit"
)

// Queueing says which formulas give the waiting times.
type Queueing string

// The two ways of queueing.
const (
	Textbook Queueing = "textbook" // M/M/n without patience, timeouts cut off afterwards
	Exact    Queueing = "exact"    // M/M/n+D: callers give up after the timeout
)

// Config is the configuration of a web service. An operator changes some of
// it while the service runs; the snapshot shows what holds now.
type Config struct {
	Noise             bool           // draw traffic and errors; false: everything is its mean
	Queueing          Queueing       // which formulas give the waiting times
	BaseRate          unit.PerSecond // mean traffic over a day
	DailyAmplitude    unit.Ratio     // of the daily wave around the mean
	LateSeries        bool           // series of a code appear with its first answer
	LowPriority       unit.Ratio     // share of the traffic that may be shed
	Floor             int            // minimum of the fleet
	MaxInstances      int            // maximum of the fleet
	Serving           int            // instances at the start
	Autoscaler        bool           // false: the fleet is exactly the floor
	TargetUtilization unit.Ratio     // that the autoscaler tracks
	TTL               unit.Seconds   // life of a cached answer
	BootDelay         int            // minutes until an ordered instance serves
	Recommendations   bool           // the optional feature is on
	Shed              unit.Ratio     // share of the low-priority traffic that is rejected
	Budget            float64        // error budget left at the start, 1 = all of it; may be negative
	Warm              unit.Ratio     // share of the cache that is filled at the start
	BadBuildRamp      int            // minutes until a bad build has all traffic
	BaselineErrors    unit.Ratio     // errors that are always there
	BlipsPerDay       float64        // mean number of minutes a day with 1 % errors
	Workers           int            // of an instance
	AppTime           unit.Seconds   // of the application per request
	FeatureTime       unit.Seconds   // more of it with the recommendations on
	QueriesPerRequest float64        // without the recommendations, which add one
	DatabaseCapacity  unit.PerSecond // queries
	QueryTime         unit.Seconds   // of an idle database
	Objects           float64        // number of objects that can be cached
	RefillTime        unit.Seconds   // time constant of the cache's warming up
	Timeout           unit.Seconds   // after which a waiting caller gives up
	InstancePrice     unit.Dollars   // an hour
	Objective         unit.Ratio     // of the availability SLO
}

// Limits of the fleet.
const (
	maxInstances = 1000
	minute       = 60 // seconds, the step of times that count in whole minutes
)

// option is one configuration key: its spec and where its value goes.
type option struct {
	schema.Spec
	live bool // an operator may change it with set
	put  func(*Config, schema.Value)
	get  func(*Config) schema.Value
}

// options lists all configuration keys.
func options() []option {
	const hour, day = 3600, 86400
	return []option{
		flag("noise", true, "draw traffic and errors from the seed; off: everything is its mean", func(c *Config) *bool { return &c.Noise }),
		{Spec: schema.Spec{Name: "queueing", Kind: schema.Enum, Options: []string{string(Textbook), string(Exact)}, Default: schema.OfText(string(Exact)),
			Help: "formulas of the waiting times: textbook (M/M/n) or exact (M/M/n+D, callers give up)"},
			put: func(c *Config, v schema.Value) { c.Queueing = Queueing(v.Text()) },
			get: func(c *Config) schema.Value { return schema.OfText(string(c.Queueing)) }},
		number("base_rate", "requests/s", 900, 0, 1e6, "mean traffic over a day", func(c *Config) *unit.PerSecond { return &c.BaseRate }),
		number("daily_amplitude", "", 0.25, 0, 1, "amplitude of the daily wave, highest at 12:00", func(c *Config) *unit.Ratio { return &c.DailyAmplitude }),
		flag("late_series", false, "series of an answer code appear with its first answer, as in real life", func(c *Config) *bool { return &c.LateSeries }),
		number("low_priority_ratio", "", 0.30, 0, 1, "share of the traffic that may be shed", func(c *Config) *unit.Ratio { return &c.LowPriority }),
		live(whole("floor", "instances", 10, 1, maxInstances, "minimum of the fleet", func(c *Config) *int { return &c.Floor })),
		whole("max_instances", "instances", 40, 1, maxInstances, "maximum of the fleet", func(c *Config) *int { return &c.MaxInstances }),
		whole("serving", "instances", 0, 0, maxInstances, "instances at the start; the floor where not given", func(c *Config) *int { return &c.Serving }),
		live(flag("autoscaler", true, "track the target utilization; off: the fleet is exactly the floor", func(c *Config) *bool { return &c.Autoscaler })),
		live(number("target_utilization", "", 0.60, 0.1, 1, "that the autoscaler tracks; lower is more headroom and more cost", func(c *Config) *unit.Ratio { return &c.TargetUtilization })),
		live(span("ttl", 60, 1, hour, 1, "life of a cached answer; longer is more hits and older answers", func(c *Config) *unit.Seconds { return &c.TTL })),
		minutes("boot_delay", 3, 1, 24*60, "from ordering an instance to its serving", func(c *Config) *int { return &c.BootDelay }),
		live(flag("recommendations", true, "the optional feature: +20 ms and one query more per request", func(c *Config) *bool { return &c.Recommendations })),
		live(number("shed", "", 0, 0, 1, "share of the low-priority traffic that is rejected with 429", func(c *Config) *unit.Ratio { return &c.Shed })),
		number("budget_remaining", "", 1, -1000, 1, "error budget of the month left at the start", func(c *Config) *float64 { return &c.Budget }),
		number("warm", "", 1, 0, 1, "share of the cache that is filled at the start", func(c *Config) *unit.Ratio { return &c.Warm }),
		minutes("bad_build_ramp", 5, 1, 24*60, "until a bad build has all traffic", func(c *Config) *int { return &c.BadBuildRamp }),
		number("baseline_error_ratio", "", 0, 0, 1, "errors that are always there", func(c *Config) *unit.Ratio { return &c.BaselineErrors }),
		number("blips_per_day", "minutes/day", 0, 0, 1440, "mean number of minutes with 1 % errors, at random times", func(c *Config) *float64 { return &c.BlipsPerDay }),
		whole("workers_per_instance", "workers", 16, 1, 10000, "requests that an instance handles at once", func(c *Config) *int { return &c.Workers }),
		span("app_time", 0.050, 0.001, 60, 0.001, "time of the application per request", func(c *Config) *unit.Seconds { return &c.AppTime }),
		span("feature_time", 0.020, 0, 60, 0.001, "more of it with the recommendations on", func(c *Config) *unit.Seconds { return &c.FeatureTime }),
		number("queries_per_request", "queries", 2, 0, 1000, "without the recommendations, which add one", func(c *Config) *float64 { return &c.QueriesPerRequest }),
		above(number("database_capacity", "queries/s", 4000, 0, 1e7, "of the database", func(c *Config) *unit.PerSecond { return &c.DatabaseCapacity })),
		span("query_time", 0.005, 0.001, 0.25, 0.001, "of a query to an idle database", func(c *Config) *unit.Seconds { return &c.QueryTime }),
		above(number("objects", "objects", 20000, 0, 1e12, "number of objects that can be cached", func(c *Config) *float64 { return &c.Objects })),
		span("refill_time", 1800, 1, day, 1, "time constant of the cache's warming up", func(c *Config) *unit.Seconds { return &c.RefillTime }),
		span("timeout", 2, 0.1, 60, 0.001, "after which a waiting caller gives up", func(c *Config) *unit.Seconds { return &c.Timeout }),
		number("instance_price", "$/h", 0.40, 0, 1e6, "of an instance that serves or boots", func(c *Config) *unit.Dollars { return &c.InstancePrice }),
		number("objective", "", 0.999, 0.5, 0.999999, "of the availability SLO", func(c *Config) *unit.Ratio { return &c.Objective }),
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

func span(name string, preset, low, high, step float64, help string, at func(*Config) *unit.Seconds) option {
	return option{
		Spec: schema.Spec{Name: name, Kind: schema.Duration, Unit: "s", Min: low, Max: high, Step: step, Default: schema.OfSeconds(preset), Help: help},
		put:  func(c *Config, v schema.Value) { *at(c) = unit.Seconds(v.Float()) },
		get:  func(c *Config) schema.Value { return schema.OfSeconds(float64(*at(c))) },
	}
}

// minutes makes a key whose value is a span of whole minutes, kept as their
// number.
func minutes(name string, preset, low, high int, help string, at func(*Config) *int) option {
	return option{
		Spec: schema.Spec{Name: name, Kind: schema.Duration, Unit: "s", Min: float64(low * minute), Max: float64(high * minute), Step: minute,
			Default: schema.OfSeconds(float64(preset * minute)), Help: help},
		put: func(c *Config, v schema.Value) { *at(c) = v.Int() / minute },
		get: func(c *Config) schema.Value { return schema.OfSeconds(float64(*at(c) * minute)) },
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
// default.
func NewConfig(values schema.Values) Config {
	var c Config
	for _, o := range options() {
		o.put(&c, values.Get(o.Name))
	}
	if c.Serving == 0 {
		c.Serving = c.Floor
	}
	return c
}

// Validate reports what keys say together that they could not say alone.
func (c Config) Validate() schema.Problems {
	var problems schema.Problems
	atMost := func(field string, value int) {
		if value > c.MaxInstances {
			problems = append(problems, schema.Problem{Field: field, Value: schema.OfInt(value).String(), Message: "is above max_instances",
				Allowed: "at most " + schema.OfInt(c.MaxInstances).String()})
		}
	}
	atMost("floor", c.Floor)
	if c.Serving != c.Floor {
		atMost("serving", c.Serving)
	}
	return problems
}
