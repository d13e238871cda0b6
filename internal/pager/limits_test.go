package pager

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/exporter/metric"
)

// firing makes an alert that fires since the beginning.
func firing(name, service string) Alert {
	return Alert{
		Labels: Labels{alertName: name, metric.Severity: metric.Page, metric.Service: service}, Status: Firing, Starts: moment(0), Value: math.NaN(),
	}
}

// ended makes an alert of one that fires.
func ended(a Alert, at Moment) Alert {
	a.Status, a.Ends = Resolved, at
	return a
}

// notify hands in the notification of a group of an Alertmanager.
func notify(p *Pager, at Moment, group string, alerts ...Alert) error {
	_, _, err := p.Notify(Notification{Origin: Alertmanager, GroupKey: group, Alerts: alerts, At: at})
	return err
}

// Where there is no room for another page, a notification is refused and
// changes nothing; the rule engine's is counted.
func TestNoRoomForPages(t *testing.T) {
	p := newPager(Limits{Open: 2})
	at := moment(time.Second)
	if err := notify(p, at, "g", firing("A", "a"), firing("A", "b")); err != nil {
		t.Fatal(err)
	}
	before := describePages(p)
	if err := notify(p, at, "h", ended(firing("A", "a"), at), firing("A", "c")); !errors.Is(err, ErrFull) {
		t.Errorf("a third page is answered with %v", err)
	}
	if got := describePages(p); got != before {
		t.Errorf("refused, it has changed\n%sto\n%s", before, got)
	}
	if err := notify(p, at, "h", firing("B", "a"), ended(firing("A", "d"), at)); err != nil {
		t.Errorf("what opens no page is answered with %v", err)
	}
	p.Observe(at, firing("A", "c"))
	if e := p.Advance(moment(time.Minute)); len(e.Events) != 0 || len(e.Notifications) != 1 || p.Stats().Refused != 1 {
		t.Errorf("the rule engine's page comes as %+v, with %+v", e, p.Stats())
	}
	if _, _, err := p.Resolve(1, Act{At: at}); err != nil {
		t.Fatal(err)
	}
	if err := notify(p, at, "h", firing("A", "c")); err != nil {
		t.Errorf("after a page is resolved, another is answered with %v", err)
	}
}

// Resolved pages make way for others, the oldest first, and are counted; their
// ids are not used again.
func TestResolvedPagesMakeWay(t *testing.T) {
	p := newPager(Limits{Resolved: 2})
	for i := range 5 {
		at := moment(time.Duration(i) * time.Minute)
		if err := errors.Join(notify(p, at, "g", firing("A", "a")), notify(p, at, "g", ended(firing("A", "a"), at))); err != nil {
			t.Fatal(err)
		}
	}
	if all := p.Pages(Filter{}); len(all) != 2 || all[0].ID != 4 || all[1].ID != 5 || p.Stats().Forgotten != 3 {
		t.Errorf("there are %d pages and %+v", len(all), p.Stats())
	}
	var unknown UnknownError
	if _, err := p.Page(3); !errors.As(err, &unknown) || len(unknown.Known) != 2 {
		t.Errorf("page 3 gives %v", err)
	}
	if _, err := p.Page(4); err != nil {
		t.Error(err)
	}
}

// A page keeps so many alerts; those that ended make way, and the rest are
// counted and keep the page open.
func TestNoRoomForAlerts(t *testing.T) {
	p := newPager(Limits{Alerts: 2})
	at := moment(time.Second)
	deliver := func(alerts ...Alert) Page {
		t.Helper()
		if err := notify(p, at, "g", alerts...); err != nil {
			t.Fatal(err)
		}
		one, err := p.Page(1)
		if err != nil {
			t.Fatal(err)
		}
		return one
	}
	a, b, c := firing("A", "a"), firing("B", "a"), firing("C", "a")
	if one := deliver(a, b, c); len(one.Alerts) != 2 || one.More != 1 {
		t.Errorf("of three alerts there are %d and %d more", len(one.Alerts), one.More)
	}
	if one := deliver(ended(a, at), ended(b, at), c); one.State == Closed || one.Forgotten != 1 || one.Alerts[1].Name() != "C" || one.More != 0 {
		t.Errorf("an alert for which there is room now is in %+v", one)
	}
	if one := deliver(ended(c, at)); one.State != Closed {
		t.Errorf("all alerts have ended, and the page is %s", one.State)
	}
}

