package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/firedrill/firedrill/exporter"
	"github.com/firedrill/firedrill/internal/admin"
	"github.com/firedrill/firedrill/internal/driver"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
	"github.com/firedrill/firedrill/simulator/schema"
	"github.com/firedrill/firedrill/simulator/unit"
)

// upCmd runs a scenario in accelerated time and serves its metrics and its API.
type upCmd struct {
	Scenario  string      `default:"calm" placeholder:"calm" help:"A built-in scenario (see firedrill scenario list), a YAML file, or - for the standard input."`
	Speed     speedFlag   `default:"60" placeholder:"60" help:"Simulated seconds per second, 1 to 3600."`
	Seed      seedFlag    `placeholder:"N" help:"Seed in place of the scenario's, 0 to 4294967295."`
	Start     startFlag   `default:"now" placeholder:"now" help:"When simulated time begins to pass: now, on-first-scrape, or manual (firedrill clock resume)."`
	Set       []setFlag   `sep:"none" placeholder:"SERVICE.KEY=VALUE" help:"Configuration in place of the scenario's; may be repeated."`
	Listen    addressFlag `default:"127.0.0.1:9464" placeholder:"127.0.0.1:9464" help:"Address of the metrics and of Prometheus' discovery."`
	Admin     addressFlag `default:"127.0.0.1:8080" placeholder:"127.0.0.1:8080" aliases:"admin-listen" help:"Address of the API."`
	Host      []hostFlag  `sep:"none" placeholder:"NAME" help:"Name or address under which the API is reached, besides localhost; may be repeated. Where none is given, any is accepted, but on a loopback address localhost alone."`
	WebConfig string      `placeholder:"FILE" help:"TLS and basic auth of both addresses: a web configuration file as Prometheus' exporters take it."`
	Reveal    bool        `help:"Tell the truth during a drill: what the scenario has in store and what really goes on."`

	Prometheus prometheusFlags `embed:""`
	Webhook    []webhookFlag   `sep:"none" placeholder:"URL" help:"Where to send the notifications of the Prometheus in the process as Alertmanager does, with times of the wall clock; may be repeated."`
}

// Help says what comes of it.
func (upCmd) Help() string {
	return `Time passes until an interrupt. Look at it with a Prometheus or curl, act on it
with firedrill do, start a drill with firedrill scenario start.`
}

// Run serves until ctx ends.
func (c *upCmd) Run(ctx context.Context, s streams) error {
	what, err := load(c.Scenario, s.in)
	if err != nil {
		return err
	}
	run, err := what.NewRun(scenario.Options{Seed: c.Seed.seed, Set: overrides(c.Set)})
	if err != nil {
		return unplaced(err)
	}
	d, err := driver.New(run, driver.Config{Speed: float64(c.Speed), Start: driver.StartMode(c.Start)})
	if err != nil {
		return err
	}
	web, err := readWebConfig(c.WebConfig)
	if err != nil {
		return err
	}
	monitoring, err := c.monitoring(s.err)
	if err != nil {
		return err
	}
	if monitoring == nil && len(c.Webhook) > 0 {
		return usageError{errors.New("--webhook: there is nothing to send with --no-prometheus: the Alertmanager elsewhere notifies whom you like")}
	}
	listeners, err := listen(c.Listen, c.Admin)
	if err != nil {
		return err
	}
	u, err := c.open(ctx, s, parts{scenario: what, run: run, driver: d, web: web, listeners: listeners, monitoring: monitoring})
	if err == nil {
		err = u.announce(s, c, run)
	}
	if err != nil {
		return errors.Join(err, listeners.close())
	}
	return u.serve(ctx, s)
}

// parts are what a running firedrill is made of.
type parts struct {
	scenario   *scenario.Scenario
	run        *scenario.Run
	driver     *admin.Driver
	web        webConfig
	listeners  listeners
	monitoring *monitoring // nil where there is no Prometheus in the process
}

