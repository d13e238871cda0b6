package simulator_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

// bell is a model that notes what reaches it. A command applies at the next
// multiple of its grain.
type bell struct {
	grain simulator.Tick
	heard []string
	now   simulator.Tick
}

func (b *bell) Check(cmd simulator.Command, args schema.Values) (simulator.Tick, error) {
	if args.Get("times").Int() == 13 {
		return 0, errors.New("thirteen is unlucky")
	}
	return (cmd.At + b.grain - 1) / b.grain * b.grain, nil
}

func (b *bell) Step(now simulator.Tick, due []simulator.Due, events []simulator.Event) []simulator.Event {
	b.now = now + 1
	for _, d := range due {
		b.heard = append(b.heard, fmt.Sprintf("%d:%s*%d", now, d.ID, d.Values.Get("times").Int()))
		events = append(events, simulator.Event{At: now, Service: d.Service, Kind: "rang"})
	}
	return events
}

func (b *bell) Settings() []simulator.Setting     { return nil }
func (b *bell) Healthy() bool                     { return true }
func (b *bell) Snapshot() any                     { return slices.Clone(b.heard) }
func (b *bell) AppendRow(dst []float64) []float64 { return append(dst, float64(b.now)) }
func (b *bell) AppendTrace(dst []byte) []byte     { return fmt.Append(dst, b.heard) }

var bellKind = &simulator.Kind{
	Name:    "bell",
	Columns: []simulator.Column{{Key: "now"}},
	Actions: []schema.Action{{Name: "ring", Args: schema.Specs{
		{Name: "times", Kind: schema.Integer, Min: 1, Max: 20, Default: schema.OfInt(1), Help: "how often"}}}},
}

func newBells(t *testing.T, schedule ...simulator.Command) (*simulator.Engine, error) {
	t.Helper()
	return simulator.New(simulator.Config{
		Seed: 1, Start: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC), Schedule: schedule,
		Services: []simulator.Service{
			{Name: "fine", Kind: bellKind, Model: &bell{grain: 1}},
			{Name: "coarse", Kind: bellKind, Model: &bell{grain: 10}},
		},
	})
}

func ring(at simulator.Tick, service, id string) simulator.Command {
	return simulator.Command{At: at, Service: service, Do: "ring", ID: id}
}

// TestOrderWithinATick: the scenario's commands in file order, then the
// operators' in order of arrival, whatever came in first and whenever it was
// asked for.
func TestOrderWithinATick(t *testing.T) {
	e, err := newBells(t, ring(10, "coarse", "s1"), ring(3, "coarse", "s2"), ring(10, "coarse", "s3"))
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"o1", "o2"} {
		cmd := ring(0, "coarse", id)
		cmd.Source, cmd.At = simulator.Operator, 5
		receipt, err := e.Submit(cmd)
		if err != nil || receipt.Applies != 10 {
			t.Fatalf("%s: %+v, %v; want it to apply at 10", id, receipt, err)
		}
	}
	for range 11 {
		e.Step()
	}
	got := e.Snapshot().Services[1].State.([]string)
	want := []string{"10:s1*1", "10:s2*1", "10:s3*1", "10:o1*1", "10:o2*1"}
	if !slices.Equal(got, want) {
		t.Errorf("applied %v, want %v", got, want)
	}
}

