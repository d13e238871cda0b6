package exporter

import (
	"fmt"
	"strconv"
	"time"

	"github.com/firedrill/firedrill/exporter/series"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/cdn"
	"github.com/firedrill/firedrill/simulator/rollout"
	"github.com/firedrill/firedrill/simulator/web"
)

// Table turns snapshots into series. One goroutine updates it at a time; any
// number read it.
type Table struct {
	build  Build
	series series.Table
	codes  [web.Codes]string     // the status codes as text
	rolled [rollout.Codes]string // those of a rollout service
}

// NewTable returns an empty table.
func NewTable(build Build) *Table {
	t := &Table{build: build}
	for code := range t.codes {
		t.codes[code] = strconv.Itoa(web.Code(code).Status())
	}
	for code := range t.rolled {
		t.rolled[code] = strconv.Itoa(rollout.Code(code).Status())
	}
	return t
}

// Current returns the frame of the last update, nil before the first. The
// reader releases it.
func (t *Table) Current() *series.Frame { return t.series.Current() }

// Update writes the state of the simulation at the time wall. For a reader that
// lives on simulated time the clock's speed is 1: targets are then listed by
// simulated time alone.
func (t *Table) Update(s *simulator.Snapshot, c Clock, wall time.Time) error {
	if err := check(s); err != nil {
		return err
	}
	l := newListing(s.Tick, t.lastTick(c.Run), c.Speed)
	u := t.series.Begin(series.Moment{Run: c.Run, Tick: s.Tick, Wall: wall, Speed: c.Speed})
	for _, service := range s.Services {
		switch state := service.State.(type) {
		case *web.Snapshot:
			t.web(u, l, s, service.Name, state)
		case *rollout.Snapshot:
			t.rollout(u, s, service.Name, state)
		case *cdn.Snapshot:
			showCDN(u, s, service.Name, state)
		}
		operations(u, service.Taken)
	}
	t.simulator(u, s, c)
	u.Commit()
	return nil
}

// check reports services that no file here knows how to show.
func check(s *simulator.Snapshot) error {
	for _, service := range s.Services {
		switch service.State.(type) {
		case *web.Snapshot, *rollout.Snapshot, *cdn.Snapshot:
		default:
			return fmt.Errorf("show service %q: no series for a state of type %T", service.Name, service.State)
		}
	}
	return nil
}

// lastTick returns the tick of the last update of the run, or one before all.
func (t *Table) lastTick(run int) simulator.Tick {
	f := t.series.Current()
	if f == nil {
		return beforeAll
	}
	defer f.Release()
	if m := f.Moment(); m.Run == run {
		return m.Tick
	}
	return beforeAll
}

// flag returns a yes or no as a metric has it.
func flag(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
