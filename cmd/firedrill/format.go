package main

import (
	"bufio"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
	"github.com/firedrill/firedrill/simulator/schema"
)

// formatFlag is a format of the simulation's output.
type formatFlag string

// UnmarshalText reads the name of a format.
func (f *formatFlag) UnmarshalText(text []byte) error {
	return enum((*string)(f), text, "table", "csv", "jsonl", "svg", "trace")
}

// printer writes a simulation in one format.
type printer interface {
	// second takes in the second that was simulated at now and its events.
	second(now simulator.Tick, events []simulator.Event) error
	// close writes what is left.
	close() error
}

// printer returns the printer of the format; plot are the columns that a picture
// shows.
func (f formatFlag) printer(w *bufio.Writer, run *scenario.Run, events bool, plot []string) (printer, error) {
	if f == "svg" {
		return newSVGPrinter(w, run, plot)
	}
	if len(plot) > 0 {
		return nil, usageError{schema.Problem{Field: "--plot", Message: "is for pictures", Allowed: "beside --format svg"}}
	}
	return f.rows(w, run, events), nil
}

// rows returns the printer of a format of rows.
func (f formatFlag) rows(w *bufio.Writer, run *scenario.Run, events bool) printer {
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
