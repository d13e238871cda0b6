package dashboards

import (
	"fmt"
	"math"
	"time"

	"github.com/firedrill/firedrill/exporter/metric"
)

// Speeds of the simulation that dashboards can be made for.
const (
	MinSpeed = 1
	MaxSpeed = 3600
)

// Options say for which Prometheus dashboards are made.
type Options struct {
	// Speed is how many simulated seconds pass in a second of the clock that
	// Prometheus lives on: 1 for the embedded one, which lives on simulated
	// time, whatever the speed of the simulation.
	Speed float64
	// ScrapeInterval is the interval of that Prometheus on its own clock.
	ScrapeInterval time.Duration
	// Runbooks is the URL that the names of the runbooks are appended to.
	Runbooks string
}

// DefaultOptions are those of the compose stack at a speed: a scrape a second
// where simulated time is in a hurry, else every 15 seconds as people do.
func DefaultOptions(speed float64) Options {
	o := Options{Speed: speed, ScrapeInterval: time.Second, Runbooks: metric.Runbooks}
	if speed == MinSpeed {
		o.ScrapeInterval = 15 * time.Second
	}
	return o
}

// scrapesNeeded is how many scrapes the window of a rate must hold: two make a
// rate, and one may fail or come late at either end.
const scrapesNeeded = 4

// longestWindow is the longest window of a rate, in simulated time: over more,
// a fault of a few minutes is lost.
const longestWindow = 5 * time.Minute

// Validate reports what keeps dashboards from showing anything.
func (o Options) Validate() error {
	if !(o.Speed >= MinSpeed && o.Speed <= MaxSpeed) {
		return fmt.Errorf("speed %g is out of range; allowed: %d to %d", o.Speed, MinSpeed, MaxSpeed)
	}
	if o.ScrapeInterval < time.Millisecond || o.ScrapeInterval%time.Millisecond != 0 {
		return fmt.Errorf("scrape interval %v is not a whole number of milliseconds", o.ScrapeInterval)
	}
	if held := o.scrapes(longestWindow); held < scrapesNeeded {
		return fmt.Errorf("at speed %g the longest window of a rate, %s, lasts %s and holds %.3g of the scrapes every %s; it needs %d: use a scrape interval of at most %s",
			o.Speed, metric.Span(longestWindow), metric.Span(o.clock(longestWindow)), held, metric.Span(o.ScrapeInterval), scrapesNeeded,
			metric.Span((o.clock(longestWindow) / scrapesNeeded).Truncate(time.Millisecond)))
	}
	return nil
}

// clock converts a span of simulated time to the clock of Prometheus, rounded
// to its grain, a millisecond.
func (o Options) clock(d time.Duration) time.Duration {
	return max(time.Millisecond, time.Duration(math.Round(float64(d)/o.Speed/1e6))*time.Millisecond)
}

// scrapes returns how many scrapes a span of simulated time holds.
func (o Options) scrapes(d time.Duration) float64 {
	return float64(o.clock(d)) / float64(o.ScrapeInterval)
}

// windows returns the windows that rates can have, in whole simulated minutes,
// and which of them they have at first: the shortest that still holds the
// scrapes needed when one is lost, else the longest.
func (o Options) windows() (all []time.Duration, first time.Duration) {
	for d := time.Minute; d <= longestWindow; d += time.Minute {
		if o.scrapes(d) < scrapesNeeded {
			continue
		}
		all = append(all, d)
		if first == 0 && o.scrapes(d) > scrapesNeeded {
			first = d
		}
	}
	if first == 0 {
		first = all[len(all)-1]
	}
	return all, first
}

// shown is how much simulated time is in view at first.
const shown = 3 * time.Hour

// timeRange returns the range that is shown at first, on the clock of
// Prometheus: one that people know, at least as long as what is to be in view.
func (o Options) timeRange() time.Duration {
	for _, d := range []time.Duration{5 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour} {
		if d >= o.clock(shown) {
			return d
		}
	}
	return shown
}

// refresh returns how often a dashboard is drawn anew: with every scrape, but
// not more often than Grafana can and not so seldom that a person waits.
func (o Options) refresh() time.Duration {
	return min(max(o.ScrapeInterval, time.Second), 5*time.Second).Truncate(time.Second)
}
