package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/internal/driver"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// eventQueue is how many events may wait to be looked at: more than those of a
// batch of seconds.
const eventQueue = 1000

// tell prints a line for every page that is opened or resolved, and for every
// drill that comes to its end by itself; whoever stops one is told by the answer.
// It returns when ctx or the driver ends, which is no error.
func (u *up) tell(ctx context.Context, w io.Writer, events *driver.Subscription) error {
	for {
		batch, _, err := events.Next(ctx)
		if errors.Is(err, driver.ErrStopped) || errors.Is(err, context.Canceled) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("follow the drill: %w", err)
		}
		for _, event := range batch {
			switch event.Kind {
			case "drill_ended":
				u.tellEnd(ctx, w, event)
			case "page_opened", "page_resolved":
				tellPage(w, event)
			}
		}
	}
}

// tellPage prints that somebody is called, or need not come any more. Tickets and
// notices wait for whoever looks.
func tellPage(w io.Writer, event driver.Event) {
	if field(event.Event, "severity") != metric.Page {
		return
	}
	id, at := field(event.Event, "page"), event.At.After(event.Start).Format("15:04")
	line := fmt.Sprintf("%s page %v is resolved", at, id)
	if event.Kind == "page_opened" {
		line = fmt.Sprintf("%s page %v: %s; %s page ack %v", at, id, plain(fmt.Sprint(field(event.Event, "title"))), program(), id)
	}
	fmt.Fprintln(w, line) // whoever read it may have gone
}

// tellEnd prints how the drill of an event ended, nothing where it was stopped
// or another one runs by now.
func (u *up) tellEnd(ctx context.Context, w io.Writer, event driver.Event) {
	var line string
	err := u.driver.Inspect(ctx, func(v driver.View[*scenario.Run]) {
		if v.Status.Run == event.Run && v.Run.End() == v.Run.Scenario().Duration {
			line = describeEnd(v.Run)
		}
	})
	if err == nil && line != "" {
		fmt.Fprintln(w, line) // whoever read it may have gone
	}
}

// describeEnd words how a drill ended by itself.
func describeEnd(run *scenario.Run) string {
	words := run.End().After(run.Start()).Format("15:04") + " the drill has ended"
	if met, all := countMet(run.Score()); all > 0 {
		return fmt.Sprintf("%s: %d of %d goals met; %s scenario stop shows them", words, met, all, program())
	}
	return words + "; " + program() + " scenario truth tells what really went on"
}
