package pager

import (
	"fmt"

	"github.com/firedrill/firedrill/simulator"
)

// UnknownError refuses the id of a page that is not there.
type UnknownError struct {
	ID    int
	Known []int // ids that are there, in order
}

// Error says so.
func (e UnknownError) Error() string { return fmt.Sprintf("there is no page %d in this drill", e.ID) }

// ClosedError refuses what cannot be done to a page that is resolved.
type ClosedError struct {
	ID int
	Resolution
}

// Error says how the page ended.
func (e ClosedError) Error() string {
	return fmt.Sprintf("page %d is resolved already, %s", e.ID, e.How())
}

// How words how a page ended.
func (r Resolution) How() string {
	switch {
	case r.ByAlerts:
		return "its alerts have ended"
	case r.Actor == "":
		return "by somebody"
	}
	return "by " + r.Actor
}

// acknowledge says that somebody takes care of the page. The first who does is
// the one; who follows is recorded, unless it is the same with nothing to say.
func (p *page) acknowledge(act Act, history int) ([]simulator.Event, error) {
	if p.State == Closed {
		return nil, ClosedError{p.ID, *p.Resolution}
	}
	if p.Acknowledgement != nil && p.Acknowledgement.Actor == act.Actor && act.Note == "" {
		return nil, nil
	}
	if p.Acknowledgement == nil {
		p.State, p.Acknowledgement = Acknowledged, &act
	}
	return []simulator.Event{p.record(Entry{Kind: acknowledged, Act: act}, history)}, nil
}

// resolve ends the page by a person's decision. Its alerts may go on firing: the
// next notification of them opens another page.
func (p *page) resolve(act Act, history int) ([]simulator.Event, error) {
	if p.State == Closed {
		return nil, ClosedError{p.ID, *p.Resolution}
	}
	p.close(Resolution{Act: act})
	return []simulator.Event{p.record(Entry{Kind: resolved, Act: act}, history)}, nil
}
