package driver

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/firedrill/firedrill/simulator"
)

func TestSubscribersSeeEveryEvent(t *testing.T) {
	inBubble(t, Config{Speed: 60}, func(b *bench) {
		first, second := b.Subscribe(100), b.Subscribe(100)
		defer first.Close()
		defer second.Close()
		b.pass(time.Second)
		for _, s := range []*Subscription{first, second} {
			events, missed, err := s.Next(b.ctx)
			if err != nil || missed != 0 || len(events) != 6 {
				t.Fatalf("a subscriber gets %d events, %d missed, %v; want 6", len(events), missed, err)
			}
			last := events[5]
			if last.Run != 1 || last.At != 50 || last.Kind != "told" || !last.Start.Equal(newYear) {
				t.Errorf("the last event is %+v", last)
			}
		}
	})
}

// A subscriber that does not take its events loses the oldest, is told how
// many, and never holds up the simulation.
func TestSlowSubscriberIsToldWhatItMissed(t *testing.T) {
	inBubble(t, Config{Speed: 60}, func(b *bench) {
		slow := b.Subscribe(4)
		defer slow.Close()
		b.pass(10 * time.Second)
		b.wantTick(600)
		events, missed, err := slow.Next(b.ctx)
		if err != nil || missed != 56 || len(events) != 4 || events[0].At != 560 {
			t.Errorf("the subscriber gets %d events from tick %d on, %d missed, %v", len(events), events[0].At, missed, err)
		}
		b.pass(time.Second)
		if events, missed, err := slow.Next(b.ctx); err != nil || missed != 2 || len(events) != 4 {
			t.Errorf("later it gets %d events, %d missed, %v", len(events), missed, err)
		}
	})
}

func TestSubscriberWaits(t *testing.T) {
	inBubble(t, Config{Start: StartManual}, func(b *bench) {
		s := b.Subscribe(4)
		defer s.Close()
		ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
		defer cancel()
		_, _, err := s.Next(ctx)
		wantErr(t, err, context.DeadlineExceeded)

		must(t)(b.Advance(b.ctx, 1))
		if events, _, err := s.Next(b.ctx); err != nil || len(events) != 1 {
			t.Errorf("after a step it gets %d events, %v", len(events), err)
		}
	})
}

func TestSubscriptionsEnd(t *testing.T) {
	inBubble(t, Config{}, func(b *bench) {
		s, closed := b.Subscribe(100), b.Subscribe(100)
		closed.Close()
		b.pass(time.Second)
		b.cancel()
		synctest.Wait()
		if events, _, err := s.Next(b.ctx); err != nil || len(events) != 6 {
			t.Errorf("what happened before the stop is lost: %d events, %v", len(events), err)
		}
		_, _, err := s.Next(b.ctx)
		wantErr(t, err, ErrStopped)
		_, _, err = b.Subscribe(1).Next(b.ctx)
		wantErr(t, err, ErrStopped)
		if len(closed.queue) != 0 {
			t.Error("a closed subscription got events")
		}
	})
}

// What somebody brings about between two seconds is told as well.
func TestChangeIsTold(t *testing.T) {
	inBubble(t, Config{Start: StartManual}, func(b *bench) {
		s := b.Subscribe(4)
		defer s.Close()
		before, err := b.Snapshot(b.ctx)
		if err != nil {
			t.Fatal(err)
		}
		err = b.Change(b.ctx, func(r *run) []simulator.Event {
			return []simulator.Event{{At: r.Now(), Kind: "changed"}}
		})
		if err != nil {
			t.Fatal(err)
		}
		if events, _, err := s.Next(b.ctx); err != nil || len(events) != 1 || events[0].Kind != "changed" {
			t.Errorf("the subscriber gets %+v, %v", events, err)
		}
		if after, _ := b.Snapshot(b.ctx); after == before {
			t.Error("readers get a snapshot from before the change")
		}
	})
}
