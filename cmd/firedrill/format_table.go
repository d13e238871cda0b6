package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

const (
	tableWidth  = 80
	headerEvery = 60 // rows
)

// tablePrinter writes a table for people, a minute a line, in human units and
// at most tableWidth columns wide. Where there are several services each has a
// table of its own, one after the other.
type tablePrinter struct {
	out    io.Writer
	run    *scenario.Run
	events bool
	tables []table
	row    []float64
}

// table is the table of one service.
type table struct {
	w       io.Writer
	later   *bytes.Buffer // what is printed after the tables before it
	columns []column
	rows    int
	day     int // that the last line was in
}

// column is a column of the model that the table shows.
type column struct {
	simulator.Column
	index int // in a row
	width int
}

func newTablePrinter(w *bufio.Writer, run *scenario.Run, events bool) *tablePrinter {
	p := &tablePrinter{out: w, run: run, events: events}
	for i, service := range run.Services() {
		t := table{w: w, columns: columns(service.Kind), day: run.Start().YearDay()}
		if i > 0 {
			t.later = &bytes.Buffer{}
			t.w = t.later
		}
		if len(run.Services()) > 1 {
			fmt.Fprintf(t.w, "%s\n", service.Name)
		}
		p.tables = append(p.tables, t)
	}
	return p
}

// columns lists the columns that have a heading, as many as the width holds.
func columns(kind *simulator.Kind) []column {
	const integerWidth = 4 // figures before the point
	var shown []column
	used := len("15:04")
	for i, c := range kind.Columns {
		if c.Head == "" {
			continue
		}
		width := integerWidth
		if c.Digits > 0 {
			width = integerWidth + c.Digits
		}
		width = max(width, utf8.RuneCountInString(c.Head))
		if used += 1 + width; used > tableWidth {
			break
		}
		shown = append(shown, column{Column: c, index: i, width: width})
	}
	return shown
}

func (p *tablePrinter) second(now simulator.Tick, events []simulator.Event) error {
	at := now.After(p.run.Start())
	for i := range p.tables {
		t := &p.tables[i]
		name := p.run.Services()[i].Name
		for _, e := range events {
			if p.events && (e.Service == name || (e.Service == "" && i == 0)) {
				if err := t.event(e.At.After(p.run.Start()), e); err != nil {
					return err
				}
			}
		}
		if evaluates(now) {
			p.row = p.run.AppendRow(p.row[:0], i)
			if err := t.row(at, p.row); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *table) row(at time.Time, values []float64) error {
	if t.rows%headerEvery == 0 {
		if err := t.header(); err != nil {
			return err
		}
	}
	t.rows++
	if err := t.date(at); err != nil {
		return err
	}
	line := at.AppendFormat(nil, "15:04")
	for _, c := range t.columns {
		line = fmt.Appendf(line, " %*s", c.width, cell(values[c.index], c))
	}
	_, err := t.w.Write(append(line, '\n'))
	return err
}

func (t *table) header() error {
	line := []byte("time ")
	if t.rows > 0 {
		line = []byte("\ntime ")
	}
	for _, c := range t.columns {
		line = fmt.Appendf(line, " %*s", c.width, c.Head)
	}
	_, err := t.w.Write(append(line, '\n'))
	return err
}

// date writes the date where a new day begins.
func (t *table) date(at time.Time) error {
	if at.YearDay() == t.day {
		return nil
	}
	t.day = at.YearDay()
	_, err := fmt.Fprintln(t.w, at.Format(time.DateOnly))
	return err
}

func (t *table) event(at time.Time, e simulator.Event) error {
	if err := t.date(at); err != nil {
		return err
	}
	line := []rune(at.Format("15:04") + "  " + describe(e))
	if len(line) > tableWidth {
		line = append(line[:tableWidth-1], '…')
	}
	_, err := fmt.Fprintln(t.w, string(line))
	return err
}

// cell writes a value so that it fits its column: with fewer digits, and at
// last in thousands, where it is large.
func cell(x float64, c column) string {
	scale := c.Scale
	if scale == 0 {
		scale = 1
	}
	for digits := c.Digits; digits >= 0; digits-- {
		if text := decimal(x*scale, digits); len(text) <= c.width {
			return text
		}
	}
	for _, suffix := range []string{"k", "M", "G", "T"} {
		scale /= 1000
		if text := decimal(x*scale, 0) + suffix; len(text) <= c.width {
			return text
		}
	}
	return strings.Repeat("#", c.width)
}

// decimal writes x with digits after the point, and no sign before a zero.
func decimal(x float64, digits int) string {
	text := strconv.FormatFloat(x, 'f', digits, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

func (p *tablePrinter) close() error {
	for _, t := range p.tables {
		if t.later == nil {
			continue
		}
		if _, err := fmt.Fprintf(p.out, "\n%s", t.later.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
