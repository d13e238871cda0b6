package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/firedrill/firedrill/dashboards"
)

// generateDashboardsCmd writes Grafana dashboards.
type generateDashboardsCmd struct {
	Speed          *speedFlag `placeholder:"N" help:"Simulated seconds per second of the clock that Prometheus lives on, 1 to 3600; without it the files of the repository are written."`
	ScrapeInterval spanFlag   `placeholder:"D" help:"Scrape interval of that Prometheus: 15s at speed 1, else 1s where not given."`
	Runbooks       string     `placeholder:"URL" help:"What the names of the runbooks are appended to; the repository's where not given."`
	Out            string     `placeholder:"DIR" help:"Write to this folder in place of the repository's."`
	Check          bool       `help:"Write nothing; fail where a file is not what would be written."`
}

// Run writes or checks the files.
func (c *generateDashboardsCmd) Run(s streams) error {
	if c.Speed != nil {
		return c.write(s, float64(*c.Speed), fmt.Sprintf(" --speed %g", *c.Speed))
	}
	if *c != (generateDashboardsCmd{Check: c.Check}) {
		return usageError{errors.New("say for which speed: --speed 60 is that of firedrill up, --speed 1 that of the Prometheus in it")}
	}
	for _, speed := range []float64{1, 60} {
		if err := c.write(s, speed, ""); err != nil {
			return err
		}
	}
	return nil
}

// write writes the dashboards for a speed, which a person has asked for with a
// flag, or nobody.
func (c *generateDashboardsCmd) write(s streams, speed float64, flag string) error {
	o := dashboards.DefaultOptions(speed)
	if c.ScrapeInterval != 0 {
		o.ScrapeInterval = time.Duration(c.ScrapeInterval)
	}
	o.Runbooks = cmp.Or(c.Runbooks, o.Runbooks)
	if err := o.Validate(); err != nil {
		return usageError{err}
	}
	files, err := dashboards.All(o)
	if err != nil {
		return err
	}
	folder, command := fmt.Sprintf("dashboards/gen/speed-%g", speed), "dashboards"+flag
	if c.Out != "" {
		folder, command = c.Out, command+" --out "+c.Out
	}
	for _, f := range files {
		g := generator{name: command, path: filepath.Join(folder, f.Name), make: func() ([]byte, error) { return f.Data, nil }}
		if err := (output{Check: c.Check}).emit(s, g); err != nil {
			return err
		}
	}
	return nil
}
