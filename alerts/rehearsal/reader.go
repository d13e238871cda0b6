package rehearsal

import (
	"context"
	"time"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/alerts/watch"
	"github.com/firedrill/firedrill/simulator"
)

// reader is a Prometheus on simulated time, and what it has found.
type reader struct {
	plan        Plan
	watch       *watch.Watch
	transitions []promengine.Transition
}

// newReader returns a reader of a simulation whose tick 0 is at start and which
// begins at another time.
func newReader(p Plan, start, begin time.Time) (*reader, error) {
	w, err := watch.New(watch.Options{
		Rules:  p.Rules,
		Engine: promengine.Options{Interval: p.Interval, Stagger: p.Stagger, ExternalLabels: p.ExternalLabels},
		Origin: start, Begin: begin, Scrape: p.Scrape, Stretch: p.Stretch,
	})
	if err != nil {
		return nil, err
	}
	return &reader{plan: p, watch: w}, nil
}

// rules returns the rules as they are now.
func (r *reader) rules() []Rule {
	far := r.watch.Engine().LooksBack()
	all := make([]Rule, len(far))
	for i, status := range r.watch.Engine().Rules() {
		all[i] = Rule{status, far[i]}
	}
	return all
}

// look scrapes the simulation where a scrape is due, and evaluates what is due.
func (r *reader) look(ctx context.Context, ts time.Time, snapshot func() *simulator.Snapshot) error {
	look := r.watch.Gather
	if r.plan.Steps {
		look = r.watch.Observe
	}
	return r.note(look(ctx, ts, watch.Simulated(1, r.plan.Scenario.Name, snapshot)))
}

// finish evaluates what is left up to a time.
func (r *reader) finish(ctx context.Context, ts time.Time) error {
	return r.note(r.watch.Finish(ctx, ts))
}

func (r *reader) note(transitions []promengine.Transition, err error) error {
	r.transitions = append(r.transitions, transitions...)
	return err
}
