package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/firedrill/firedrill/internal/admin"
	"github.com/firedrill/firedrill/simulator"
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
	writeEnd(w, drill)
	writeGoals(w, drill.Goals)
	fmt.Fprintf(w, "what really went on: %s scenario truth\n", program())
	return w.Flush()
}

// writeEnd says when a drill ended, and whether that was before its time.
func writeEnd(w io.Writer, drill admin.Drill) {
	end := drill.Moment
	if drill.EndedAt != nil {
		end = *drill.EndedAt
	}
	fmt.Fprintf(w, "%s, seed %d, has ended at %s; its services run on\n", drill.Scenario, drill.Seed, end.Time.Format(time.TimeOnly))
	left := drill.Duration - end.Tick
	if left <= 0 {
		return
	}
	fmt.Fprintf(w, "stopped %s before its end", schema.FormatSeconds(float64(left)))
	if slices.ContainsFunc(drill.Goals, cutShort) {
		fmt.Fprint(w, ": goals are judged on what has happened")
	}
	fmt.Fprintln(w)
}

// cutShort reports whether a goal was judged before its time had passed.
func cutShort(goal admin.Standing) bool { return goal.Final && !goal.Complete }

// scenarioRestartCmd starts the scenario of a running firedrill again.
type scenarioRestartCmd struct {
	remote
	Seed   seedFlag `placeholder:"N" help:"Another seed, 0 to 4294967295; the same where not given."`
	Paused bool     `help:"Let simulated time stand still until firedrill clock resume; it does without this where it stands still now."`
}

// Help says what is lost.
func (scenarioRestartCmd) Help() string {
	return `The log of commands begins anew: save what stands at /api/v1/commands before if
you want to replay it with firedrill simulate --commands.`
}

// Run starts it and prints the briefing.
func (c *scenarioRestartCmd) Run(ctx context.Context, s streams) error {
	body := map[string]any{}
	if c.Seed.seed != nil {
		body["seed"] = *c.Seed.seed
	}
	if c.Paused {
		body["paused"] = true
	}
	if err := c.begin(ctx, s, body, "drill", "restart"); err != nil {
		return err
	}
	_, err := fmt.Fprintln(s.out, "\nThe log of commands begins anew.")
	return err
}

// begin starts a drill and prints what its operator knows.
func (r remote) begin(ctx context.Context, s streams, body any, path ...string) error {
	var drill admin.Drill
	if err := r.post(ctx, body, &drill, path...); err != nil {
		return err
	}
	w := bufio.NewWriter(s.out)
	b := beginning{
		name: drill.Scenario, title: drill.Title, briefing: drill.Briefing, start: drill.Start, seed: drill.Seed,
		duration: drill.Duration, pace: describePace(drill.Clock),
	}
	for _, goal := range drill.Goals {
		b.goals = append(b.goals, goal.Title)
	}
	b.write(w)
	return w.Flush()
}

// beginning is what the operator of a drill knows at its start.
type beginning struct {
	name, title, briefing string
	start                 time.Time
	seed                  uint32
	duration              simulator.Tick
	pace                  string // how time passes
	hint                  string // a line about the pace, "" where there is none
	goals                 []string
}

func (b beginning) write(w io.Writer) {
	fmt.Fprintf(w, "%s: %s\n%s, seed %d, %s long; %s\n", b.name, b.title,
		b.start.Format("Monday 2006-01-02 15:04"), b.seed, schema.FormatSeconds(float64(b.duration)), b.pace)
	if b.hint != "" {
		fmt.Fprintln(w, b.hint)
	}
	if b.briefing != "" {
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(b.briefing))
	}
	if len(b.goals) == 0 {
		return
	}
	fmt.Fprintln(w, "\nGoals")
	for _, goal := range b.goals {
		fmt.Fprintf(w, "  %s\n", goal)
	}
}

// writeGoals says how the goals stand.
func writeGoals(w io.Writer, goals []admin.Standing) {
	rows := make([][]string, len(goals))
	for i, goal := range goals {
		verdict, value := "not met", "-"
		if goal.Met != nil && *goal.Met {
			verdict = "met"
		}
		if cutShort(goal) {
			verdict += " so far"
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