// TestEventsTellWhoAndWhat: the event of a command carries its id, arguments
// and source, and is truth only where the scenario did it.
func TestEventsTellWhoAndWhat(t *testing.T) {
	e, err := newBells(t, ring(0, "fine", "story"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Submit(simulator.Command{Service: "fine", Do: "ring", Args: schema.Args{"times": "3"}, Source: simulator.Operator, Actor: `Ann "A."`})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, event := range e.Step() {
		lines = append(lines, fmt.Sprint(event.Truth)+" "+string(event.AppendJSON(nil, e.Start())))
	}
	want := []string{
		`true {"tick": 0, "time": "2026-01-05T09:00:00Z", "service": "fine", "event": "command_applied", "id": "story", "do": "ring", "source": "scenario"}`,
		`false {"tick": 0, "time": "2026-01-05T09:00:00Z", "service": "fine", "event": "command_applied", "do": "ring", "arg_times": "3", "source": "operator", "actor": "Ann \"A.\""}`,
		`false {"tick": 0, "time": "2026-01-05T09:00:00Z", "service": "fine", "event": "rang"}`,
		`false {"tick": 0, "time": "2026-01-05T09:00:00Z", "service": "fine", "event": "rang"}`,
	}
	if !slices.Equal(lines, want) {
		t.Errorf("events\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

// TestRefusals: a command that is refused says why and leaves no trace.
func TestRefusals(t *testing.T) {
	e, err := newBells(t)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		cmd  simulator.Command
		want string
	}{
		{simulator.Command{Service: "fin", Do: "ring"}, `service: "fin" is no service; allowed: fine, coarse (did you mean "fine"?)`},
		{simulator.Command{Service: "fine", Do: "rong"}, `do: "rong" is no action of a bell service; allowed: ring (did you mean "ring"?)`},
		{simulator.Command{Service: "fine", Do: "ring", Args: schema.Args{"times": 13}}, "thirteen is unlucky"},
		{simulator.Command{Service: "fine", Do: "ring", Actor: "a\nb"}, `actor: `},
		{simulator.Command{Service: "fine", Do: "ring", Args: schema.Args{"times": 21, "tims": 1}},
			`args.times: "21" is too large; allowed: a whole number from 1 to 20` + "\n" +
				`args.tims: "1" is no argument of ring`},
	} {
		_, err := e.Submit(c.cmd)
		if err == nil || !strings.HasPrefix(err.Error(), strings.Split(c.want, "\n")[0]) {
			t.Errorf("%v: refused with %v, want %s", c.cmd, err, c.want)
		}
		if n := strings.Count(c.want, "\n"); err != nil && strings.Count(err.Error(), "\n") != n {
			t.Errorf("%v: %q, want %d problems", c.cmd, err, n+1)
		}
	}
	if events := e.Step(); len(events) != 0 || len(e.Log()) != 0 {
		t.Errorf("refused commands left %v in the events and %v in the log", events, e.Log())
	}
}

// TestScheduleReportsAllProblems: a schedule is refused as a whole, each
// problem under its event.
func TestScheduleReportsAllProblems(t *testing.T) {
	_, err := newBells(t, ring(0, "fine", ""), ring(1, "fnie", ""), simulator.Command{Service: "coarse", Do: "sing"})
	want := []string{"events[1].service: ", "events[2].do: "}
	lines := strings.Split(fmt.Sprint(err), "\n")
	if len(lines) != len(want) || !strings.HasPrefix(lines[0], want[0]) || !strings.HasPrefix(lines[1], want[1]) {
		t.Errorf("refused with %v, want problems of %v", err, want)
	}
}

// TestCancelScript drops what the scenario still had in store, and only that.
func TestCancelScript(t *testing.T) {
	e, err := newBells(t, ring(0, "fine", "now"), ring(5, "fine", "later"))
	if err != nil {
		t.Fatal(err)
	}
	e.Step()
	cmd := ring(5, "fine", "mine")
	cmd.Source = simulator.Operator
	if _, err := e.Submit(cmd); err != nil {
		t.Fatal(err)
	}
	e.CancelScript()
	for range 10 {
		e.Step()
	}
	got := e.Snapshot().Services[0].State.([]string)
	if want := []string{"0:now*1", "5:mine*1"}; !slices.Equal(got, want) {
		t.Errorf("applied %v, want %v", got, want)
	}
}

// TestLogReplays: the log of a run, submitted to a new one, gives the same run.
func TestLogReplays(t *testing.T) {
	play := func(e *simulator.Engine, commands map[simulator.Tick][]simulator.Command) string {
		var out strings.Builder
		for range 30 {
			for _, cmd := range commands[e.Now()] {
				if _, err := e.Submit(cmd); err != nil {
					t.Fatal(err)
				}
			}
			for _, event := range e.Step() {
				fmt.Fprintln(&out, string(event.AppendJSON(nil, e.Start())))
			}
		}
		return out.String()
	}
	first, err := newBells(t, ring(20, "coarse", "story"))
	if err != nil {
		t.Fatal(err)
	}
	live := map[simulator.Tick][]simulator.Command{}
	for i, at := range []simulator.Tick{0, 7, 7, 11, 19} {
		live[at] = append(live[at], simulator.Command{Service: []string{"fine", "coarse"}[i%2], Do: "ring", Source: simulator.Operator, ID: fmt.Sprint(i)})
	}
	want := play(first, live)
	second, err := newBells(t, ring(20, "coarse", "story"))
	if err != nil {
		t.Fatal(err)
	}
	if got := play(second, map[simulator.Tick][]simulator.Command{0: first.Log()}); got != want {
		t.Errorf("the replay gave\n%s\nwant\n%s", got, want)
	}
}

// TestTakenCountsWhatOperatorsDid: not what the scenario does, and no faults.
func TestTakenCountsWhatOperatorsDid(t *testing.T) {
	kind := *bellKind
	kind.Actions = append(slices.Clone(bellKind.Actions), schema.Action{Name: "crack", Fault: true, Args: bellKind.Actions[0].Args})
	e, err := simulator.New(simulator.Config{
		Schedule: []simulator.Command{{At: 1, Service: "fine", Do: "ring"}},
		Script:   []simulator.Command{{At: 2, Service: "fine", Do: "ring"}},
		Services: []simulator.Service{{Name: "fine", Kind: &kind, Model: &bell{grain: 1}}, {Name: "coarse", Kind: &kind, Model: &bell{grain: 10}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, cmd := range []simulator.Command{{Service: "coarse", Do: "ring"}, {Service: "coarse", Do: "ring", At: 5}, {Service: "fine", Do: "crack"}} {
		cmd.Source = simulator.Operator
		if _, err := e.Submit(cmd); err != nil {
			t.Fatal(err)
		}
	}
	for range 6 {
		e.Step()
	}
	early := e.Snapshot()
	for range 6 {
		e.Step()
	}
	for name, c := range map[string]struct {
		snapshot *simulator.Snapshot
		want     string
	}{"before the second": {early, "fine [{ring 1}] coarse [{ring 1}]"}, "after it": {e.Snapshot(), "fine [{ring 1}] coarse [{ring 2}]"}} {
		fine, coarse := c.snapshot.Services[0], c.snapshot.Services[1]
		if got := fmt.Sprint("fine ", fine.Taken, " coarse ", coarse.Taken); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
