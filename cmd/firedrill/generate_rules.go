package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/alerts/slofile"
	"github.com/firedrill/firedrill/simulator/schema"
)

// generateRulesCmd writes alert rules and the configuration of the servers that
// evaluate and deliver them.
type generateRulesCmd struct {
	Speed          *speedFlag `placeholder:"N" help:"Simulated seconds per second of the clock that Prometheus lives on, 1 to 3600; without it the files of the repository are written."`
	SLO            string     `name:"slo" placeholder:"FILE" help:"In place of the shipped rules, those of the SLOs in this YAML file; speed 1 where none is given."`
	ScrapeInterval spanFlag   `placeholder:"D" help:"Scrape interval of that Prometheus: 15s at speed 1, else 1s where not given."`
	Runbooks       string     `placeholder:"URL" help:"What the names of the runbooks are appended to; the repository's where not given."`
	Discovery      string     `placeholder:"URL" help:"Where Prometheus finds firedrill's targets; that of the compose stack where not given."`
	Alertmanager   string     `placeholder:"HOST:PORT" help:"Where Prometheus finds Alertmanager; that of the compose stack where not given."`
	Webhook        string     `placeholder:"URL" help:"Where Alertmanager finds firedrill's pager; that of the compose stack where not given."`
	Out            string     `placeholder:"PATH" help:"Write to this folder in place of the repository's; with --slo, to this file in place of the standard output."`
	Check          bool       `help:"Write nothing; fail where a file is not what would be written."`
}

// Run writes or checks the files.
func (c *generateRulesCmd) Run(s streams) error {
	switch {
	case c.SLO != "":
		return c.slos(s)
	case c.Speed != nil:
		return c.stack(s, float64(*c.Speed), fmt.Sprintf(" --speed %g", *c.Speed))
	case *c != (generateRulesCmd{Check: c.Check}):
		return usageError{errors.New("say for which speed: --speed 60 is that of firedrill up, --speed 1 that of the Prometheus in it")}
	}
	for _, speed := range []float64{1, 60} {
		if err := c.stack(s, speed, ""); err != nil {
			return err
		}
	}
	return nil
}

// options are those of the flags at a speed.
func (c *generateRulesCmd) options(speed float64) (alerts.Options, error) {
	o := alerts.DefaultOptions(speed)
	if c.ScrapeInterval != 0 {
		o.ScrapeInterval = time.Duration(c.ScrapeInterval)
	}
	o.Runbooks = cmp.Or(c.Runbooks, o.Runbooks)
	o.Addresses.Discovery = cmp.Or(c.Discovery, o.Addresses.Discovery)
	o.Addresses.Alertmanager = cmp.Or(c.Alertmanager, o.Addresses.Alertmanager)
	o.Addresses.Webhook = cmp.Or(c.Webhook, o.Addresses.Webhook)
	if err := o.Validate(); err != nil {
		return o, usageError{err}
	}
	return o, nil
}

// stack writes the shipped rules and the configurations for a speed. Where a
// person has asked for it, with a flag, it says how to start the servers.
func (c *generateRulesCmd) stack(s streams, speed float64, flag string) error {
	o, err := c.options(speed)
	if err != nil {
		return err
	}
	files, err := alerts.Stack(o)
	if err != nil {
		return err
	}
	folder, command := fmt.Sprintf("alerts/gen/speed-%g", speed), "rules"+flag
	if c.Out != "" {
		folder, command = c.Out, command+" --out "+c.Out
	}
	for _, f := range files {
		g := generator{name: command, path: filepath.Join(folder, filepath.FromSlash(f.Path)), make: func() ([]byte, error) { return f.Data, nil }}
		if err := (output{Check: c.Check}).emit(s, g); err != nil {
			return err
		}
	}
	if flag == "" || c.Check {
		return nil
	}
	return explainFlags(s, o, folder)
}

// explainFlags says how the servers have to be started at another speed than 1,
// and that the flags are in files of the folder too.
func explainFlags(s streams, o alerts.Options, folder string) error {
	if o.Speed == 1 {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "At speed %g the servers need these flags:\n", o.Speed)
	for _, f := range o.Flags() {
		fmt.Fprintf(&b, "  %-12s %-42s %s\n", f.Server, f, f.Why)
	}
	fmt.Fprintf(&b, "or @%s and @%s, which hold them.\n", filepath.Join(folder, "prometheus.flags"), filepath.Join(folder, "alertmanager.flags"))
	_, err := s.err.Write([]byte(b.String()))
	return err
}

// slos writes the rules of an SLO file.
func (c *generateRulesCmd) slos(s streams) error {
	speed := 1.0
	if c.Speed != nil {
		speed = float64(*c.Speed)
	}
	o, err := c.options(speed)
	if err != nil {
		return err
	}
	out := output{Out: c.Out, Check: c.Check}
	if c.Out == "" {
		out.Out = "-"
	}
	if c.Check && out.Out == "-" {
		return usageError{errors.New("say which file is to be checked: --out FILE")}
	}
	return out.emit(s, generator{name: "rules --slo " + c.SLO, make: func() ([]byte, error) {
		data, err := readFile(c.SLO, s.in)
		if err != nil {
			return nil, err
		}
		slos, err := slofile.Parse(c.SLO, data)
		if err != nil {
			return nil, err
		}
		origin := filepath.Base(c.SLO)
		if c.SLO == "-" {
			origin = "the standard input"
		}
		return alerts.ForSLOs(o, origin, slos)
	}})
}

// spanFlag is a span of time of whole milliseconds; 0 where none is given.
type spanFlag time.Duration

// UnmarshalText reads a span.
func (f *spanFlag) UnmarshalText(text []byte) error {
	v, p := schema.Spec{Kind: schema.Duration, Min: 0.001, Max: 3600}.Parse(string(text))
	if p != nil {
		return *p
	}
	*f = spanFlag(v.Float() * float64(time.Second))
	return nil
}