// open puts the parts together. The Prometheus in the process has seen by then
// what was before.
func (c *upCmd) open(ctx context.Context, s streams, p parts) (*up, error) {
	log := slog.New(slog.NewTextHandler(s.err, &slog.HandlerOptions{Level: slog.LevelWarn}))
	home := p.web.url(p.listeners.admin.Addr())
	pages, sender := c.newPager(p.run, p.monitoring), newSender(c.Webhook, home, log)
	var e embedded
	if p.monitoring != nil {
		var err error
		if e, err = embed(ctx, *p.monitoring, p.driver, newDesk(pages, *p.monitoring, sender, home), p.run, p.web.url(p.listeners.metrics.Addr()), log); err != nil {
			return nil, err
		}
	}
	api := admin.New(admin.Config{
		Driver: p.driver, Pager: pages, Scenarios: c.playable(p.scenario), Reveal: c.Reveal, Loopback: isLoopback(p.listeners.admin.Addr()),
		Hosts: hosts(c.Host), Logger: log, Prometheus: e.handler, Prepare: e.prepare,
	})
	return &up{
		driver: p.driver, api: api, embedded: e, sender: sender, listeners: p.listeners, web: p.web, log: log, metrics: c.metrics(p.driver, log),
	}, nil
}

// playable lists the scenarios that the API can start: those that come with
// the program, and what was asked for, with what was set for it.
func (c *upCmd) playable(what *scenario.Scenario) []admin.Playable {
	chosen := admin.Playable{Scenario: what, Set: overrides(c.Set)}
	var all []admin.Playable
	for _, builtin := range scenario.Builtin() {
		all = append(all, admin.Playable{Scenario: builtin})
	}
	at := slices.IndexFunc(all, func(p admin.Playable) bool { return p.Name == what.Name })
	if at < 0 {
		return append(all, chosen)
	}
	all[at] = chosen
	return all
}

// metrics makes the handler of the metrics.
func (c *upCmd) metrics(d *admin.Driver, log *slog.Logger) http.Handler {
	process := prometheus.NewRegistry()
	process.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return exporter.New(exporter.Options{Source: source(d.Scrape), Inspect: source(d.Inspect), Now: time.Now, Build: build(), Process: process, Log: log})
}

// access gives a function the driver's run, at a moment between two seconds.
type access func(context.Context, func(driver.View[*scenario.Run])) error

// source shows the exporter the tick that is due now.
func source(at access) exporter.Source {
	return func(ctx context.Context) (snapshot *simulator.Snapshot, clock exporter.Clock, err error) {
		err = at(ctx, func(v driver.View[*scenario.Run]) {
			snapshot = v.Snapshot()
			clock = exporter.Clock{
				Run: v.Status.Run, Scenario: v.Run.Scenario().Name, Speed: v.Status.Speed, Paused: v.Status.Paused,
				Lag: unit.Seconds(v.Status.Lag),
			}
		})
		return snapshot, clock, err
	}
}

// speedFlag is how fast simulated time passes.
type speedFlag float64

// UnmarshalText reads a speed.
func (f *speedFlag) UnmarshalText(text []byte) error {
	v, p := driver.SpeedSpec().Parse(string(text))
	if p != nil {
		p.Field = ""
		return *p
	}
	*f = speedFlag(v.Float())
	return nil
}

// startFlag says when simulated time begins to pass.
type startFlag string

// UnmarshalText reads a mode of starting.
func (f *startFlag) UnmarshalText(text []byte) error {
	return enum((*string)(f), text, string(driver.StartNow), string(driver.StartOnFirstScrape), string(driver.StartManual))
}

// describeSpeed words a speed.
func describeSpeed(speed float64) string {
	if speed == 1 {
		return "simulated time passes as fast as yours"
	}
	return fmt.Sprintf("simulated time passes %g times as fast as yours: %s a second", speed, schema.FormatSeconds(speed))
}
