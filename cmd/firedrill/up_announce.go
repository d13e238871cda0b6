package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/firedrill/firedrill/internal/admin"
	"github.com/firedrill/firedrill/internal/driver"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// firstDrill is the scenario that somebody who has only seen a calm one should
// start next.
const firstDrill = "bad-deploy"

// announce says where what is and what to try next.
func (u *up) announce(s streams, c *upCmd, run *scenario.Run) error {
	u.warn(s.err, c)
	what := run.Scenario()
	w := bufio.NewWriter(s.out)
	c.beginning(run).write(w)
	u.announcePlaces(w)
	u.announcePrometheus(w)
	u.announceNext(w, what)
	fmt.Fprintf(w, "\n%s; an interrupt (Ctrl-C) stops it\n", readiness(c.Start))
	return w.Flush()
}

// beginning is what the operator knows when the first run begins.
func (c *upCmd) beginning(run *scenario.Run) beginning {
	what := run.Scenario()
	b := beginning{
		name: what.Name, title: what.Title, briefing: what.Briefing, start: what.Start, seed: run.Seed(),
		duration: what.Duration, pace: describeSpeed(float64(c.Speed)),
	}
	if what.Speed != int(c.Speed) {
		b.hint = fmt.Sprintf("(its author suggests --speed %d)", what.Speed)
	}
	for _, goal := range what.Goals {
		b.goals = append(b.goals, goal.Title)
	}
	return b
}

// readiness says whether time passes.
func readiness(start startFlag) string {
	switch driver.StartMode(start) {
	case driver.StartManual:
		return "ready: simulated time stands still until " + program() + " clock resume"
	case driver.StartOnFirstScrape:
		return "ready: simulated time waits for the first scrape"
	}
	return "ready: simulated time passes"
}

func (u *up) announcePlaces(w io.Writer) {
	metrics, api := u.web.url(u.listeners.metrics.Addr()), u.web.url(u.listeners.admin.Addr())
	fmt.Fprintln(w, "\nWhere is what")
	places := [][]string{
		{"metrics", metrics + "/metrics", "everything in one page"},
		{"targets", metrics + "/sd", "each pod on its own, for Prometheus"},
		{"API", api + "/api/v1", "described by " + api + "/openapi.json"},
	}
	if e := u.embedded; e.handler != nil {
		places = append(places, []string{"Prometheus", api + admin.PrometheusBase, e.describe()}, []string{"pager", api + "/api/v1/pages", "whom its alerts call, and for what"})
	}
	tabulate(w, places)
}

// announcePrometheus shows the part of a prometheus.yml that watches it.
func (u *up) announcePrometheus(w io.Writer) {
	metrics := u.web.url(u.listeners.metrics.Addr())
	fmt.Fprintf(w, `
In a prometheus.yml
  scrape_configs:
    - job_name: firedrill
      scrape_interval: 1s
      http_sd_configs:
        - url: %s/sd
          refresh_interval: 1s
`, metrics)
}

// announceNext proposes what to do.
func (u *up) announceNext(w io.Writer, what *scenario.Scenario) {
	fmt.Fprintln(w, "\nTry in another terminal")
	api := u.web.url(u.listeners.admin.Addr())
	if api != defaultURL {
		fmt.Fprintf(w, "  export FIREDRILL_URL=%s\n", api)
	}
	me, service := program(), what.Services[0].Name
	next := [][]string{
		{me + " do " + service, "what you can do to " + service},
	}
	if first, _ := scenario.FindBuiltin(firstDrill); what.Name != first.Name && len(what.Incidents) == 0 {
		next = append(next, []string{me + " scenario start " + first.Name, "your first drill"})
	} else {
		next = append(next, []string{me + " scenario restart", "the same again, from the start"})
	}
	tabulate(w, append(next, []string{me + " scenario stop", "end the drill and see how it went"}))
}

// tabulate writes rows of cells as indented columns.
func tabulate(w io.Writer, rows [][]string) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintf(tw, "  %s\n", strings.Join(row, "\t"))
	}
	_ = tw.Flush() // the writer below keeps the error
}

// warn tells who can reach what without a password.
func (u *up) warn(w io.Writer, c *upCmd) {
	if u.web.password {
		return
	}
	for _, l := range []struct {
		flag, consequence string
		addr              net.Addr
	}{
		{"--listen " + string(c.Listen), "see the metrics", u.listeners.metrics.Addr()},
		{"--admin " + string(c.Admin), "act on the services and control the drill", u.listeners.admin.Addr()},
	} {
		if !isLoopback(l.addr) {
			fmt.Fprintf(w, "firedrill: warning: %s: whoever reaches this address can %s without a password; --web-config FILE asks for one\n", l.flag, l.consequence)
		}
	}
}

// sayGoodbye says where the simulation stopped.
func (u *up) sayGoodbye(s streams) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if status, err := u.driver.Status(ctx); err == nil {
		fmt.Fprintf(s.out, "stopped at %s\n", status.Time().Format("Monday 15:04:05"))
	}
}

// program is how this program is called from a command line: go run leaves no
// program behind.
func program() string {
	if strings.Contains(filepath.ToSlash(os.Args[0]), "/go-build") {
		return "go run ./cmd/firedrill"
	}
	return "firedrill"
}
