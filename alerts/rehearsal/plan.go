package rehearsal

import (
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// Plan says what is rehearsed.
type Plan struct {
	Scenario *scenario.Scenario
	Options  scenario.Options    // seed, overrides, whether the scripted operator acts
	Commands []simulator.Command // of an operator, each at its tick
	History  simulator.Tick      // before tick 0, whole minutes; 0 is none
	Length   simulator.Tick      // from tick 0; 0 is as long as the drill

	Rules          []promengine.Source
	Scrape         time.Duration // between scrapes, whole seconds; 0 is 15 s
	Interval       time.Duration // between evaluations of groups that do not say; 0 is 30 s
	Stagger        bool          // groups have the offsets that Prometheus gives them
	ExternalLabels labels.Labels

	// Stretch is how much simulated time is evaluated at once: longer is faster
	// and takes more memory. 0 is six hours.
	Stretch time.Duration
	// Steps evaluates the rules one evaluation after another, as a server that
	// lives through the scenario does. It is slow and gives the same.
	Steps bool
	// Progress, where it is set, is told now and then which tick is reached.
	Progress func(simulator.Tick)
}

const (
	defaultScrape   = 15 * time.Second
	defaultInterval = 30 * time.Second
	defaultStretch  = 6 * time.Hour
)

// withDefaults returns the plan with what is not given.
func (p Plan) withDefaults() Plan {
	if p.Scrape == 0 {
		p.Scrape = defaultScrape
	}
	if p.Interval == 0 {
		p.Interval = defaultInterval
	}
	if p.Stretch == 0 {
		p.Stretch = defaultStretch
	}
	if p.Length == 0 && p.Scenario != nil {
		p.Length = p.Scenario.Duration
	}
	return p
}

// validate reports everything that keeps a plan from being rehearsed.
func (p Plan) validate() error {
	var errs []error
	report := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	report(p.Scenario == nil, "rehearse: no scenario is given")
	report(p.Scrape < time.Second || p.Scrape%time.Second != 0, "rehearse: scrape interval %v is not a whole number of seconds, at least one", p.Scrape)
	report(p.Interval < time.Second || p.Interval%time.Second != 0, "rehearse: evaluation interval %v is not a whole number of seconds, at least one", p.Interval)
	report(p.Stretch < time.Second, "rehearse: a stretch of %v is less than a second", p.Stretch)
	report(p.Length < 0, "rehearse: a length of %d seconds is below 0", p.Length)
	report(p.History < 0 || p.History%simulator.Minute != 0, "rehearse: a history of %d seconds is not a whole number of minutes", p.History)
	return errors.Join(errs...)
}
