package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/firedrill/firedrill/internal/admin"
	"github.com/firedrill/firedrill/simulator/schema"
)

// clockCmd steers the simulated time of a running firedrill: a field is a
// subcommand.
type clockCmd struct {
	Show    clockShowCmd    `cmd:"" default:"withargs" help:"Say how simulated time passes."`
	Pause   clockPauseCmd   `cmd:"" help:"Make simulated time stand still."`
	Resume  clockResumeCmd  `cmd:"" help:"Let simulated time pass again, or for the first time."`
	Speed   clockSpeedCmd   `cmd:"" help:"Change how fast simulated time passes."`
	Advance clockAdvanceCmd `cmd:"" help:"Simulate a span of time at once while time stands still."`
}

type clockShowCmd struct{ remote }

// Run prints the clock.
func (c *clockShowCmd) Run(ctx context.Context, s streams) error {
	return c.clock(ctx, s, http.MethodGet, nil)
}

type clockPauseCmd struct{ remote }

// Run pauses.
func (c *clockPauseCmd) Run(ctx context.Context, s streams) error {
	return c.clock(ctx, s, http.MethodPost, nil, "pause")
}

type clockResumeCmd struct{ remote }

// Run resumes.
func (c *clockResumeCmd) Run(ctx context.Context, s streams) error {
	return c.clock(ctx, s, http.MethodPost, nil, "resume")
}

type clockSpeedCmd struct {
	remote
	Speed speedFlag `arg:"" help:"Simulated seconds per second, 1 to 3600."`
}

// Run changes the speed.
func (c *clockSpeedCmd) Run(ctx context.Context, s streams) error {
	return c.clock(ctx, s, http.MethodPut, map[string]any{"speed": float64(c.Speed)}, "speed")
}

type clockAdvanceCmd struct {
	remote
	Span advanceFlag `arg:"" help:"How far, for example 90s or 5m; a day at most."`
}

// Run advances.
func (c *clockAdvanceCmd) Run(ctx context.Context, s streams) error {
	return c.clock(ctx, s, http.MethodPost, map[string]any{"seconds": int(c.Span)}, "advance")
}

// advanceFlag is how far time advances, in simulated seconds.
type advanceFlag int

// UnmarshalText reads a span.
func (f *advanceFlag) UnmarshalText(text []byte) error {
	const day = 86400
	v, p := schema.Spec{Kind: schema.Duration, Min: 1, Max: day}.Parse(string(text))
	if p != nil {
		return *p
	}
	*f = advanceFlag(v.Int())
	return nil
}

// clock asks for something about the clock and prints how it is then.
func (r remote) clock(ctx context.Context, s streams, method string, body any, path ...string) error {
	var clock admin.Clock
	if err := r.ask(ctx, method, body, &clock, append([]string{"clock"}, path...)...); err != nil {
		return err
	}
	_, err := fmt.Fprintln(s.out, describeClock(clock))
	return err
}

// describeClock words a clock.
func describeClock(c admin.Clock) string {
	return c.Time.Format("Monday "+time.TimeOnly) + "; " + describePace(c)
}

// describePace words how time passes.
func describePace(c admin.Clock) string {
	switch {
	case c.Waiting:
		return "simulated time waits for the first scrape"
	case c.Paused:
		return "simulated time stands still"
	case c.Lag > 0:
		return describeSpeed(c.Speed) + "; it is " + schema.FormatSeconds(float64(c.Lag)) + " behind"
	}
	return describeSpeed(c.Speed)
}
