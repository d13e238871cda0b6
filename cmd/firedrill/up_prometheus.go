package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/alerts/promconfig"
	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/alerts/watch"
	"github.com/firedrill/firedrill/exporter"
	"github.com/firedrill/firedrill/simulator"
)

// prometheusFlags say what the Prometheus in the process does.
type prometheusFlags struct {
	NoPrometheus     bool       `help:"Run no Prometheus in the process: somebody else's scrapes and pages."`
	PrometheusClock  clockFlag  `default:"simulated" placeholder:"simulated" help:"Its clock: simulated, on which rules are right as they are at any speed, or wall, on which it lives as a Prometheus elsewhere does and the shipped rules are made for --speed."`
	Rules            []string   `sep:"none" placeholder:"GLOB" help:"Your own rule files, as they are, besides the shipped ones; may be repeated."`
	NoShippedRules   bool       `help:"Leave the shipped rules out."`
	Page             pageFlag   `default:"severity=~\"page|critical\"" placeholder:"MATCHERS" help:"Labels of alerts that call somebody: ${default}. Others are tickets or notices where their severity is ticket or warning, and go nowhere else."`
	Config           string     `placeholder:"FILE" help:"A prometheus.yml that says the intervals, the external labels, and more rule files; its other sections do not matter here. Without it scrapes are every 15s and evaluations every 30s (on the wall clock: 1s, and 30s of simulated time)."`
	PrometheusMemory memoryFlag `default:"512" placeholder:"MIB" help:"How much memory its samples may take, 16 to 65536 MiB. Rules that look back too far for that are refused."`
	History          warmUpFlag `default:"6h" placeholder:"6h" help:"How much it has seen before the start, on the simulated clock; 0s is nothing."`
}

// clockFlag is the clock that the Prometheus in the process lives on.
type clockFlag string

// The clocks.
const (
	simulatedClock clockFlag = "simulated"
	wallClock      clockFlag = "wall"
)

// UnmarshalText reads the name of a clock.
func (f *clockFlag) UnmarshalText(text []byte) error {
	return enum((*string)(f), text, string(simulatedClock), string(wallClock))
}

// memoryFlag is an amount of memory in MiB.
type memoryFlag int

// UnmarshalText reads the amount.
func (f *memoryFlag) UnmarshalText(text []byte) error { return wholeNumber((*int)(f), text, 16, 65536) }

const mebibyte = 1 << 20

// monitoring is what the Prometheus in the process shall do, and the pager that
// hears of its alerts.
type monitoring struct {
	watch   watch.Options
	config  string // text of the configuration
	policy  alerts.Policy
	wall    bool
	history simulator.Tick
}

// monitoring reads rules and configuration; nil where there is to be no
// Prometheus. It warns of what is probably not meant.
func (c *upCmd) monitoring(warn io.Writer) (*monitoring, error) {
	f := &c.Prometheus
	if f.NoPrometheus {
		return nil, nil
	}
	m := &monitoring{wall: f.PrometheusClock == wallClock, history: simulator.Tick(f.History)}
	speed := 1.0
	if m.wall {
		speed = float64(c.Speed)
	}
	shipped := alerts.DefaultOptions(speed)
	config, err := f.config(shipped)
	if err != nil {
		return nil, err
	}
	if !m.wall && config.ScrapeInterval%time.Second != 0 {
		return nil, config.Problem("global.scrape_interval", config.ScrapeInterval.String(),
			"is no whole number of seconds, in which simulated time passes", "1s and multiples of it; with --prometheus-clock wall any span")
	}
	shipped.ScrapeInterval = config.ScrapeInterval
	m.policy, m.config = shipped.Policy(), config.Text
	m.watch = watch.Options{Scrape: config.ScrapeInterval, Natives: true, Engine: f.engine(shipped, config)}
	m.watch.Rules, err = f.rules(shipped, config, warn)
	return m, err
}

// engine returns the options of the rules.
func (f *prometheusFlags) engine(shipped alerts.Options, config promconfig.Config) promengine.Options {
	return promengine.Options{
		Interval: config.EvaluationInterval, QueryOffset: config.RuleQueryOffset, ExternalLabels: config.ExternalLabels,
		Lookback: shipped.Lookback(),
		Memory:   promengine.Memory{Limit: int64(f.PrometheusMemory) * mebibyte, Scrape: config.ScrapeInterval},
	}
}

// config reads the configuration or, where there is none, returns what the
// shipped rules are made for.
func (f *prometheusFlags) config(shipped alerts.Options) (promconfig.Config, error) {
	if f.Config == "" {
		return promconfig.Config{ScrapeInterval: shipped.ScrapeInterval, EvaluationInterval: shipped.EvaluationInterval()}, nil
	}
	text, err := readFile(f.Config, nil)
	if err != nil {
		return promconfig.Config{}, fmt.Errorf("read configuration of Prometheus: %w", err)
	}
	return promconfig.Parse(f.Config, text, os.Getenv)
}

// shippedFolder is where shipped rule files are, for people who read their names.
const shippedFolder = "firedrill/"

// rules returns the rule files, the shipped ones first.
func (f *prometheusFlags) rules(shipped alerts.Options, config promconfig.Config, warn io.Writer) ([]promengine.Source, error) {
	var all []promengine.Source
	if !f.NoShippedRules {
		files, err := alerts.Rules(shipped)
		if err != nil {
			return nil, usageError{err}
		}
		for _, file := range files {
			all = append(all, promengine.Source{Name: shippedFolder + file.Path, Text: file.Data})
		}
	}
	own, err := readRules(append(f.configured(config, warn), f.Rules...))
	if err != nil {
		return nil, usageError{err}
	}
	return append(all, own...), nil
}

// configured returns the patterns of the configuration that match any file: to
// Prometheus it is no error that one matches none.
func (f *prometheusFlags) configured(config promconfig.Config, warn io.Writer) []string {
	var patterns []string
	for _, p := range config.RuleFiles {
		if names, err := filepath.Glob(p.Glob); err == nil && len(names) == 0 {
			fmt.Fprintf(warn, "firedrill: warning: %s:%d: rule_files: no file is called %s\n", f.Config, p.Line, p.Glob)
			continue
		}
		patterns = append(patterns, p.Glob)
	}
	return patterns
}

// fit says how many series the rules are about, so that those that look back too
// far for the memory are refused.
func (m monitoring) fit(ctx context.Context, source exporter.Source) (watch.Options, error) {
	o := m.watch
	var err error
	o.Engine.Memory.Series, err = watch.Series(ctx, source)
	return o, err
}

// refusedRules says of an error about rules that the command line names the
// wrong ones.
func refusedRules(err error) error {
	if err == nil || errors.As(err, new(usageError)) {
		return err
	}
	return usageError{err}
}
