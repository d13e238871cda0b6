package main

import (
	"math"
	"net/url"
	"time"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/internal/admin"
	"github.com/firedrill/firedrill/internal/driver"
	"github.com/firedrill/firedrill/internal/pager"
	"github.com/firedrill/firedrill/internal/pager/notify"
	"github.com/firedrill/firedrill/simulator"
)

// desk hands the alerts of the Prometheus in the process to the pager, on the
// goroutine of the driver.
type desk struct {
	pager    *pager.Pager
	wall     bool // the rules are on the wall clock
	external labels.Labels
	sender   *notify.Sender // sends the pager's notifications on
	query    string         // URL of queries to the Prometheus in the process

	links map[ruleName]string // where the expressions of rules can be looked at

	start time.Time               // simulated time of tick 0
	since map[string]pager.Moment // when the alerts that fire began to
}

// newDesk returns a desk; home is the URL of the API.
func newDesk(p *pager.Pager, what monitoring, sender *notify.Sender, home string) *desk {
	d := &desk{pager: p, wall: what.wall, external: what.watch.Engine.ExternalLabels, sender: sender, since: map[string]pager.Moment{}}
	d.query = home + nowBase + "/api/v1/query"
	if d.wall {
		d.query = home + admin.PrometheusBase + "/api/v1/query"
	}
	return d
}

// ruleName tells rules apart.
type ruleName struct {
	file, group string
	index       int
}

// read notes where the expressions of the rules can be looked at.
func (d *desk) read(e *promengine.Engine) {
	d.links = map[ruleName]string{}
	for _, r := range e.Rules() {
		d.links[ruleName{r.File, r.Group, r.Index}] = d.query + "?" + url.Values{"query": {r.Expr}}.Encode()
	}
}

// begin forgets the alerts of the run before.
func (d *desk) begin(s driver.Status) {
	d.start = s.Start
	clear(d.since)
}

// due returns the first tick after the given one at which the pager has
// something to do, far away where it has not.
func (d *desk) due(after simulator.Tick) simulator.Tick {
	at, waits := d.pager.Due()
	if !waits {
		return farAway
	}
	return max(after+1, simulator.Tick((at.Sub(d.start)+time.Second-1)/time.Second))
}

// hear gives the pager what has become of alerts up to now, and lets it do what
// is due. It returns what has happened.
func (d *desk) hear(now pager.Moment, transitions []promengine.Transition) []simulator.Event {
	var events []simulator.Event
	for len(transitions) > 0 {
		at := d.at(now, transitions[0].Time)
		var news []pager.Alert
		for len(transitions) > 0 && d.at(now, transitions[0].Time) == at {
			if alert, isNews := d.alert(transitions[0], at); isNews {
				news = append(news, alert)
			}
			transitions = transitions[1:]
		}
		if len(news) > 0 {
			events = append(events, d.pass(d.pager.Observe(at, news...))...)
		}
	}
	return append(events, d.pass(d.pager.Advance(now))...)
}

// pass sends on what the pager wants sent and returns what has happened.
func (d *desk) pass(e pager.Effects) []simulator.Event {
	d.sender.Send(e.Notifications...)
	return e.Events
}

// at returns the moment now as it was at the time t on the clock of the rules.
func (d *desk) at(now pager.Moment, t time.Time) pager.Moment {
	if d.wall {
		now.Wall = t
	} else {
		now.Simulated = t
	}
	return now
}

// alert returns what the pager is told of a change, where it concerns it: an
// alert begins to fire, or one that the pager knows has ended.
func (d *desk) alert(c promengine.Transition, at pager.Moment) (pager.Alert, bool) {
	out := pager.Alert{
		Labels: labelsOf(c.Alert.Labels, d.external), Annotations: labelsOf(c.Alert.Annotations), Value: c.Alert.Value,
		GeneratorURL: d.links[ruleName{c.Alert.File, c.Alert.Group, c.Alert.Index}],
	}
	key := out.Labels.String()
	switch {
	case c.Alert.State == promengine.Firing:
		out.Status, out.Starts = pager.Firing, at
		d.since[key] = at
		return out, true
	case c.From == promengine.Firing:
		since, known := d.since[key]
		delete(d.since, key)
		out.Status, out.Starts, out.Ends = pager.Resolved, since, at
		return out, known
	}
	return pager.Alert{}, false
}

// labelsOf returns labels as the pager has them. The first that has a name wins.
func labelsOf(all ...labels.Labels) pager.Labels {
	out := pager.Labels{}
	for _, list := range all {
		list.Range(func(l labels.Label) {
			if _, taken := out[l.Name]; !taken {
				out[l.Name] = l.Value
			}
		})
	}
	return out
}

// farAway is later than every tick.
const farAway = simulator.Tick(math.MaxInt64)
