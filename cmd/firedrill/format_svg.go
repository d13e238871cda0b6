package main

import (
	"bufio"
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
	"github.com/firedrill/firedrill/simulator/schema"
)

// Measures of the picture, in pixels.
const (
	svgWidth, svgHeight        = 800, 300
	svgLeft, svgRight          = 56, 16
	svgTop, svgBottom          = 48, 32
	svgPlotWidth, svgPlotRight = svgWidth - svgLeft - svgRight, svgWidth - svgRight
	svgPlotHeight, svgPlotEnd  = svgHeight - svgTop - svgBottom, svgHeight - svgBottom
)

// svgColors are the colours of the lines, told apart by everybody (Okabe and
// Ito 2008).
var svgColors = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#f0e442"}

// plotted is a value that is drawn: a column of a service, or a column of the
// items of a list.
type plotted struct {
	key     string
	service int
	list    int // index of the kind's list, -1 for a column of the row
	column  int
}

// svgPrinter draws columns over time. The picture is the same on every machine.
type svgPrinter struct {
	w     *bufio.Writer
	run   *scenario.Run
	plots []plotted
	lines []svgLine
	row   []float64
	next  int // line of the minute that is being added
}

// svgLine is one line of the picture.
type svgLine struct {
	name   string
	values []float64 // a minute each
}

// newSVGPrinter returns a printer of the columns with those keys.
func newSVGPrinter(w *bufio.Writer, run *scenario.Run, keys []string) (*svgPrinter, error) {
	p := &svgPrinter{w: w, run: run}
	if len(keys) == 0 {
		return nil, usageError{schema.Problem{Field: "--plot", Message: "is missing: what is drawn", Allowed: strings.Join(plotKeys(run), ", ")}}
	}
	for _, key := range keys {
		found := len(p.plots)
		for i, service := range run.Services() {
			p.find(key, i, service.Kind)
		}
		if found == len(p.plots) {
			return nil, usageError{schema.Unknown("--plot", "column of a service", key, plotKeys(run))}
		}
	}
	return p, nil
}

// find adds what a service has under a key.
func (p *svgPrinter) find(key string, service int, kind *simulator.Kind) {
	if i := slices.IndexFunc(kind.Columns, func(c simulator.Column) bool { return c.Key == key }); i >= 0 {
		p.plots = append(p.plots, plotted{key, service, -1, i})
	}
	for l, list := range kind.Lists {
		for c, column := range list.Columns {
			if list.Key+"."+column.Key == key {
				p.plots = append(p.plots, plotted{key, service, l, c})
			}
		}
	}
}

// plotKeys lists what can be drawn.
func plotKeys(run *scenario.Run) []string {
	var keys []string
	for _, service := range run.Services() {
		for _, c := range service.Kind.Columns {
			keys = append(keys, c.Key)
		}
		for _, list := range service.Kind.Lists {
			for _, c := range list.Columns {
				keys = append(keys, list.Key+"."+c.Key)
			}
		}
	}
	return keys
}

func (p *svgPrinter) second(now simulator.Tick, _ []simulator.Event) error {
	if !evaluates(now) {
		return nil
	}
	p.next = 0
	for _, plot := range p.plots {
		service := p.run.Services()[plot.service]
		if plot.list < 0 {
			p.row = p.run.AppendRow(p.row[:0], plot.service)
			p.add(service.Name+" "+plot.key, p.row[plot.column])
			continue
		}
		if lister, ok := service.Model.(simulator.Lister); ok {
			for _, item := range lister.Items(plot.list) {
				p.add(item.ID+" "+plot.key[strings.Index(plot.key, ".")+1:], item.Values[plot.column])
			}
		}
	}
	return nil
}

// add adds a value to the next line.
func (p *svgPrinter) add(name string, value float64) {
	if p.next == len(p.lines) {
		p.lines = append(p.lines, svgLine{name: name})
	}
	p.lines[p.next].values = append(p.lines[p.next].values, value)
	p.next++
}

// close draws the picture.
func (p *svgPrinter) close() error {
	low, high := p.bounds()
	fmt.Fprintf(p.w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", svgWidth, svgHeight)
	fmt.Fprintf(p.w, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", svgWidth, svgHeight)
	s := p.run.Scenario()
	fmt.Fprintf(p.w, `<text x="%d" y="18" font-weight="bold">%s: %s</text>`+"\n", svgLeft, s.Name, html.EscapeString(s.Title))
	p.values(low, high)
	p.times()
	for i := range p.lines {
		p.line(i, low, high)
	}
	_, err := p.w.WriteString("</svg>\n")
	return err
}

// bounds returns round numbers around all values, 0 among them.
func (p *svgPrinter) bounds() (low, high float64) {
	for _, l := range p.lines {
		low, high = min(low, slices.Min(l.values)), max(high, slices.Max(l.values))
	}
	step := svgStep(high - low)
	return math.Floor(low/step) * step, max(1, math.Ceil(high/step)) * step
}

// svgStep returns a round step that divides a span into up to eight parts.
func svgStep(span float64) float64 {
	for step := 1e-6; ; step *= 10 {
		for _, factor := range []float64{1, 2, 5} {
			if span/(step*factor) <= 8 {
				return step * factor
			}
		}
	}
}

// values draws the horizontal lines of the grid.
func (p *svgPrinter) values(low, high float64) {
	step := svgStep(high - low)
	for i := range int(math.Round((high-low)/step)) + 1 {
		value := low + float64(float64(i)*step)
		y := svgY(value, low, high)
		fmt.Fprintf(p.w, `<path d="M%d %.1fH%d" stroke="#dddddd"/><text x="%d" y="%.1f" text-anchor="end">%s</text>`+"\n",
			svgLeft, y, svgPlotRight, svgLeft-6, y+4, strconv.FormatFloat(value, 'g', 4, 64))
	}
}

// times writes the time of day below the picture.
func (p *svgPrinter) times() {
	minutes := len(p.lines[0].values)
	step := 10
	for _, every := range []int{10, 15, 30, 60, 180, 360, 1440, 4320} {
		if step = every; minutes/every <= 12 {
			break
		}
	}
	layout := "15:04"
	if step >= 1440 {
		layout = time.DateOnly
	}
	for m := 0; m < minutes; m += step {
		at := (simulator.Tick(m) * simulator.Minute).After(p.run.Start())
		fmt.Fprintf(p.w, `<text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", svgX(m, minutes), svgPlotEnd+18, at.Format(layout))
	}
}

// line draws a line and its name.
func (p *svgPrinter) line(i int, low, high float64) {
	l, color := p.lines[i], svgColors[i%len(svgColors)]
	var path strings.Builder
	for m, value := range l.values {
		command := "L"
		if m == 0 {
			command = "M"
		}
		fmt.Fprintf(&path, "%s%.1f %.1f", command, svgX(m, len(l.values)), svgY(value, low, high))
	}
	fmt.Fprintf(p.w, `<path d="%s" fill="none" stroke="%s" stroke-width="1.5"/>`+"\n", path.String(), color)
	const named = 4 // as many names have room
	if i < named {
		fmt.Fprintf(p.w, `<text x="%d" y="36" fill="%s">%s</text>`+"\n", svgLeft+i*(svgPlotWidth/named), color, html.EscapeString(l.name))
	}
}

func svgX(minute, minutes int) float64 {
	return svgLeft + float64(minute)*svgPlotWidth/float64(max(1, minutes-1)) // a quotient, which no machine fuses
}

func svgY(value, low, high float64) float64 {
	return svgPlotEnd - float64((value-low)/(high-low)*svgPlotHeight)
}
