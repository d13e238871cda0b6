package main

import (
	"bufio"
	"encoding/csv"
	"slices"
	"strings"
	"time"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// csvPrinter writes a line a minute and service under one header. Services of
// different kinds share it: what a kind has no column for stays empty. With
// events, a last column tells what happened in the minute.
type csvPrinter struct {
	w      *csv.Writer
	run    *scenario.Run
	keys   []string   // of all kinds' columns
	rows   [][]string // of the minute, a service each; written at its end
	told   [][]string // events of the minute by service
	events bool
	values []float64
	number []byte
}

func newCSVPrinter(w *bufio.Writer, run *scenario.Run, events bool) *csvPrinter {
	p := &csvPrinter{w: csv.NewWriter(w), run: run, events: events, told: make([][]string, len(run.Services()))}
	for _, service := range run.Services() {
		for _, c := range service.Kind.Columns {
			if !slices.Contains(p.keys, c.Key) {
				p.keys = append(p.keys, c.Key)
			}
		}
	}
	header := append([]string{"time", "service"}, p.keys...)
	if events {
		header = append(header, "events")
	}
	p.rows = append(p.rows, header)
	return p
}

func (p *csvPrinter) second(now simulator.Tick, events []simulator.Event) error {
	if evaluates(now) {
		if err := p.flush(); err != nil {
			return err
		}
		for i := range p.run.Services() {
			p.rows = append(p.rows, p.cells(now, i))
		}
	}
	for _, e := range events {
		for i, service := range p.run.Services() {
			if e.Service == service.Name || e.Service == "" {
				p.told[i] = append(p.told[i], describe(e))
			}
		}
	}
	return nil
}

// cells returns the line of a service.
func (p *csvPrinter) cells(now simulator.Tick, service int) []string {
	s := p.run.Services()[service]
	cells := make([]string, 2+len(p.keys))
	cells[0], cells[1] = now.After(p.run.Start()).Format(time.RFC3339), s.Name
	p.values = p.run.AppendRow(p.values[:0], service)
	for i, c := range s.Kind.Columns {
		p.number = simulator.AppendNumber(p.number[:0], p.values[i])
		cells[2+slices.Index(p.keys, c.Key)] = string(p.number)
	}
	return cells
}

// flush writes the lines that are held, the header or those of a minute.
func (p *csvPrinter) flush() error {
	header := len(p.rows) == 1 && p.rows[0][0] == "time"
	for i, cells := range p.rows {
		if p.events && !header {
			cells = append(cells, strings.Join(p.told[i], "; "))
			p.told[i] = p.told[i][:0]
		}
		if err := p.w.Write(cells); err != nil {
			return err
		}
	}
	p.rows = p.rows[:0]
	return nil
}

func (p *csvPrinter) close() error {
	err := p.flush()
	p.w.Flush()
	if err == nil {
		err = p.w.Error()
	}
	return err
}
