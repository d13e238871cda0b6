package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/firedrill/firedrill/simulator/scenario"
	"github.com/firedrill/firedrill/simulator/schema"
)

// scenarioListCmd lists the built-in scenarios.
type scenarioListCmd struct {
	Suite bool `help:"List those that try alert rules, not the drills."`
}

// Run prints a line a scenario.
func (c scenarioListCmd) Run(s streams) error {
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tSTART\tDURATION\tTITLE")
	listed := scenario.Builtin()
	if c.Suite {
		listed = scenario.Suite()
	}
	for _, sc := range listed {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", sc.Name, sc.Start.Format("15:04"), schema.FormatSeconds(float64(sc.Duration)), sc.Title)
	}
	return w.Flush()
}
