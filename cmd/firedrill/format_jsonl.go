package main

import (
	"bufio"
	"strconv"
	"time"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// jsonPrinter writes a JSON object a minute and service: time, service, the
// columns of the service's kind and its lists, an object for each item. With events, each stands on a line of its
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
	if lister, ok := service.Model.(simulator.Lister); ok {
		for i, list := range service.Kind.Lists {
			dst = appendList(dst, list, lister.Items(i))
		}
	}
	return append(dst, '}')
}

// appendList appends a list as a member of a row.
func appendList(dst []byte, list simulator.List, items []simulator.Item) []byte {
	dst = append(dst, `, "`...)
	dst = append(dst, list.Key...)
	dst = append(dst, `": [`...)
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(dst, `{"id": `...)
		dst = strconv.AppendQuote(dst, item.ID)
		for j, c := range list.Columns {
			dst = append(dst, `, "`...)
			dst = append(dst, c.Key...)
			dst = append(dst, `": `...)
			dst = simulator.AppendNumber(dst, item.Values[j])
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

func (p *jsonPrinter) close() error { return nil }
