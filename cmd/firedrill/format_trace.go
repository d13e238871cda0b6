package main

import (
	"bufio"
	"fmt"
	"time"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// tracePrinter writes everything that determinism promises: two runs of the
// same scenario, seed and command log give the same bytes on every machine.
type tracePrinter struct {
	w    *bufio.Writer
	run  *scenario.Run
	line []byte
}

func newTracePrinter(w *bufio.Writer, run *scenario.Run) *tracePrinter {
	fmt.Fprintf(w, "# firedrill trace 1: scenario %s, seed %d, start %s\n", run.Scenario().Name, run.Seed(), run.Start().Format(time.RFC3339))
	fmt.Fprintln(w, "# e JSON               an event")
	fmt.Fprintln(w, "# m TICK SERVICE STATE a service after TICK seconds, at the end of every minute")
	return &tracePrinter{w: w, run: run}
}

func (p *tracePrinter) second(_ simulator.Tick, events []simulator.Event) error {
	for _, e := range events {
		if err := p.write(e.AppendJSON(append(p.line[:0], "e "...), p.run.Start())); err != nil {
			return err
		}
	}
	if !evaluates(p.run.Now()) {
		return nil
	}
	for _, service := range p.run.Services() {
		line := fmt.Appendf(p.line[:0], "m %d %s ", p.run.Now(), service.Name)
		if err := p.write(service.Model.AppendTrace(line)); err != nil {
			return err
		}
	}
	return nil
}

func (p *tracePrinter) write(line []byte) error {
	p.line = append(line, '\n')
	_, err := p.w.Write(p.line)
	return err
}

func (p *tracePrinter) close() error { return nil }
