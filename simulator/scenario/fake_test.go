package scenario

import (
	"fmt"
	"testing"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

// fakeKind is a small kind of model: a lamp that breaks and is mended, with a
// load that goes up by one a minute.
func fakeKind() *simulator.Kind {
	return &simulator.Kind{
		Name: "lamp",
		Config: schema.Specs{
			{Name: "level", Kind: schema.Integer, Min: 0, Max: 10, Default: schema.OfInt(5)},
			{Name: "most", Kind: schema.Integer, Min: 0, Max: 10, Default: schema.OfInt(10)},
			{Name: "glow", Kind: schema.Ratio, Max: 1, Default: schema.OfNumber(0.5)},
			{Name: "delay", Kind: schema.Duration, Min: 60, Max: 3600, Step: 60, Default: schema.OfSeconds(60)},
			{Name: "blink", Kind: schema.Duration, Max: 10, Default: schema.OfSeconds(0.1)},
			{Name: "colour", Kind: schema.Enum, Options: []string{"white", "amber"}, Default: schema.OfText("white")},
			{Name: "noise", Kind: schema.Bool, Default: schema.OfBool(true)},
		},
		Actions: []schema.Action{
			{Name: "break", Fault: true, Args: schema.Specs{
				{Name: "for", Kind: schema.Duration, Max: 86400, Step: 60, Default: schema.OfSeconds(86400)},
				{Name: "depth", Kind: schema.Number, Max: 100, Default: schema.OfNumber(1)},
			}},
			{Name: "mend"},
			{Name: "set", AtLeastOne: true, Args: schema.Specs{
				{Name: "level", Kind: schema.Integer, Min: 0, Max: 10},
				{Name: "colour", Kind: schema.Enum, Options: []string{"white", "amber"}},
			}},
			{Name: "count", Fault: true, Args: schema.Specs{{Name: "n", Kind: schema.Integer, Min: 1, Max: 9, Required: true}}},
		},
		Columns: []simulator.Column{{Key: "minute", Whole: true}, {Key: "load"}, {Key: "error_ratio"}},
		New: func(setup simulator.Setup, values schema.Values) (simulator.Model, error) {
			m := &fake{name: setup.Name, level: values.Get("level").Int(), broken: simulator.Tick(-1)}
			if most := values.Get("most").Int(); m.level > most {
				return nil, schema.Problems{{Field: "level", Value: fmt.Sprint(m.level), Message: "is above most", Allowed: fmt.Sprintf("at most %d", most)}}
			}
			return m, nil
		},
	}
}

type fake struct {
	name   string
	level  int
	broken simulator.Tick // until when
	minute simulator.Tick
	bad    bool // as of the last evaluation
}

func (f *fake) Check(cmd simulator.Command, _ schema.Values) (simulator.Tick, error) {
	return cmd.At.NextMinute(), nil
}

func (f *fake) Step(now simulator.Tick, due []simulator.Due, events []simulator.Event) []simulator.Event {
	for _, d := range due {
		switch d.Do {
		case "break":
			f.broken = now + simulator.Tick(d.Values.Get("for").Int())
		case "mend":
			f.broken = now
		}
	}
	if now%simulator.Minute == 0 {
		f.minute, f.bad = now/simulator.Minute, now < f.broken
	}
	return events
}

func (f *fake) Healthy() bool                 { return !f.bad }
func (f *fake) Snapshot() any                 { return nil }
func (f *fake) Settings() []simulator.Setting { return nil }

func (f *fake) AppendRow(dst []float64) []float64 {
	errors := 0.0
	if f.bad {
		errors = 1
	}
	return append(dst, float64(f.minute), float64(f.level)+float64(f.minute), errors)
}

func (f *fake) AppendTrace(dst []byte) []byte {
	return fmt.Appendf(dst, "%d %d %t", f.level, f.broken, f.bad)
}

// head begins a valid scenario of one lamp that runs for an hour.
const head = "name: test\nstart: \"09:00\"\nduration: 1h\nservices: [{name: hall, model: lamp}]\n"

func parseFake(text string) (*Scenario, error) {
	return parse("test.yaml", []byte(text), []*simulator.Kind{fakeKind()})
}

func mustParse(t testing.TB, text string) *Scenario {
	t.Helper()
	s, err := parseFake(text)
	if err != nil {
		t.Fatalf("Parse:\n%v", err)
	}
	return s
}

func mustRun(t testing.TB, text string, o Options) *Run {
	t.Helper()
	r, err := mustParse(t, text).NewRun(o)
	if err != nil {
		t.Fatalf("NewRun:\n%v", err)
	}
	return r
}

// stepTo simulates up to a tick and returns the drill's own events as lines.
func stepTo(r *Run, tick simulator.Tick) []string {
	var lines []string
	for r.Now() < tick {
		for _, e := range r.Step() {
			if e.Kind != "command_applied" {
				lines = append(lines, line(e))
			}
		}
	}
	return lines
}

func line(e simulator.Event) string {
	text := fmt.Sprintf("%d %s %t", e.At, e.Kind, e.Truth)
	for _, f := range e.Fields {
		text += fmt.Sprintf(" %s=%v", f.Name, f.Value)
	}
	return text
}
