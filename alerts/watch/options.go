package watch

import (
	"errors"
	"fmt"
	"time"

	"github.com/firedrill/firedrill/alerts/promengine"
)

// Options say what a Watch evaluates and when it scrapes.
type Options struct {
	Rules  []promengine.Source
	Engine promengine.Options // an interval of 0 is 30 s here

	// Origin is a time of which scrapes are whole intervals away: that of tick 0
	// where the simulation's own time counts.
	Origin time.Time
	// Scrape is the time between scrapes; 0 is 15 s. On simulated time, which
	// passes in seconds, it is a whole number of them.
	Scrape time.Duration
	// Begin is the first time at which something may be due; zero is Origin.
	Begin time.Time
	// Stretch is how much time Gather evaluates at once; 0 is six hours.
	Stretch time.Duration
	// Natives keeps native histograms even where no rule reads one: they are
	// most of what there is to keep.
	Natives bool
}

const (
	defaultScrape   = 15 * time.Second
	defaultInterval = 30 * time.Second
	defaultStretch  = 6 * time.Hour
)

func (o Options) withDefaults() Options {
	if o.Engine.Interval == 0 {
		o.Engine.Interval = defaultInterval
	}
	if o.Scrape == 0 {
		o.Scrape = defaultScrape
	}
	if o.Begin.IsZero() {
		o.Begin = o.Origin
	}
	if o.Stretch == 0 {
		o.Stretch = defaultStretch
	}
	return o
}

// validate reports everything that is wrong with the options but the rules.
func (o Options) validate() error {
	var errs []error
	report := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	report(o.Scrape < 0, "scrape interval %v is below 0", o.Scrape)
	report(o.Engine.Interval < 0, "evaluation interval %v is below 0", o.Engine.Interval)
	report(o.Stretch < 0, "a stretch of %v is below 0", o.Stretch)
	return errors.Join(errs...)
}
