package pager

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/simulator"
)

var update = flag.Bool("update", false, "rewrite the traces in testdata")

// epoch is when the drills of the tests begin; wallEpoch is when that is.
var (
	epoch     = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	wallEpoch = time.Date(2030, 7, 1, 12, 0, 0, 0, time.UTC)
)

// moment is a moment of the tests, whose speed is 60.
func moment(since time.Duration) Moment {
	return Moment{Simulated: epoch.Add(since), Wall: wallEpoch.Add(since / 60)}
}

func newPager(limits Limits) *Pager {
	p := New(Config{Policy: alerts.PagerPolicy(), Limits: limits})
	p.Reset(1, epoch, wallEpoch)
	return p
}

// A trace is a file of lines that begin with > and a time, say what somebody
// does then, and are followed by what comes of it:
//
//	> 0s fire NAME label=value …    the rule engine says that an alert fires
//	> 0s end NAME label=value …     … that it has ended
//	> 30s                           time has come so far
//	> 30s am KEY +A label=value … / -B …   an Alertmanager notifies of a group: + fires, - has ended; truncated=N
//	> 40s ack 1 ann why             somebody acknowledges
//	> 40s resolve 1 ann why         somebody resolves
//	> 40s pages                     all pages
func TestTraces(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("traces: %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := retrace(t, string(text))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(text), got); diff != "" {
				t.Errorf("the pager does otherwise (-want +got; -update rewrites the file):\n%s", diff)
			}
		})
	}
}

// retrace does what the lines of a trace say and returns it with what comes of
// it.
func retrace(t *testing.T, text string) string {
	p := newPager(Limits{})
	began := map[string]Moment{}
	var out strings.Builder
	for line := range strings.Lines(text) {
		command, is := strings.CutPrefix(strings.TrimSpace(line), "> ")
		switch {
		case is:
			out.WriteString(line)
			out.WriteString(play(t, p, began, strings.Fields(command)))
		case strings.HasPrefix(line, "#") || line == "\n":
			out.WriteString(line)
		}
	}
	return out.String()
}

// play does what one line says.
func play(t *testing.T, p *Pager, began map[string]Moment, words []string) string {
	t.Helper()
	since, err := time.ParseDuration(words[0])
	if err != nil {
		t.Fatal(err)
	}
	at := moment(since)
	words = append(words[1:], "", "", "")
	switch words[0] {
	case "":
		return describe(p, p.Advance(at))
	case "fire", "end":
		a := alertOf(words[1:], words[0] == "fire", at, began)
		return describe(p, p.Observe(at, a))
	case "am":
		receipt, events, err := p.Notify(notificationOf(t, words[1:], at, began))
		return describe(p, Effects{Events: events}) + fmt.Sprintf("pages %v, %d ignored, %d outdated, %v\n", receipt.Pages, receipt.Ignored, receipt.Outdated, err)
	case "ack", "resolve":
		id, _ := strconv.Atoi(words[1])
		do := p.Acknowledge
		if words[0] == "resolve" {
			do = p.Resolve
		}
		_, events, err := do(id, Act{Actor: words[2], Note: strings.TrimSpace(strings.Join(words[3:], " ")), At: at})
		if err != nil {
			return err.Error() + "\n"
		}
		return describe(p, Effects{Events: events})
	case "pages":
		return describePages(p)
	}
	t.Fatalf("no command %q", words[0])
	return ""
}

// alertOf makes an alert of a name and labels.
func alertOf(words []string, fires bool, at Moment, began map[string]Moment) Alert {
	a := Alert{Labels: Labels{alertName: words[0]}, Status: Resolved, Value: math.NaN()}
	for _, word := range words[1:] {
		if name, value, ok := strings.Cut(word, "="); ok {
			a.Labels[name] = value
		}
	}
	a.Annotations = Labels{summaryAnnotation: words[0] + " is bad", runbookAnnotation: "https://example.org/" + words[0]}
	key := a.Labels.key()
	if fires {
		a.Status = Firing
		if _, known := began[key]; !known {
			began[key] = at
		}
		a.Starts = began[key]
		return a
	}
	a.Starts, a.Ends = began[key], at
	delete(began, key)
	return a
}

func notificationOf(t *testing.T, words []string, at Moment, began map[string]Moment) Notification {
	t.Helper()
	n := Notification{Origin: Alertmanager, GroupKey: words[0], At: at}
	for part := range strings.SplitSeq(strings.Join(words[1:], " "), "/") {
		fields := strings.Fields(part)
		if text, ok := strings.CutPrefix(fields[0], "truncated="); ok {
			n.Truncated, _ = strconv.Atoi(text)
			continue
		}
		fires := fields[0][0] == '+'
		fields[0] = fields[0][1:]
		n.Alerts = append(n.Alerts, alertOf(fields, fires, at, began))
	}
	return n
}

// describe writes effects and when something is due next.
func describe(p *Pager, e Effects) string {
	var b strings.Builder
	for _, n := range e.Notifications {
		fmt.Fprintf(&b, "at %s %s %s:", n.At.Simulated.Sub(epoch), n.Status(), n.GroupKey)
		for _, a := range n.Alerts {
			fmt.Fprintf(&b, " %s %s", a.Name(), a.Status)
		}
		b.WriteString("\n")
	}
	for _, event := range e.Events {
		b.WriteString(describeEvent(event))
	}
	if due, ok := p.Due(); ok {
		fmt.Fprintf(&b, "due %s\n", due.Sub(epoch))
	}
	return b.String()
}

func describeEvent(e simulator.Event) string {
	words := []string{fmt.Sprintf("%d", e.At), e.Kind, e.Service}
	for _, f := range e.Fields {
		words = append(words, fmt.Sprintf("%s=%v", f.Name, f.Value))
	}
	return strings.Join(words, " ") + "\n"
}

func describePages(p *Pager) string {
	var b strings.Builder
	for _, one := range p.Pages(Filter{}) {
		fmt.Fprintf(&b, "%s %d %s %s %q since %s", one.Severity, one.ID, one.State, one.Group, one.Title, one.Opened.Simulated.Sub(epoch))
		if a := one.Acknowledgement; a != nil {
			fmt.Fprintf(&b, ", acknowledged by %s at %s", a.Actor, a.At.Simulated.Sub(epoch))
		}
		if r := one.Resolution; r != nil {
			fmt.Fprintf(&b, ", resolved %s at %s", r.How(), r.At.Simulated.Sub(epoch))
		}
		if one.Silenced {
			b.WriteString(", silenced")
		}
		fmt.Fprintf(&b, "; %d notifications", one.Notifications)
		for _, a := range one.Alerts {
			fmt.Fprintf(&b, "; %s %s since %s %v", a.Name(), a.Status, a.Starts.Simulated.Sub(epoch), a.Origins)
		}
		b.WriteString("\n")
	}
	return b.String()
}
