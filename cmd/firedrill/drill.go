package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/firedrill/firedrill/internal/admin"
	"github.com/firedrill/firedrill/simulator/schema"
)

// scenarioStartCmd starts a scenario in a running firedrill.
type scenarioStartCmd struct {
	remote
	Scenario string     `arg:"" help:"A built-in scenario, or the one that firedrill up was given."`
	Seed     seedFlag   `placeholder:"N" help:"Seed in place of the scenario's, 0 to 4294967295."`
	Speed    *speedFlag `placeholder:"N" help:"Simulated seconds per second, 1 to 3600; as before where not given."`
	Paused   bool       `help:"Let simulated time stand still until firedrill clock resume."`
}

// Run starts it and prints the briefing.
func (c *scenarioStartCmd) Run(ctx context.Context, s streams) error {
	body := map[string]any{"paused": c.Paused}
	if c.Seed.seed != nil {
		body["seed"] = *c.Seed.seed
	}
	if c.Speed != nil {
		body["speed"] = float64(*c.Speed)
	}
	return c.begin(ctx, s, body, "scenarios", c.Scenario, "start")
}

// scenarioStopCmd ends the drill of a running firedrill.
type scenarioStopCmd struct{ remote }

// Run ends it and prints how the goals stand.
func (c *scenarioStopCmd) Run(ctx context.Context, s streams) error {
	var drill admin.Drill
	if err := c.post(ctx, nil, &drill, "drill", "stop"); err != nil {
		return err
	}
	w := bufio.NewWriter(s.out)
	fmt.Fprintf(w, "%s, seed %d, has ended at %s; its services run on\n", drill.Scenario, drill.Seed, drill.Time.Format("15:04:05"))
	writeGoals(w, drill.Goals)
	fmt.Fprintf(w, "what really went on: %s\n", c.URL.at.JoinPath(admin.Base, "truth").Redacted())
	return w.Flush()
}

// scenarioRestartCmd starts the scenario of a running firedrill again.
type scenarioRestartCmd struct {
	remote
	Seed seedFlag `placeholder:"N" help:"Another seed, 0 to 4294967295; the same where not given."`
}

// Run starts it and prints the briefing.
func (c *scenarioRestartCmd) Run(ctx context.Context, s streams) error {
	body := map[string]any{}
	if c.Seed.seed != nil {
		body["seed"] = *c.Seed.seed
	}
	return c.begin(ctx, s, body, "drill", "restart")
}

// begin starts a drill and prints what its operator knows.
func (r remote) begin(ctx context.Context, s streams, body any, path ...string) error {
	var drill admin.Drill
	if err := r.post(ctx, body, &drill, path...); err != nil {
		return err
	}
	w := bufio.NewWriter(s.out)
	fmt.Fprintf(w, "%s: %s\n%s, seed %d, %s long; %s\n", drill.Scenario, drill.Title,
		drill.Time.Format("Monday 15:04:05"), drill.Seed, schema.FormatSeconds(float64(drill.Duration)), describePace(drill.Clock))
	if drill.Briefing != "" {
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(drill.Briefing))
	}
	if len(drill.Goals) > 0 {
		fmt.Fprintln(w, "\nGoals")
		for _, goal := range drill.Goals {
			fmt.Fprintf(w, "  %s\n", goal.Title)
		}
	}
	return w.Flush()
}

// writeGoals says how the goals stand.
func writeGoals(w io.Writer, goals []admin.Standing) {
	rows := make([][]string, len(goals))
	for i, goal := range goals {
		verdict, value := "not met", "-"
		if goal.Met != nil && *goal.Met {
			verdict = "met"
		}
		if goal.Value != nil {
			value = fmt.Sprintf("%.4g", float64(*goal.Value))
		}
		rows[i] = []string{verdict, goal.Title, value, describeBound(goal.Goal)}
	}
	tabulate(w, rows)
}

// describeBound words the condition of a goal.
func describeBound(g admin.Goal) string {
	bound, limit := "at most", g.AtMost
	if g.AtLeast != nil {
		bound, limit = "at least", g.AtLeast
	}
	if limit == nil {
		return ""
	}
	return fmt.Sprintf("%s of %s %s %g", g.Of, g.Measure, bound, *limit)
}
