package cdn

import (
	"github.com/firedrill/firedrill/simulator/schema"
	"github.com/firedrill/firedrill/simulator/unit"
)

// Algorithm names a balancer.
type Algorithm string

// The balancers.
const (
	ByPiecewise Algorithm = "piecewise"
	ByDamped    Algorithm = "damped"
	ByPID       Algorithm = "pid"
)

// Gauge names a measurement of a link's load.
type Gauge string

// The two gauges.
const (
	ByDevice  Gauge = "device"  // the network device's: a mean of a minute, once a minute
	BySenders Gauge = "senders" // the senders' byte counters: every 10 s, but not everything
)

// Routing says how players find their link.
type Routing string

// The two ways.
const (
	Playlist Routing = "playlist" // the playlist names the host, players can be moved
	Anycast  Routing = "anycast"  // routes decide: the first candidate that is announced
)

// Content is a kind of session, by what is watched.
type Content uint8

// The kinds.
const (
	Live Content = iota
	VOD
	Lesson
	Concert
	Contents
)

// String returns the kind as configurations and metrics name it.
func (k Content) String() string { return [...]string{"live", "vod", "lesson", "concert"}[k] }

// bufferSize is the most that a player of the kind keeps, in seconds.
func (k Content) bufferSize() float64 { return [...]float64{6, 30, 20, 10}[k] }

// Rungs is the number of bitrates that a player chooses from.
const Rungs = 3

// topRung is the highest bitrate, at which every player starts.
const topRung = Rungs - 1

// Bitrate returns the bitrate of a rung of the ladder, the lowest first.
func Bitrate(rung int) unit.BitsPerSecond {
	return [...]unit.BitsPerSecond{1e6, 2.5e6, 4.5e6}[rung]
}

// Config is the configuration of a CDN. An operator changes some of it while
// the service runs; the snapshot shows what holds now.
type Config struct {
	Topology      string             // two-links or large, where the scenario has none of its own
	TopologySeed  int                // of the large one
	Demand        unit.BitsPerSecond // traffic that players ask for, mean over a day at the start
	DailyAmp      unit.Ratio         // of the daily wave around the mean
	DailyGrowth   unit.Ratio         // of the demand, a day
	Shares        [Contents]float64  // of the demand, relative to each other
	Durations     [Contents]unit.Seconds
	HitRatios     [Contents]unit.Ratio // of the sites' caches
	Movable       unit.Ratio           // share of the players that can be moved
	Segment       unit.Seconds
	AccessRate    unit.BitsPerSecond // median of what a user's own line carries
	ABR           bool               // players change their bitrate
	LearnWeights  bool               // weights follow what is measured
	FarCapacity   unit.BitsPerSecond // of the far site; 0 for unlimited
	FarDelay      unit.Seconds       // round-trip time to the far site
	Routing       Routing
	Algorithm     Algorithm
	Gauge         Gauge
	Stagger       bool    // the devices publish at different seconds
	Target        float64 // load that a PID aims at
	Slowdown      Curve
	Drop          Curve
	PID           PID
	RebufferLimit unit.Ratio // share of the viewing that may stall
	LossLimit     unit.Ratio // share of the traffic on the links that may be lost
}

// option is one configuration key: its spec and where its value goes.
type option struct {
	schema.Spec
	live bool // an operator may change it with set
	put  func(*Config, schema.Value)
	get  func(*Config) schema.Value
}

// options lists all configuration keys.
func options() []option {
	all := []option{
		choice("topology", []string{"two-links", "large"}, "what there is, unless the service has a topology of its own", func(c *Config) *string { return &c.Topology }),
		{Spec: schema.Spec{Name: "topology_seed", Kind: schema.Integer, Min: 1, Max: 1e6, Default: schema.OfInt(1), Help: "what the large topology is generated from"},
			put: func(c *Config, v schema.Value) { c.TopologySeed = v.Int() }, get: func(c *Config) schema.Value { return schema.OfInt(c.TopologySeed) }},
		rate("demand", "Gbit/s", gigabit, 80, 1e5, "traffic that players ask for at the start, mean over a day", func(c *Config) *unit.BitsPerSecond { return &c.Demand }),
		number("daily_amplitude", "", 0, 0, 1, "amplitude of the daily wave, highest at 21:00", func(c *Config) *unit.Ratio { return &c.DailyAmp }),
		number("daily_growth", "", 0, 0, 1, "growth of the demand in a day", func(c *Config) *unit.Ratio { return &c.DailyGrowth }),
	}
	for kind := range Contents {
		all = append(all, kindOptions(kind)...)
	}
	return append(append(all, playerOptions()...), balancerOptions()...)
}