// What all pages keep is bounded: resolved ones make way for it, and open ones
// count alerts that they do not keep.
func TestNoRoomForAnything(t *testing.T) {
	p := newPager(Limits{Total: 10, Open: 50, Sources: 3})
	for i := range 40 {
		at := moment(time.Duration(i) * time.Second)
		for j := range 5 {
			err := notify(p, at, fmt.Sprintf("g%d of %d", j, i), firing(fmt.Sprintf("A%d", i), fmt.Sprintf("s%d", i)))
			if full := j >= 3; full != errors.Is(err, ErrFull) || !full && err != nil {
				t.Fatalf("group %d of page %d is answered with %v", j, i, err)
			}
		}
		if i%2 == 0 {
			if _, _, err := p.Resolve(i+1, Act{At: at}); err != nil {
				t.Fatal(err)
			}
		}
		kept := 0
		for _, one := range p.Pages(Filter{}) {
			kept += len(one.Alerts)
			if one.State != Closed && len(one.Alerts)+one.More == 0 {
				t.Errorf("page %d is open for nothing", one.ID)
			}
		}
		if kept > 10 {
			t.Fatalf("%d alerts are kept after %d pages", kept, i+1)
		}
	}
	if open := p.Pages(Filter{Open: true}); len(open) != 20 {
		t.Errorf("%d pages are open", len(open))
	}
}

// A page that goes on for months keeps its beginning and what was last.
func TestHistoryIsBounded(t *testing.T) {
	p := newPager(Limits{History: 10})
	a := firing("A", "a")
	a.Annotations = Labels{summaryAnnotation: strings.Repeat("ü", 1000)}
	for i := range 100 {
		at := moment(time.Duration(i) * time.Minute)
		if err := errors.Join(notify(p, at, "g", firing("B", "a"), a), notify(p, at, "g", firing("B", "a"), ended(a, at))); err != nil {
			t.Fatal(err)
		}
	}
	one, err := p.Page(1)
	if err != nil || len(one.History) != 10 || one.History[0].Kind != opened || one.HistoryGap != 190 || one.History[9].Kind != alertResolved {
		t.Errorf("%v: the history is %d and %d entries, from %+v to %+v", err, one.HistoryGap, len(one.History), one.History[0], one.History[len(one.History)-1])
	}
	if got := one.History[9].Summary; len(got) > maxWords+len("…") || !strings.HasSuffix(got, "ü…") {
		t.Errorf("a summary is kept as %q", got)
	}
}

// What a reader has got does not change under them.
func TestPagesAreCopies(t *testing.T) {
	p := newPager(Limits{})
	if err := notify(p, moment(0), "g", firing("A", "a"), firing("B", "a")); err != nil {
		t.Fatal(err)
	}
	before := p.Pages(Filter{})[0]
	at := moment(time.Minute)
	if _, _, err := p.Acknowledge(1, Act{Actor: "ann", At: at}); err != nil {
		t.Fatal(err)
	}
	if err := notify(p, at, "g", ended(firing("A", "a"), at)); err != nil {
		t.Fatal(err)
	}
	if before.State != Triggered || before.Acknowledgement != nil || before.Alerts[0].Status != Firing || len(before.Alerts[0].Origins) != 1 || len(before.History) != 1 {
		t.Errorf("the page of before is %+v", before)
	}
}

