package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/firedrill/firedrill/simulator/scenario"
	"github.com/firedrill/firedrill/simulator/schema"
)

// scenarioListCmd lists the built-in scenarios.
type scenarioListCmd struct{}

// Run prints a line a scenario.
func (scenarioListCmd) Run(s streams) error {
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tSTART\tDURATION\tTITLE")
	for _, sc := range scenario.Builtin() {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", sc.Name, sc.Start.Format("15:04"), schema.FormatSeconds(float64(sc.Duration)), sc.Title)
	}
	return w.Flush()
}
