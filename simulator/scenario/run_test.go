package scenario

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

const darkness = `incidents:
  - {id: i, title: Dark, kind: errors, starts: {event: out}}
`

func TestIncidentEndsWhereTheHealthyStretchBegan(t *testing.T) {
	r := mustRun(t, head+`events:
  - {id: out, at: 5m, do: break, args: {for: 10m}}
  - {at: 18m, do: break, args: {for: 2m}}
  - {at: 40m, do: break, args: {for: 2m}}
`+darkness, Options{})
	got := stepTo(r, 3600)
	want := []string{
		"300 incident_started true id=i kind=errors title=Dark",
		// healthy from 15m, but only for three minutes; then from 20m on
		"1440 incident_ended true id=i kind=errors title=Dark start_tick=300 end_tick=1200",
		"3600 drill_ended false scenario=test",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if in := r.Truth().Incidents[0]; in.Start != 300 || in.Harm != 300 || in.End != 1200 {
		t.Errorf("truth is %+v", in)
	}
}

func TestIncidentIsNotOverBeforeItHurts(t *testing.T) {
	r := mustRun(t, head+`events:
  - {id: out, at: 5m, do: mend}
  - {at: 20m, do: break, args: {for: 3m}}
`+darkness, Options{})
	stepTo(r, 1200)
	if in := r.Truth().Incidents[0]; in.Start != 300 || in.Harm != Never || in.End != Never {
		t.Errorf("before the harm: %+v", in)
	}
	stepTo(r, 3600)
	if in := r.Truth().Incidents[0]; in.Harm != 1200 || in.End != 1380 {
		t.Errorf("after it: %+v", in)
	}
}

func TestIncidentStaysOpenWhileNobodyMendsIt(t *testing.T) {
	text := head + "events: [{id: out, at: 5m, do: break}]\n" + darkness + `operator:
  - {id: fix, at: {after: out, plus: 12m}, do: mend}
`
	r := mustRun(t, text, Options{})
	stepTo(r, 3600)
	if in := r.Truth().Incidents[0]; in.End != Never {
		t.Errorf("it ended: %+v", in)
	}
	scripted := mustRun(t, text, Options{Scripted: true})
	stepTo(scripted, 3600)
	if in := scripted.Truth().Incidents[0]; in.End != 17*60 {
		t.Errorf("with the scripted operator: %+v", in)
	}
}

func TestIncidentEndsByPlan(t *testing.T) {
	text := head + `events:
  - {id: out, at: 5m, do: break}
  - {id: in, at: 30m, do: mend}
incidents:
  - {id: a, title: A, kind: errors, starts: {event: out, plus: 30s}, ends: {event: in, plus: 90s}}
  - {id: b, title: B, kind: errors, starts: {event: out}, ends: {operator: fix}}
operator: [{id: fix, at: 10m, do: mend}]
`
	for _, test := range []struct {
		scripted bool
		want     string
	}{{false, "330 1890, 300 -1"}, {true, "330 1890, 300 600"}} {
		r := mustRun(t, text, Options{Scripted: test.scripted})
		stepTo(r, 3600)
		in := r.Truth().Incidents
		if got := fmt.Sprintf("%d %d, %d %d", in[0].Start, in[0].End, in[1].Start, in[1].End); got != test.want {
			t.Errorf("scripted %t: %s, want %s", test.scripted, got, test.want)
		}
	}
}

func TestStopEndsTheDrillAndNotTheServices(t *testing.T) {
	r := mustRun(t, head+`events:
  - {id: out, at: 5m, do: break, args: {for: 20m}}
  - {at: 40m, do: break}
goals: [{id: g, title: G, measure: minute, of: end, at_most: 10}]
`+darkness, Options{})
	stepTo(r, 601)
	stopped := r.Stop()
	if len(stopped) != 1 || line(stopped[0]) != "601 drill_ended false scenario=test" || !r.Ended() {
		t.Errorf("Stop gives %v", stopped)
	}
	if again := r.Stop(); again != nil {
		t.Errorf("a second Stop gives %v", again)
	}
	if got := stepTo(r, 3700); got != nil {
		t.Errorf("events after the end: %v", got)
	}
	if !r.Services()[0].Model.Healthy() {
		t.Error("the event at 40m was not cancelled, or the services stood still")
	}
	if in := r.Truth().Incidents[0]; in.End != Never {
		t.Errorf("the truth went on: %+v", in)
	}
	if g := r.Score()[0]; g.Value != 10 || !g.Met || !g.Final || g.Complete {
		t.Errorf("the score went on, or counts as complete: %+v", g)
	}
	if r.End() != 601 {
		t.Errorf("it ended at %d", r.End())
	}
	if _, err := r.Submit(simulator.Command{Service: "hall", Do: "break"}); err != nil {
		t.Errorf("Submit after the end: %v", err)
	}
	stepTo(r, 3800)
	if r.Services()[0].Model.Healthy() {
		t.Error("a command after the end had no effect")
	}
}

func TestScoreOfGoals(t *testing.T) {
	r := mustRun(t, head+`events: [{id: out, at: 10m, do: break, args: {for: 5m}}]
goals:
  - {id: end, title: T, measure: load, of: end, at_most: 64}
  - {id: max, title: T, measure: load, of: max, at_most: 63.9}
  - {id: min, title: T, measure: load, of: min, at_least: 5}
  - {id: mean, title: T, measure: load, of: mean, at_least: 34.5}
  - {id: window, title: T, measure: load, of: mean, at_least: 17, from: 10m30s, by: {after: out, plus: 5m}}
  - {id: calm, title: T, measure: error_ratio, of: max, at_most: 0, from: {after: out, plus: 5m}}
`, Options{})
	show := func() (lines []string) {
		for _, g := range r.Score() {
			lines = append(lines, fmt.Sprintf("%s %g of %d met=%t final=%t complete=%t", g.ID, g.Value, g.Minutes, g.Met, g.Final, g.Complete))
		}
		return lines
	}
	stepTo(r, 12*60+1)
	want := []string{
		"end 17 of 13 met=true final=false complete=false",
		"max 17 of 13 met=true final=false complete=false",
		"min 5 of 13 met=true final=false complete=false",
		"mean 11 of 13 met=false final=false complete=false",
		"window 16.5 of 2 met=false final=false complete=false",
		"calm 0 of 0 met=false final=false complete=false",
	}
	if diff := cmp.Diff(want, show()); diff != "" {
		t.Errorf("after 12 minutes: %s", diff)
	}
	stepTo(r, 15*60)
	if g := r.Score()[4]; !g.Final || g.Value != 17.5 || !g.Met {
		t.Errorf("the window is not over: %+v", g)
	}
	stepTo(r, 3600)
	want = []string{
		"end 64 of 60 met=true final=true complete=true",
		"max 64 of 60 met=false final=true complete=true",
		"min 5 of 60 met=true final=true complete=true",
		"mean 34.5 of 60 met=true final=true complete=true",
		"window 17.5 of 4 met=true final=true complete=true",
		"calm 0 of 45 met=true final=true complete=true",
	}
	if diff := cmp.Diff(want, show()); diff != "" {
		t.Errorf("at the end: %s", diff)
	}
}

func TestLogReplaysTheRun(t *testing.T) {
	text := head + `events: [{id: out, at: 5m, do: break}]
operator:
  - {id: fix, at: 20m, do: mend}
  - {at: 21m, do: set, args: {level: 3}}
`
	trace := func(r *Run) (lines []string) {
		for !r.Ended() {
			for _, e := range r.Step() {
				lines = append(lines, string(e.AppendJSON(nil, r.Start())))
			}
			lines = append(lines, string(r.Services()[0].Model.AppendTrace(nil)))
		}
		return lines
	}
	first := mustRun(t, text, Options{Scripted: true})
	var before []string
	for first.Now() < 700 {
		for _, e := range first.Step() {
			before = append(before, string(e.AppendJSON(nil, first.Start())))
		}
		before = append(before, string(first.Services()[0].Model.AppendTrace(nil)))
	}
	submit(t, first, simulator.Command{Service: "hall", Do: "mend", At: 1200, Actor: "anna", Source: simulator.Scenario, ID: "out"})
	submit(t, first, simulator.Command{Service: "hall", Do: "break", At: 5, Args: schema.Args{"depth": 1.5}})
	want := append(before, trace(first)...)
	if log := first.Log(); len(log) != 2 || log[0].ID != "" || log[0].Source != simulator.Operator || log[1].At != 700 {
		t.Fatalf("log is %+v", log)
	}
	second := mustRun(t, text, Options{Scripted: true})
	for _, cmd := range first.Log() {
		submit(t, second, cmd)
	}
	if diff := cmp.Diff(want, trace(second)); diff != "" {
		t.Errorf("the replay differs: %s", diff)
	}
}

func submit(t *testing.T, r *Run, cmd simulator.Command) {
	t.Helper()
	if _, err := r.Submit(cmd); err != nil {
		t.Fatalf("Submit(%v): %v", cmd, err)
	}
}

func TestSubmitRefuses(t *testing.T) {
	r := mustRun(t, head, Options{})
	_, err := r.Submit(simulator.Command{Service: "hall", Do: "set", Args: schema.Args{"level": 11}})
	if want := `args.level: "11" is too large; allowed: a whole number from 0 to 10`; fmt.Sprint(err) != want {
		t.Errorf("Submit gives %v, want %s", err, want)
	}
	if len(r.Log()) != 0 {
		t.Errorf("the log holds %v", r.Log())
	}
}

func TestOptions(t *testing.T) {
	s := mustParse(t, "name: test\nstart: \"09:00\"\nduration: 1h\nservices: [{name: hall, model: lamp, config: {level: {between: [1, 3]}, most: 8}}]\n")
	seed := uint32(7)
	r, err := s.NewRun(Options{Seed: &seed, Set: []Override{{"hall", "level", "4"}, {"hall", "level", "6"}}})
	if err != nil || r.Seed() != 7 {
		t.Fatalf("NewRun: %v, %v", r, err)
	}
	r.Step()
	if row := r.AppendRow(nil, 0); row[1] != 6 {
		t.Errorf("the last override does not hold: row %v", row)
	}
	for _, test := range []struct {
		set  Override
		want string
	}{
		{Override{"hal", "level", "4"}, `"hal" is no service; allowed: hall (did you mean "hall"?)`},
		{Override{"hall", "levl", "4"}, `hall: "levl" is no configuration key of a lamp service; allowed: level, most, glow, delay, blink, colour, noise (did you mean "level"?)`},
		{Override{"hall", "level", "x"}, `hall.level: "x" is no number; allowed: a whole number from 0 to 10`},
		{Override{"hall", "level", "9"}, `hall.level: "9" is above most; allowed: at most 8`},
	} {
		if _, err := s.NewRun(Options{Set: []Override{test.set}}); fmt.Sprint(err) != test.want {
			t.Errorf("%v gives %v\nwant %s", test.set, err, test.want)
		}
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	r := mustRun(t, head+`events: [{id: out, at: 1m, do: break}]
goals: [{id: g, title: G, measure: load, of: mean, at_most: 5}]
`+darkness, Options{})
	stepTo(r, 200)
	if n := testing.AllocsPerRun(1000, func() { r.Step() }); n != 0 {
		t.Errorf("a step allocates %g times", n)
	}
}
