package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/firedrill/firedrill/simulator/scenario"
	"github.com/firedrill/firedrill/simulator/schema"
)

// scenarioShowCmd describes one scenario.
type scenarioShowCmd struct {
	Scenario string `arg:"" help:"A built-in scenario, a YAML file, or - for the standard input."`
	Reveal   bool   `help:"Tell the truth too: events, incidents and what the scripted operator does."`
}

// Run prints the description.
func (c *scenarioShowCmd) Run(s streams) error {
	sc, err := load(c.Scenario, s.in)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(s.out)
	showHead(w, sc)
	for _, service := range sc.Services {
		showService(w, service)
	}
	showGoals(w, sc.Goals)
	if c.Reveal {
		showEvents(w, "Events", sc.Events)
		showIncidents(w, sc.Incidents)
		showEvents(w, "Scripted operator", sc.Operator)
	}
	return w.Flush()
}

func showHead(w io.Writer, sc *scenario.Scenario) {
	fmt.Fprintf(w, "%s: %s\n%s, %s long, seed %d, speed %d\n", sc.Name, sc.Title,
		sc.Start.Format("Monday 2006-01-02 15:04"), schema.FormatSeconds(float64(sc.Duration)), sc.Seed, sc.Speed)
	if sc.Briefing != "" {
		fmt.Fprintf(w, "\n%s\n", sc.Briefing)
	}
}

// showService lists the levers of a service.
func showService(w io.Writer, service scenario.Service) {
	fmt.Fprintf(w, "\nLevers of %s (%s)\n", service.Name, service.Kind.Name)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, action := range service.Kind.Actions {
		if action.Fault {
			continue
		}
		fmt.Fprintf(tw, "  %s\t%s\n", action.Name, action.Help)
		for _, arg := range action.Args {
			fmt.Fprintf(tw, "    %s\t%s\n", arg.Name, arg.Allowed())
		}
	}
	tw.Flush()
}

func showGoals(w io.Writer, goals []scenario.Goal) {
	if len(goals) == 0 {
		return
	}
	fmt.Fprintln(w, "\nGoals")
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, g := range goals {
		fmt.Fprintf(tw, "  %s\t%s\n", g.Title, describeLimit(g))
	}
	tw.Flush()
}

func showEvents(w io.Writer, title string, events []scenario.Event) {
	if len(events) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", title)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, e := range events {
		words := []string{e.Do}
		for _, a := range e.Args {
			words = append(words, a.Name+"="+a.Value.String())
		}
		fmt.Fprintf(tw, "  %s\t%s\t%s\t%s\n", describeTime(e.At), e.ID, e.Service, strings.Join(words, " "))
	}
	tw.Flush()
}

func showIncidents(w io.Writer, incidents []scenario.Incident) {
	if len(incidents) == 0 {
		return
	}
	fmt.Fprintln(w, "\nIncidents")
	for _, in := range incidents {
		ends := "recovered"
		if !in.Ends.Recovered {
			ends = describeTime(in.Ends.At)
		}
		fmt.Fprintf(w, "  %s (%s, %s): %s\n    starts %s, ends %s\n", in.ID, in.Service, in.Kind, in.Title, describeTime(in.Starts), ends)
		for line := range strings.SplitSeq(in.Summary, "\n") {
			if line != "" {
				fmt.Fprintf(w, "    %s\n", line)
			}
		}
	}
}

// describeTime words a moment of a scenario.
func describeTime(t scenario.Time) string {
	offset := t.Offset.String()
	switch {
	case t.After == "":
		return offset
	case t.Offset.Fixed() && t.Offset.Low.Int() == 0:
		return "at " + t.After
	}
	return t.After + " + " + offset
}