// kindOptions are the keys of one kind of session.
func kindOptions(kind Content) []option {
	share, hits := [...]float64{0.6, 0.4, 0, 0}[kind], [...]float64{0.99, 0.85, 0.95, 0.99}[kind]
	return []option{
		number(kind.String()+"_share", "", share, 0, 1000, "part of the demand, relative to the other kinds", func(c *Config) *float64 { return &c.Shares[kind] }),
		span(kind.String()+"_duration", 300, 1, 86400, 1, "mean duration of a session", func(c *Config) *unit.Seconds { return &c.Durations[kind] }),
		number(kind.String()+"_hit_ratio", "", hits, 0, 1, "share of the traffic that the sites' caches have", func(c *Config) *unit.Ratio { return &c.HitRatios[kind] }),
	}
}

func playerOptions() []option {
	return []option{
		number("movable_ratio", "", 0.9, 0, 1, "share of the players that can be moved", func(c *Config) *unit.Ratio { return &c.Movable }),
		span("segment", 4, 2, 10, 1, "length of a segment; players are moved at its end", func(c *Config) *unit.Seconds { return &c.Segment }),
		above(rate("access_rate", "Mbit/s", 1e6, 20, 1e5, "median of what a user's own line carries", func(c *Config) *unit.BitsPerSecond { return &c.AccessRate })),
		live(onOff("abr", true, "players step down to a lower bitrate where their buffer runs low", func(c *Config) *bool { return &c.ABR })),
		rate("far_capacity", "Gbit/s", gigabit, 0, 1e5, "of the far site, which takes what no link does; 0 for unlimited", func(c *Config) *unit.BitsPerSecond { return &c.FarCapacity }),
		span("far_delay", 0.12, 0, 2, 0.001, "round-trip time to the far site", func(c *Config) *unit.Seconds { return &c.FarDelay }),
		number("rebuffer_limit", "", 0.001, 0, 1, "share of the viewing that may stall before users suffer", func(c *Config) *unit.Ratio { return &c.RebufferLimit }),
		number("loss_limit", "", 0.005, 0, 1, "share of the traffic on the links that may be lost before users suffer", func(c *Config) *unit.Ratio { return &c.LossLimit }),
	}
}

