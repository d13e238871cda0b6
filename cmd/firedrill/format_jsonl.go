package main

import (
	"bufio"
	"strconv"
	"time"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// jsonPrinter writes a JSON object a minute and service: time, service, and
// the columns of the service's kind. With events, each stands on a line of its
// own, before the rows of its second.
type jsonPrinter struct {
	w      *bufio.Writer
	run    *scenario.Run
	events bool
	row    []float64
	line   []byte
}

func (p *jsonPrinter) second(now simulator.Tick, events []simulator.Event) error {
	if p.events {
		for _, e := range events {
			if err := p.write(e.AppendJSON(p.line[:0], p.run.Start())); err != nil {
				return err
			}
		}
	}
	if !evaluates(now) {
		return nil
	}
	at := now.After(p.run.Start())
	for i, service := range p.run.Services() {
		p.row = p.run.AppendRow(p.row[:0], i)
		if err := p.write(appendRow(p.line[:0], at, service, p.row)); err != nil {
			return err
		}
	}
	return nil
}

func (p *jsonPrinter) write(line []byte) error {
	p.line = append(line, '\n')
	_, err := p.w.Write(p.line)
	return err
}

// appendRow appends a row as a JSON object. A service's name needs no escapes.
func appendRow(dst []byte, at time.Time, service simulator.Service, row []float64) []byte {
	dst = append(dst, `{"time": "`...)
	dst = at.AppendFormat(dst, time.RFC3339)
	dst = append(dst, `", "service": `...)
	dst = strconv.AppendQuote(dst, service.Name)
	for i, c := range service.Kind.Columns {
		dst = append(dst, `, "`...)
		dst = append(dst, c.Key...)
		dst = append(dst, `": `...)
		dst = simulator.AppendNumber(dst, row[i])
	}
	return append(dst, '}')
}

func (p *jsonPrinter) close() error { return nil }