// Another drill begins with nothing, and from 1.
func TestReset(t *testing.T) {
	p := newPager(Limits{})
	p.Observe(moment(0), firing("A", "a"))
	p.Advance(moment(time.Minute))
	p.Reset(2, epoch, moment(time.Minute).Wall)
	if _, due := p.Due(); due || len(p.Pages(Filter{})) != 0 || p.Run() != 2 {
		t.Errorf("after Reset there are %v", p.Pages(Filter{}))
	}
	p.Advance(moment(10 * time.Hour))
	if got := describePages(p); got != "" {
		t.Errorf("an alert of before comes back:\n%s", got)
	}
	receipt, _, err := p.Notify(Notification{Origin: Alertmanager, GroupKey: "g", Alerts: []Alert{firing("A", "a")}, At: moment(11 * time.Hour)})
	if err != nil || receipt.Outdated != 1 || len(receipt.Pages) != 0 {
		t.Errorf("an Alertmanager's alert of before gives %+v, %v", receipt, err)
	}
}

// An alert that calls somebody under another name is a page, from whichever
// source; what the source has given stays as it was.
func TestOtherNamesOfPages(t *testing.T) {
	p := New(Config{Policy: newPager(Limits{}).Policy(), Page: func(l Labels) bool { return l[metric.Severity] == "critical" || l["team"] == "web" }})
	p.Reset(1, epoch, wallEpoch)
	critical := firing("A", "a")
	critical.Labels[metric.Severity] = "critical"
	p.Observe(moment(0), critical, Alert{Labels: Labels{"team": "web"}, Status: Firing, Starts: moment(0)}, Alert{Status: Firing, Starts: moment(0)})
	p.Advance(moment(time.Minute))
	if err := notify(p, moment(time.Minute), "g", critical); err != nil {
		t.Fatal(err)
	}
	all := p.Pages(Filter{Severity: alerts.Page})
	if len(all) != 2 || len(all[0].Alerts) != 1 || len(all[0].Alerts[0].Origins) != 2 || p.Stats().Ignored != 1 || critical.Labels[metric.Severity] != "critical" {
		t.Errorf("the pages are %+v, of %v", all, critical.Labels)
	}
}

// On the wall clock the spans are of the wall clock.
func TestWallClock(t *testing.T) {
	p := New(Config{Policy: newPager(Limits{}).Policy(), Wall: true})
	p.Reset(1, epoch, wallEpoch)
	p.Observe(moment(0), firing("A", "a"))
	if due, ok := p.Due(); !ok || !due.Equal(wallEpoch.Add(30*time.Second)) {
		t.Errorf("due %v", due)
	}
	p.Advance(moment(29 * time.Minute)) // 29 s of the wall clock
	if got := describePages(p); got != "" {
		t.Errorf("too early:\n%s", got)
	}
	e := p.Advance(moment(31 * time.Minute))
	if len(e.Events) != 1 || e.Events[0].At != 31*60 || !e.Notifications[0].At.Wall.Equal(wallEpoch.Add(30*time.Second)) {
		t.Errorf("it comes as %+v", e)
	}
}

// Counts tell apart by severity and state, with those that are none.
func TestStats(t *testing.T) {
	p := newPager(Limits{})
	p.Observe(moment(0), firing("A", "a"), firing("A", "b"), Alert{Labels: Labels{alertName: "Watchdog", metric.Severity: metric.None}, Status: Firing, Starts: moment(0)})
	p.Advance(moment(time.Minute))
	if _, _, err := p.Acknowledge(2, Act{At: moment(time.Minute)}); err != nil {
		t.Fatal(err)
	}
	s := p.Stats()
	got := map[string]int{}
	for _, c := range s.Pages {
		got[string(c.Severity)+" "+string(c.State)] = c.Pages
	}
	if len(s.Pages) != 9 || got["page triggered"] != 1 || got["page acknowledged"] != 1 || got["page resolved"] != 0 || s.Ignored != 1 {
		t.Errorf("the counts are %v of %+v", got, s)
	}
}