func balancerOptions() []option {
	return []option{
		live(choice("routing", []string{string(Playlist), string(Anycast)}, "how players find their link: the playlist names it, or routes decide", func(c *Config) *Routing { return &c.Routing })),
		live(choice("algorithm", []string{string(ByPiecewise), string(ByDamped), string(ByPID)}, "of the balancer", func(c *Config) *Algorithm { return &c.Algorithm })),
		live(choice("gauge", []string{string(ByDevice), string(BySenders)}, "which measurement of the load the balancer looks at", func(c *Config) *Gauge { return &c.Gauge })),
		live(onOff("stagger", false, "the devices publish spread over the minute; off: all in the same second", func(c *Config) *bool { return &c.Stagger })),
		live(number("target", "", 0.85, 0.1, 2, "load that the pid aims at, where a link has no own", func(c *Config) *float64 { return &c.Target })),
		live(curve("slowdown_points", "0.75:0 0.85:1", "share of new sessions refused by load: points load:share, piecewise linear", func(c *Config) *Curve { return &c.Slowdown })),
		live(curve("drop_points", "0.85:0 0.95:0.1", "share of movable sessions that leave in 10 s by load: points load:share", func(c *Config) *Curve { return &c.Drop })),
		live(number("kp", "", 1.2, 0, 100, "of the pid: proportional", func(c *Config) *float64 { return &c.PID.KP })),
		live(number("ki", "1/s", 0.01, 0, 10, "of the pid: integral", func(c *Config) *float64 { return &c.PID.KI })),
		live(number("kd", "s", 0, 0, 1000, "of the pid: derivative", func(c *Config) *float64 { return &c.PID.KD })),
		onOff("learn_weights", true, "every 10 minutes weights follow the measured round-trip times and throughputs", func(c *Config) *bool { return &c.LearnWeights }),
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

func choice[T ~string](name string, options []string, help string, at func(*Config) *T) option {
	return option{
		Spec: schema.Spec{Name: name, Kind: schema.Enum, Options: options, Default: schema.OfText(options[0]), Help: help},
		put:  func(c *Config, v schema.Value) { *at(c) = T(v.Text()) },
		get:  func(c *Config) schema.Value { return schema.OfText(string(*at(c))) },
	}
}

func onOff(name string, preset bool, help string, at func(*Config) *bool) option {
	return option{
		Spec: schema.Spec{Name: name, Kind: schema.Bool, Default: schema.OfBool(preset), Help: help},
		put:  func(c *Config, v schema.Value) { *at(c) = v.Bool() },
		get:  func(c *Config) schema.Value { return schema.OfBool(*at(c)) },
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

// rate makes a key whose value is a rate of traffic in multiples of a unit.
func rate(name, of string, size, preset, high float64, help string, at func(*Config) *unit.BitsPerSecond) option {
	return option{
		Spec: schema.Spec{Name: name, Kind: schema.Number, Unit: of, Max: high, Default: schema.OfNumber(preset), Help: help},
		put:  func(c *Config, v schema.Value) { *at(c) = unit.BitsPerSecond(v.Float() * size) },
		get:  func(c *Config) schema.Value { return schema.OfNumber(float64(*at(c)) / size) },
	}
}

func span(name string, preset, low, high, step float64, help string, at func(*Config) *unit.Seconds) option {
	return option{
		Spec: schema.Spec{Name: name, Kind: schema.Duration, Unit: "s", Min: low, Max: high, Step: step, Default: schema.OfSeconds(preset), Help: help},
		put:  func(c *Config, v schema.Value) { *at(c) = unit.Seconds(v.Float()) },
		get:  func(c *Config) schema.Value { return schema.OfSeconds(float64(*at(c))) },
	}
}

// curve makes a key whose value is a curve, which checkCurves has accepted.
func curve(name, preset, help string, at func(*Config) *Curve) option {
	return option{
		Spec: schema.Spec{Name: name, Kind: schema.Text, Default: schema.OfText(preset), Help: help},
		put: func(c *Config, v schema.Value) {
			if read, err := ParseCurve(v.Text()); err == nil {
				*at(c) = read
			}
		},
		get: func(c *Config) schema.Value { return schema.OfText(at(c).String()) },
	}
}

// checkCurves reports the curves among the values that are none.
func checkCurves(values schema.Values, names ...string) schema.Problems {
	var problems schema.Problems
	for _, name := range names {
		if _, err := ParseCurve(values.Get(name).Text()); err != nil {
			problems = append(problems, schema.Problem{Field: name, Value: values.Get(name).Text(), Message: err.Error(),
				Allowed: "points load:share from left to right, for example 0.75:0 0.85:1"})
		}
	}
	return problems
}

// curveNames are the keys that hold curves.
func curveNames() []string { return []string{"slowdown_points", "drop_points"} }

// ConfigSpecs returns the configuration keys in the order of the documents.
func ConfigSpecs() schema.Specs {
	var specs schema.Specs
	for _, o := range options() {
		specs = append(specs, o.Spec)
	}
	return specs
}

// NewConfig makes a configuration of parsed values; what is not given has its
// default. It fails on a curve that is none.
func NewConfig(values schema.Values) (Config, error) {
	if problems := checkCurves(values, curveNames()...); len(problems) > 0 {
		return Config{}, problems
	}
	var c Config
	for _, o := range options() {
		o.put(&c, values.Get(o.Name))
	}
	return c, nil
}

// Validate reports what keys say together that they could not say alone.
func (c Config) Validate() schema.Problems {
	sum, rate := 0.0, 0.0
	for kind, share := range c.Shares {
		sum += share
		rate += share / float64(c.Durations[kind])
	}
	if sum == 0 {
		return schema.Problems{{Field: Live.String() + "_share", Value: "0", Message: "is 0, as are the shares of all other kinds", Allowed: "one share above 0"}}
	}
	sessions := float64(c.Demand) / float64(Bitrate(topRung))
	if sessions > maxSessions || sessions/sum*rate > maxArrivals {
		return schema.Problems{{Field: "demand", Value: schema.OfNumber(float64(c.Demand) / gigabit).String(),
			Message: "makes too many sessions", Allowed: "at most 4 million at once and 100000 new ones a second"}}
	}
	return nil
}

// Bounds of what is simulated.
const (
	maxSessions = 4e6
	maxArrivals = 1e5
	maxTraffic  = 16 // times the demand at the start: surges and growth reach no further
)

// balancer makes the balancer of the configuration.
func (c *Config) balancer() Balancer {
	curves := Piecewise{c.Slowdown, c.Drop}
	switch c.Algorithm {
	case ByDamped:
		return Damped{curves}
	case ByPID:
		return c.PID
	}
	return curves
}

// arrivals returns how many sessions of a kind start in a second where the
// demand is that of the configuration.
//
//	λ = demand·share/Σ share / (bitrate·duration)
//
// where bitrate is the highest one. Test: TestDemand.
func (c *Config) arrivals(kind Content) float64 {
	sum := 0.0
	for _, share := range c.Shares {
		sum += share
	}
	return float64(c.Demand) * c.Shares[kind] / sum / float64(Bitrate(topRung)) / max(1, float64(c.Durations[kind]))
}
