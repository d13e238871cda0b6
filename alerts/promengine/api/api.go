package api

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/exporter/series"
)

// Options say what an API answers from and how. Only Source has to be set.
type Options struct {
	// Source returns what a request is answered from. An error is answered with
	// 503; its text is shown.
	Source func(context.Context) (State, error)

	Interval      time.Duration // the step of a subquery that has none; 0 is a minute
	Lookback      time.Duration // how old the last sample of a series may be; 0 is five minutes
	Timeout       time.Duration // of a query; 0 is two minutes
	MaxSamples    int           // that a query may have in memory at once; 0 is 50 million
	MaxConcurrent int           // queries that run at once, others wait; 0 is 20
}

// Defaults of Prometheus.
const (
	defaultInterval      = time.Minute
	defaultLookback      = 5 * time.Minute
	defaultTimeout       = 2 * time.Minute
	defaultMaxSamples    = 50_000_000
	defaultMaxConcurrent = 20
)

func (o Options) withDefaults() Options {
	setDefault(&o.Interval, defaultInterval)
	setDefault(&o.Lookback, defaultLookback)
	setDefault(&o.Timeout, defaultTimeout)
	setDefault(&o.MaxSamples, defaultMaxSamples)
	setDefault(&o.MaxConcurrent, defaultMaxConcurrent)
	return o
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// State is what one request is answered from.
type State struct {
	Store  *promengine.Store
	Engine *promengine.Engine // nil where there are no rules
	Scrape Scrape

	Now  time.Time // on the clock of the samples
	Wall time.Time // at the same moment outside

	Config  string            // the text of prometheus.yml
	Flags   map[string]string // name to value
	Build   Build
	Runtime Runtime
}

// Scrape is where samples come from, as the lists of targets show it.
type Scrape struct {
	Targets  func() []promengine.TargetStatus // nil where there are none
	Pool     string                           // the name of the scrape configuration
	Interval time.Duration
	Timeout  time.Duration // 0 is as long as the interval

	// URL returns where a page of the target is found: the target is known by
	// its scheme, host and path. nil is http://instance/metrics.
	URL func(series.Labels) string
}

// Build says which program answers.
type Build struct {
	Version   string `json:"version"`
	Revision  string `json:"revision"`
	Branch    string `json:"branch"`
	User      string `json:"buildUser"`
	Date      string `json:"buildDate"`
	GoVersion string `json:"goVersion"`
}

// Runtime is how the program runs. Times are on the clock of the samples.
type Runtime struct {
	Start      time.Time     // of the run whose samples are in the store
	ConfigTime time.Time     // of the last load of the configuration
	Retention  time.Duration // of samples
	Directory  string        // the working directory
	Hostname   string
}

// API answers as Prometheus does. Its methods may be used at the same time.
type API struct {
	options Options
	engine  *promql.Engine
	parser  parser.Parser
}

// New returns an API over what the source has.
func New(options Options) *API {
	options = options.withDefaults()
	parse := parser.NewParser(parser.Options{})
	return &API{options: options, parser: parse, engine: promql.NewEngine(promql.EngineOpts{
		Logger:                   slog.New(slog.DiscardHandler),
		MaxSamples:               options.MaxSamples,
		Timeout:                  options.Timeout,
		ActiveQueryTracker:       make(gate, options.MaxConcurrent),
		LookbackDelta:            options.Lookback,
		NoStepSubqueryIntervalFn: func(int64) int64 { return options.Interval.Milliseconds() },
		EnableAtModifier:         true,
		EnableNegativeOffset:     true,
		Parser:                   parse,
	})}
}

// Handler returns a handler on the clock of the samples.
func (a *API) Handler() http.Handler { return &handler{api: a} }

// Shifted returns a handler on the wall clock.
func (a *API) Shifted() http.Handler { return &handler{api: a, shifted: true} }
