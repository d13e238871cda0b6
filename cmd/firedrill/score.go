package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/firedrill/firedrill/simulator/scenario"
)

// printScore writes how the goals stand, nothing where there are none.
func printScore(w io.Writer, run *scenario.Run) error {
	scores := run.Score()
	if len(scores) == 0 {
		return nil
	}
	met, all := countMet(scores)
	fmt.Fprintf(w, "%s, seed %d: %d of %d goals met\n", run.Scenario().Name, run.Seed(), met, all)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range scores {
		verdict := "not met"
		if s.Met {
			verdict = "met"
		}
		fmt.Fprintf(tw, "  %s\t%s\t%.4g\t%s\n", verdict, s.Title, s.Value, describeLimit(s.Goal))
	}
	return tw.Flush()
}

// countMet returns how many goals are met, and of how many.
func countMet(scores []scenario.GoalScore) (met, all int) {
	for _, s := range scores {
		if s.Met {
			met++
		}
	}
	return met, len(scores)
}

// describeLimit words the condition of a goal.
func describeLimit(g scenario.Goal) string {
	bound := "at most"
	if g.AtLeast {
		bound = "at least"
	}
	return fmt.Sprintf("%s of %s %s %g", g.Of, g.Measure, bound, g.Limit)
}
