package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
	"github.com/firedrill/firedrill/simulator/schema"
)

// simulateCmd runs a scenario as fast as the machine goes.
type simulateCmd struct {
	Scenario string       `arg:"" help:"A built-in scenario (see firedrill scenario list), a YAML file, or - for the standard input."`
	Seed     seedFlag     `placeholder:"N" help:"Seed in place of the scenario's, 0 to 4294967295."`
	Set      []setFlag    `sep:"none" placeholder:"SERVICE.KEY=VALUE" help:"Configuration in place of the scenario's; may be repeated."`
	Operator operatorFlag `default:"none" placeholder:"none" help:"Who operates the services: none or scripted."`
	Format   formatFlag   `default:"table" placeholder:"table" help:"What is printed: table, csv, jsonl, svg (a picture of what --plot names), or trace (everything that determinism promises)."`
	Plot     []string     `placeholder:"COLUMN" help:"Column that a picture shows, for example max_load_ratio, or links.load_ratio for all links; may be repeated."`
	Events   bool         `help:"Print what happens besides the minutes: as lines in their order, in csv as a last column."`
	Commands string       `placeholder:"FILE" help:"Replay a command log: JSON lines of at (a tick, or a span such as \"33m\"), service, do, args, actor."`
}

// Help documents the rows.
func (simulateCmd) Help() string {
	return `A row is a minute of a service as it was evaluated at the minute's first second.`
}

// Run simulates and prints.
func (c *simulateCmd) Run(ctx context.Context, s streams) error {
	run, err := c.start(s)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(s.out, 1<<16)
	printer, err := c.Format.printer(out, run, c.Events, c.Plot)
	if err != nil {
		return err
	}
	if err := c.simulate(ctx, run, printer, newProgress(s, run.Scenario().Name, run.Scenario().Duration/simulator.Minute)); err != nil {
		return errors.Join(err, out.Flush())
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return printScore(s.err, run)
}

// start makes the run with its replayed commands.
func (c *simulateCmd) start(s streams) (*scenario.Run, error) {
	sc, err := load(c.Scenario, s.in)
	if err != nil {
		return nil, err
	}
	run, err := sc.NewRun(scenario.Options{Seed: c.Seed.seed, Set: overrides(c.Set), Scripted: c.Operator.scripted()})
	if err != nil {
		return nil, unplaced(err)
	}
	if c.Commands == "" {
		return run, nil
	}
	return run, replay(run, c.Commands, s)
}

// replay submits the commands of a log.
func replay(run *scenario.Run, file string, s streams) error {
	data, err := readFile(file, s.in)
	if err != nil {
		return fmt.Errorf("read commands: %w", err)
	}
	commands, err := scenario.ParseCommands(file, data)
	if err != nil {
		return err
	}
	var problems schema.Problems
	for _, cmd := range commands {
		if _, err := run.Submit(cmd.Command); err != nil {
			for _, p := range simulator.AsProblems(err) {
				p.File, p.Line = file, cmd.Line
				problems = append(problems, p)
			}
		}
	}
	return problems.Err()
}

// simulate steps the run to the end of the drill.
func (c *simulateCmd) simulate(ctx context.Context, run *scenario.Run, out printer, bar *progress) error {
	defer bar.close()
	for !run.Ended() {
		now := run.Now()
		if now%simulator.Minute == 0 {
			if ctx.Err() != nil {
				return errors.Join(fmt.Errorf("interrupted at %s", now.After(run.Start()).Format("2006-01-02 15:04")), out.close())
			}
			bar.at(now)
		}
		if err := out.second(now, run.Step()); err != nil {
			return err
		}
	}
	return out.close()
}
