package main

import (
	"bufio"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// formatFlag is a format of the simulation's output.
type formatFlag string

// UnmarshalText reads the name of a format.
func (f *formatFlag) UnmarshalText(text []byte) error {
	return enum((*string)(f), text, "table", "csv", "jsonl", "trace")
}

// printer writes a simulation in one format.
type printer interface {
	// second takes in the second that was simulated at now and its events.
	second(now simulator.Tick, events []simulator.Event) error
	// close writes what is left.
	close() error
}

// printer returns the printer of the format.
func (f formatFlag) printer(w *bufio.Writer, run *scenario.Run, events bool) printer {
	switch f {
	case "csv":
		return newCSVPrinter(w, run, events)
	case "jsonl":
		return &jsonPrinter{w: w, run: run, events: events}
	case "trace":
		return newTracePrinter(w, run)
	}
	return newTablePrinter(w, run, events)
}

// evaluates reports whether the models evaluate a minute in the second at now.
func evaluates(now simulator.Tick) bool { return now%simulator.Minute == 0 }
