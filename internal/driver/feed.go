package driver

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/firedrill/firedrill/simulator"
)

// Event is something that happened in a run.
type Event struct {
	simulator.Event
	Run   int       // number of the run
	Start time.Time // simulated time of the run's tick 0
}

// feed hands events out to subscribers.
type feed struct {
	mu    sync.Mutex
	ended bool
	all   []*Subscription
}

// Subscription is a subscriber's bounded queue of events. The driver never
// waits for a subscriber: in a full queue the oldest event makes way.
type Subscription struct {
	feed  *feed
	limit int
	wake  chan struct{} // holds a token while there is something to take

	// Guarded by feed.mu.
	queue  []Event
	missed int
	ended  bool
}

// Subscribe returns a queue of the events from now on that holds limit of them
// at most. The subscriber closes it.
func (d *Driver[R]) Subscribe(limit int) *Subscription { return d.feed.subscribe(limit) }

func (f *feed) subscribe(limit int) *Subscription {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := &Subscription{feed: f, limit: max(1, limit), wake: make(chan struct{}, 1), ended: f.ended}
	s.signal()
	f.all = append(f.all, s)
	return s
}

// publish gives the events to every subscriber.
func (f *feed) publish(run int, start time.Time, events []simulator.Event) {
	if len(events) == 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.all) == 0 {
		return
	}
	for _, event := range events {
		event.Fields = slices.Clone(event.Fields)
		for _, s := range f.all {
			s.put(Event{Event: event, Run: run, Start: start})
		}
	}
}

// end tells every subscriber that nothing more will come.
func (f *feed) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	for _, s := range f.all {
		s.ended = true
		s.signal()
	}
}

func (s *Subscription) put(event Event) {
	if len(s.queue) == s.limit {
		s.queue = s.queue[1:]
		s.missed++
	}
	s.queue = append(s.queue, event)
	s.signal()
}

// signal leaves a token for Next.
func (s *Subscription) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Next waits for events and returns them, and how many were lost before them
// because the subscriber did not take them in time. It returns ErrStopped
// after the driver's last event, or the error of ctx.
func (s *Subscription) Next(ctx context.Context) (events []Event, missed int, err error) {
	for {
		events, missed, ended := s.take()
		switch {
		case len(events) > 0:
			return events, missed, nil
		case ended:
			return nil, 0, ErrStopped
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
			return nil, 0, context.Cause(ctx)
		}
	}
}

func (s *Subscription) take() (events []Event, missed int, ended bool) {
	s.feed.mu.Lock()
	defer s.feed.mu.Unlock()
	events, missed = s.queue, s.missed
	s.queue, s.missed = nil, 0
	return events, missed, s.ended
}

// Close ends the subscription.
func (s *Subscription) Close() {
	s.feed.mu.Lock()
	defer s.feed.mu.Unlock()
	s.feed.all = slices.DeleteFunc(s.feed.all, func(other *Subscription) bool { return other == s })
}
