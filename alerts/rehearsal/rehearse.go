package rehearsal

import (
	"context"
	"fmt"
	"time"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// Result is what came of a rehearsal.
type Result struct {
	Scenario *scenario.Scenario
	Seed     uint32
	Start    time.Time      // simulated time at tick 0
	Since    simulator.Tick // where it began: 0, or below with a history
	Reached  simulator.Tick // where it ended

	// Transitions are what became of alerts, in order, at simulated times. Those
	// before Start happened in the history.
	Transitions []promengine.Transition
	Rules       []Rule // in the order of the files
	Truth       scenario.Truth
	Score       []scenario.GoalScore
	Rows        []Rows // one a service
}

// Rule is a rule as it is at the end.
type Rule struct {
	promengine.RuleStatus
	LooksBack time.Duration // how far before an evaluation it reads samples, and how long it waits
}

// Rows are what a service reported minute by minute, from tick 0 on.
type Rows struct {
	Service string
	Columns []simulator.Column
	Minutes [][]float64 // by minute, then in the order of the columns
}

// TickOf returns the tick at a time.
func (r *Result) TickOf(t time.Time) simulator.Tick {
	return simulator.Tick(t.Sub(r.Start) / time.Second)
}

// Rehearse carries out a plan. Where ctx ends before it does, the error is that
// of ctx and the result holds what is known so far. Other errors are about the
// plan: its scenario.Options (schema.Problems), a command that a service refuses,
// or rules that Prometheus refuses, all of them, with file, line and column.
func Rehearse(ctx context.Context, p Plan) (*Result, error) {
	p = p.withDefaults()
	if err := p.validate(); err != nil {
		return nil, err
	}
	run, err := p.Scenario.NewRun(p.Options)
	if err != nil {
		return nil, err
	}
	for _, cmd := range p.Commands {
		if _, err := run.Submit(cmd); err != nil {
			return nil, fmt.Errorf("command %q at tick %d: %w", cmd.Do, cmd.At, err)
		}
	}
	r, err := newReader(p, run.Start(), (-p.History).After(run.Start()))
	if err != nil {
		return nil, err
	}
	s := &stage{plan: p, run: run, reader: r, rows: newRows(run)}
	err = s.play(ctx)
	return s.result(), err
}

// stage is where a plan is carried out.
type stage struct {
	plan   Plan
	run    *scenario.Run
	reader *reader
	rows   []Rows
}

// play simulates all of it.
func (s *stage) play(ctx context.Context) error {
	if s.plan.History > 0 {
		if err := s.history(ctx); err != nil {
			return err
		}
	}
	for s.run.Now() < s.plan.Length {
		if err := s.pass(ctx, s.run.Now(), s.run.Snapshot); err != nil {
			return err
		}
		s.step()
	}
	if err := s.pass(ctx, s.run.Now(), s.run.Snapshot); err != nil {
		return err
	}
	return s.reader.finish(ctx, s.run.Now().After(s.run.Start()))
}

// history simulates what was before tick 0.
func (s *stage) history(ctx context.Context) error {
	h, err := s.run.History(s.plan.History)
	if err != nil {
		return err
	}
	for h.Now() < 0 {
		if err := s.pass(ctx, h.Now(), h.Snapshot); err != nil {
			return err
		}
		h.Step()
	}
	return nil
}

// pass lets the reader look at a second that has come.
func (s *stage) pass(ctx context.Context, now simulator.Tick, snapshot func() *simulator.Snapshot) error {
	if now%simulator.Minute == 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.plan.Progress != nil {
			s.plan.Progress(now)
		}
	}
	return s.reader.look(ctx, now.After(s.run.Start()), snapshot)
}

// step simulates a second and notes the minute that it has begun.
func (s *stage) step() {
	first := s.run.Now()%simulator.Minute == 0
	s.run.Step()
	if !first {
		return
	}
	for i := range s.rows {
		s.rows[i].Minutes = append(s.rows[i].Minutes, s.run.AppendRow(nil, i))
	}
}

func newRows(run *scenario.Run) []Rows {
	rows := make([]Rows, len(run.Services()))
	for i, service := range run.Services() {
		rows[i] = Rows{Service: service.Name, Columns: service.Kind.Columns}
	}
	return rows
}

func (s *stage) result() *Result {
	return &Result{
		Scenario: s.plan.Scenario, Seed: s.run.Seed(), Start: s.run.Start(), Since: -s.plan.History, Reached: s.run.Now(),
		Transitions: s.reader.transitions, Rules: s.reader.rules(),
		Truth: s.run.Truth(), Score: s.run.Score(), Rows: s.rows,
	}
}
