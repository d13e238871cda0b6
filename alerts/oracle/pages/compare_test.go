package pages_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/internal/pager"
)

// sent is a notification as both sides show it.
type sent struct {
	at     time.Time
	group  string
	alerts []string // each with its status
}

func (s sent) sorted() sent {
	slices.Sort(s.alerts)
	return s
}

// String writes it on a line.
func (s sent) String() string { return fmt.Sprint(s.at.Sub(born(s.at)), " ", s.group, " ", s.alerts) }

// born is when the clock of a bubble begins.
func born(t time.Time) time.Time { return time.Date(2000, 1, 1, 0, 0, 0, 0, t.Location()) }

// lines writes what was sent in an order in which both sides have it: by time,
// and what is sent at once by its group.
func lines(all []sent) []string {
	slices.SortStableFunc(all, func(a, b sent) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.group, b.group)) })
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = s.String()
	}
	return out
}

// actor is what makes alerts fire and end at random.
type actor struct {
	rng    *rand.Rand
	firing map[string]pager.Alert
}

// labels draws the labels of an alert, few enough to meet again.
func (a *actor) labels() pager.Labels {
	l := pager.Labels{"alertname": pick(a.rng, "A", "B", "C"), metric.Severity: pick(a.rng, "page", "page", "ticket", "warning", "none", "critical")}
	if service := pick(a.rng, "", "shop", "cdn"); service != "" {
		l[metric.Service] = service
	}
	if slo := pick(a.rng, "", "availability", "latency"); slo != "" {
		l[metric.SLO] = slo
	}
	return l
}

func pick[T any](rng *rand.Rand, all ...T) T { return all[rng.IntN(len(all))] }

// turn makes an alert fire, or end one that fires. Now and then one comes that
// has fired for long.
func (a *actor) turn(now pager.Moment) pager.Alert {
	l := a.labels()
	if a.rng.IntN(2) == 0 && len(a.firing) > 0 {
		l = a.firing[pick(a.rng, slices.Sorted(maps.Keys(a.firing))...)].Labels
	}
	if old, fires := a.firing[l.String()]; fires {
		delete(a.firing, l.String())
		old.Status, old.Ends = pager.Resolved, now
		return old
	}
	one := pager.Alert{Labels: l, Status: pager.Firing, Starts: now}
	if a.rng.IntN(8) == 0 {
		one.Starts.Simulated = now.Simulated.Add(-time.Duration(a.rng.IntN(60)) * time.Second)
	}
	a.firing[l.String()] = one
	return one
}

// The pager sends what Alertmanager sends with the shipped configuration, when
// it sends it. Every change comes at a fraction of a second of its own, so that
// none meets a notification, about whose order Alertmanager promises nothing.
func TestNotifications(t *testing.T) {
	const seeds, changes = 60, 60
	compared := 0
	for seed := range uint64(seeds) {
		synctest.Test(t, func(t *testing.T) {
			am, p := startAlertmanager(t), pager.New(pager.Config{Policy: alerts.PagerPolicy()})
			a := &actor{rng: rand.New(rand.NewPCG(seed, 1)), firing: map[string]pager.Alert{}}
			begin := time.Now()
			p.Reset(1, begin, begin)
			var ours []sent
			take := func(e pager.Effects) {
				for _, n := range e.Notifications {
					ours = append(ours, shown(n))
				}
			}
			since := time.Duration(0)
			for i := range changes {
				since += time.Duration(pick(a.rng, 0, 1, 1, 10, 10, 20, 50, 130, 600, 15_000)) * time.Second
				time.Sleep(time.Until(begin.Add(since + time.Duration(i)*time.Millisecond)))
				now := pager.Moment{Simulated: time.Now(), Wall: time.Now()}
				one := a.turn(now)
				am.put(t, one)
				take(p.Observe(now, one))
			}
			time.Sleep(5 * time.Hour)
			take(p.Advance(pager.Moment{Simulated: time.Now(), Wall: time.Now()}))
			theirs := am.all()
			compared += len(theirs)
			if diff := gocmp.Diff(lines(theirs), lines(ours)); diff != "" {
				t.Errorf("seed %d: the pager notifies otherwise than Alertmanager (-Alertmanager +pager):\n%s", seed, diff)
			}
		})
	}
	t.Logf("%d notifications", compared)
	if compared < seeds*changes/4 {
		t.Errorf("only %d notifications are compared", compared)
	}
}

// shown returns a notification of the pager as it is compared.
func shown(n pager.Notification) sent {
	s := sent{at: n.At.Simulated, group: n.GroupKey}
	for _, a := range n.Alerts {
		s.alerts = append(s.alerts, a.Labels.String()+" "+string(a.Status))
	}
	return s.sorted()
}

// The name of an alert is the one that Alertmanager gives it.
func TestFingerprints(t *testing.T) {
	a := &actor{rng: rand.New(rand.NewPCG(1, 2)), firing: map[string]pager.Alert{}}
	for range 100 {
		l := a.labels()
		l["pod"] = pick(a.rng, "", "ünï", "a\xff", `"quoted"`)
		if got, want := (pager.Alert{Labels: l}).Fingerprint(), fingerprint(l); got != want {
			t.Errorf("%s has the fingerprint %s, Alertmanager's is %s", l, got, want)
		}
	}
}
