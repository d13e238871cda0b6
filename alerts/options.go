package alerts

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/firedrill/firedrill/exporter/metric"
)

// Speeds of the simulation that rules can be made for.
const (
	MinSpeed = 1
	MaxSpeed = 3600
)

// EvaluationInterval is how often rules are evaluated, in simulated time.
const EvaluationInterval = 30 * time.Second

// Options say for which Prometheus rules are made.
type Options struct {
	// Speed is how many simulated seconds pass in a second of the clock that
	// Prometheus lives on: 1 for the embedded one, which lives on simulated
	// time, whatever the speed of the simulation.
	Speed float64
	// ScrapeInterval is the interval of that Prometheus on its own clock.
	ScrapeInterval time.Duration
	// Runbooks is the URL that the names of the runbooks are appended to.
	Runbooks string
	// Addresses are where the servers find each other.
	Addresses Addresses
}

// Addresses are where the servers of the stack find each other.
type Addresses struct {
	Discovery    string // URL of firedrill's Prometheus discovery
	Alertmanager string // host:port
	Webhook      string // URL of firedrill's pager for Alertmanager's webhook
}

// DefaultAddresses are those of the compose stack.
func DefaultAddresses() Addresses {
	return Addresses{
		Discovery:    "http://firedrill:9464/sd",
		Alertmanager: "alertmanager:9093",
		Webhook:      "http://firedrill:8080/api/v1/alertmanager",
	}
}

// DefaultOptions are those of the compose stack at a speed: a scrape a second
// where simulated time is in a hurry, else every 15 seconds as people do.
func DefaultOptions(speed float64) Options {
	o := Options{Speed: speed, ScrapeInterval: time.Second, Runbooks: metric.Runbooks, Addresses: DefaultAddresses()}
	if speed == MinSpeed {
		o.ScrapeInterval = 15 * time.Second
	}
	return o
}

// scrapesNeeded is how many scrapes the shortest window must hold: two make a
// rate, and one may fail or come late at either end.
const scrapesNeeded = 4

// Validate reports what keeps rules from working at these options.
func (o Options) Validate() error {
	if !(o.Speed >= MinSpeed && o.Speed <= MaxSpeed) {
		return fmt.Errorf("speed %s is out of range; allowed: %d to %d", number(o.Speed), MinSpeed, MaxSpeed)
	}
	if o.ScrapeInterval < time.Millisecond || o.ScrapeInterval%time.Millisecond != 0 {
		return fmt.Errorf("scrape interval %v is not a whole number of milliseconds", o.ScrapeInterval)
	}
	return o.validateScrapes()
}

// validateScrapes refuses a speed at which the shortest window holds too few
// scrapes, with the arithmetic and what would do.
func (o Options) validateScrapes() error {
	shortest := windows()[0]
	held := float64(shortest) / o.Speed / float64(o.ScrapeInterval)
	if held >= scrapesNeeded {
		return nil
	}
	speed, window, lasts, interval := number(o.Speed), metric.Span(shortest), metric.Span(o.clock(shortest)), metric.Span(o.ScrapeInterval)
	message := fmt.Sprintf("at speed %s the shortest window, %s, lasts %s / %s = %s and holds %s / %s = %s of the scrapes; it needs %d",
		speed, window, window, speed, lasts, lasts, interval, number(math.Round(held*100)/100), scrapesNeeded)
	return fmt.Errorf("%s: use %s", message, strings.Join(o.remedies(shortest), ", or "))
}

// remedies are what would make the shortest window hold enough scrapes.
func (o Options) remedies(shortest time.Duration) []string {
	var out []string
	if most := float64(shortest) / float64(o.ScrapeInterval) / scrapesNeeded; most >= MinSpeed {
		out = append(out, "a speed of at most "+number(math.Floor(most)))
	}
	longest := time.Duration(float64(shortest)/o.Speed/scrapesNeeded/1e6) * time.Millisecond
	return append(out, "a scrape interval of at most "+metric.Span(longest))
}

// clock converts a span of simulated time to the clock of Prometheus, rounded
// to its grain, a millisecond.
func (o Options) clock(d time.Duration) time.Duration {
	return max(time.Millisecond, time.Duration(math.Round(float64(d)/o.Speed/1e6))*time.Millisecond)
}

// of returns a span of a rule on the clock of Prometheus.
func (o Options) of(s span) time.Duration {
	if s.canonical == 0 {
		return s.wall
	}
	return o.clock(s.canonical)
}

// lookback is how long the last value of a series counts, in simulated time.
const lookback = 5 * time.Minute

// EvaluationInterval returns how often rules are evaluated on the clock of
// Prometheus.
func (o Options) EvaluationInterval() time.Duration { return o.clock(EvaluationInterval) }

// Lookback returns how long the last value of a series counts on the clock of
// Prometheus.
func (o Options) Lookback() time.Duration { return o.clock(lookback) }

// The servers that evaluate the rules and deliver the alerts.
const (
	prometheusServer   = "prometheus"
	alertmanagerServer = "alertmanager"
)

// Flag is a flag of a server that has to follow the speed.
type Flag struct {
	Server string // prometheus or alertmanager
	Name   string
	Value  string
	Why    string
}

// String writes the flag as a command line takes it.
func (f Flag) String() string { return "--" + f.Name + "=" + f.Value }

// Flags returns the flags without which the servers are too slow for the
// rules. At speed 1 their values are the servers' defaults, but for the last
// one, without which Alertmanager waits for peers that there are none of.
func (o Options) Flags() []Flag {
	scaled := func(name string, standard time.Duration, why string) Flag {
		return Flag{prometheusServer, name, metric.Span(o.clock(standard)), why}
	}
	return []Flag{
		scaled("query.lookback-delta", lookback, "how long the last value of a series counts"),
		scaled("rules.alert.resend-delay", time.Minute, "how long until an alert is sent again"),
		scaled("rules.alert.for-grace-period", 10*time.Minute, "how long an alert stays pending at least after a restart"),
		scaled("rules.alert.for-outage-tolerance", time.Hour, "how long an outage of Prometheus may be for pending alerts to outlast it"),
		{alertmanagerServer, "cluster.listen-address", "", "it has no peers to wait for"},
	}
}
