package series

import (
	"time"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/simulator"
)

// Labels say which target it is: discovery gives them to Prometheus. No two
// targets have the same.
type Labels struct {
	Job      string
	Instance string
	Service  string // "" where it belongs to no service
	Pod      string // "" where it is no pod
}

// Label is a label of a series.
type Label struct {
	Name, Value string
}

// Sorted returns the labels that are not empty by name.
func (l Labels) Sorted() []Label {
	return notEmpty([]Label{{metric.Instance, l.Instance}, {metric.Job, l.Job}, {metric.Pod, l.Pod}, {metric.Service, l.Service}})
}

// inPage returns the labels that a series has where one page holds all
// targets; Prometheus adds job and instance of the page.
func (l Labels) inPage() []Label {
	return notEmpty([]Label{{metric.Pod, l.Pod}, {metric.Service, l.Service}})
}

func notEmpty(labels []Label) []Label {
	kept := labels[:0]
	for _, l := range labels {
		if l.Value != "" {
			kept = append(kept, l)
		}
	}
	return kept
}

// Status is how a target stands at an update.
type Status struct {
	Since   simulator.Tick // when its process began to count
	Ended   simulator.Tick // when it went down or was taken away; 0 before
	Listed  bool           // discovery names it
	Answers bool           // a scrape of it succeeds
}

// Up reports whether Prometheus scrapes the target and gets an answer.
func (s Status) Up() bool { return s.Listed && s.Answers }

// Moment says when an update is: in simulated time and outside.
type Moment struct {
	Run   int // of the simulation; ticks compare within a run only
	Tick  simulator.Tick
	Wall  time.Time
	Speed float64 // simulated seconds a second
}

// wallOf estimates when the tick since was, going back at the present speed:
// not before low, which is zero where nothing is known, and not after now.
func (m Moment) wallOf(since simulator.Tick, low time.Time) time.Time {
	at := m.Wall
	if m.Speed > 0 && since < m.Tick {
		at = at.Add(-time.Duration(float64(m.Tick-since) / m.Speed * float64(time.Second)))
	}
	if at.Before(low) {
		return low
	}
	return at
}
