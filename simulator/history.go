package simulator

import (
	"fmt"
	"time"
)

// Historian is a Model that can tell what it was like before tick 0. A model
// that cannot has no history: it is not among the services of a History's
// snapshots, and counts from 0 at tick 0.
type Historian interface {
	Model
	// Past returns the service as it was at the tick from, below 0 and a whole
	// minute: it stands as at tick 0, under the traffic of the opening minute,
	// and has counted nothing yet. Its processes have the names that they have
	// at tick 0 and began at from. What it draws comes from streams whose names
	// begin with history/. It is called before the first Step, and changes
	// nothing.
	Past(from Tick) Past
}

// Past is a service before tick 0. It holds its opening state: nothing is
// deployed, scaled, filled or drained, and what a firm reports of the month so
// far stays as it is. Requests come, are counted and are paid for.
type Past interface {
	// Step simulates the second that begins at now, below 0.
	Step(now Tick)
	// Snapshot returns an immutable picture of the state after the last Step,
	// of the type that the model's own has.
	Snapshot() any
	// End lets the snapshots of the model go on from here: what only grows
	// (counters, histograms, money) has this in front, and what began before
	// tick 0 says so. A process that starts anew counts from 0 as ever. What the
	// model does, its rows and its trace stay as they are without a past. It is
	// called after the last Step.
	End()
}

// History simulates what was before tick 0, so that those who look at an engine
// find the counters of running services, and readers of a history have one. It
// steps and is read like an engine; its ticks are below 0.
//
// With its last step the engine's snapshots go on where it ends. The engine
// itself does not depend on it: with a history and without it does the same.
type History struct {
	engine   *Engine
	now      Tick
	since    Tick
	pasts    []Past
	services []ServiceSnapshot // settings and row as at the opening
}

// History returns a history of the length d, a whole number of minutes, that
// ends where the engine begins. An engine has one at tick 0 only. A second one
// takes the place of the first.
func (e *Engine) History(d Tick) (*History, error) {
	if d < Minute || d%Minute != 0 {
		return nil, fmt.Errorf("simulate a history of %d seconds: it must be a whole number of minutes, at least one", d)
	}
	if e.now != 0 {
		return nil, fmt.Errorf("simulate a history at tick %d: it must end before the first step", e.now)
	}
	h := &History{engine: e, now: -d, since: -d}
	for _, service := range e.config.Services {
		model, ok := service.Model.(Historian)
		if !ok {
			continue
		}
		h.pasts = append(h.pasts, model.Past(-d))
		h.services = append(h.services, ServiceSnapshot{
			Name: service.Name, Kind: service.Kind.Name, Settings: model.Settings(), Row: model.AppendRow(nil), Taken: service.Kind.levers(),
		})
	}
	return h, nil
}

// Now returns the tick that the next Step simulates; 0 where the history is
// over.
func (h *History) Now() Tick { return h.now }

// Start returns the simulated time at tick 0, where the history ends.
func (h *History) Start() time.Time { return h.engine.Start() }

// Step simulates one second. After the last one it does nothing.
func (h *History) Step() {
	if h.now == 0 {
		return
	}
	for _, p := range h.pasts {
		p.Step(h.now)
	}
	if h.now++; h.now == 0 {
		h.end()
	}
}

// end lets the engine's snapshots go on from here.
func (h *History) end() {
	h.engine.since = h.since
	for _, p := range h.pasts {
		p.End()
	}
}

// Snapshot returns a picture of the services that have a history, after the
// last Step. Settings and rows are those of the opening.
func (h *History) Snapshot() *Snapshot {
	s := &Snapshot{Tick: h.now, Since: h.since, Start: h.engine.config.Start, Seed: h.engine.config.Seed,
		Services: make([]ServiceSnapshot, len(h.services))}
	copy(s.Services, h.services)
	for i, p := range h.pasts {
		s.Services[i].State = p.Snapshot()
	}
	return s
}
