package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/firedrill/firedrill/internal/admin"
)

// scenarioTruthCmd tells what really went on in a running firedrill.
type scenarioTruthCmd struct{ remote }

// Run prints the incidents and the events with what the seed has chosen.
func (c *scenarioTruthCmd) Run(ctx context.Context, s streams) error {
	var truth admin.Truth
	if err := c.get(ctx, &truth, "truth"); err != nil {
		return err
	}
	w := bufio.NewWriter(s.out)
	fmt.Fprintf(w, "%s, seed %d\n", truth.Scenario, truth.Seed)
	for _, incident := range truth.Incidents {
		writeIncident(w, incident)
	}
	writePlanned(w, truth.Events)
	return w.Flush()
}

// writeIncident tells one incident and when an operator first did something.
func writeIncident(w io.Writer, in admin.Incident) {
	fmt.Fprintf(w, "\n%s (%s, %s): %s\n", in.ID, in.Service, in.Kind, in.Title)
	tabulate(w, [][]string{
		{"start", describeMoment(&in.Start, "")},
		{"harm", describeMoment(in.Harm, "none yet")},
		{"first command", describeMoment(in.Answer, "none")},
		{"end", describeMoment(in.End, "still open")},
	})
	for line := range strings.Lines(in.Summary) {
		if line = strings.TrimSpace(line); line != "" {
			fmt.Fprintf(w, "  %s\n", line)
		}
	}
}

// writePlanned lists events, nothing where there are none.
func writePlanned(w io.Writer, events []admin.Planned) {
	if len(events) == 0 {
		return
	}
	fmt.Fprintln(w, "\nEvents")
	rows := make([][]string, len(events))
	for i, e := range events {
		words := []string{e.Do}
		for _, name := range slices.Sorted(maps.Keys(e.Args)) {
			words = append(words, name+"="+show(e.Args[name]))
		}
		rows[i] = []string{describeMoment(&e.Applies, ""), e.ID, e.Service, strings.Join(words, " ")}
	}
	tabulate(w, rows)
}

// describeMoment words a moment; never stands for one that has not come.
func describeMoment(m *admin.Moment, never string) string {
	if m == nil {
		return never
	}
	return m.Time.Format("Monday " + time.TimeOnly)
}
