package scenario

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/document"
	"github.com/firedrill/firedrill/simulator/schema"
)

func TestParseReadsEverything(t *testing.T) {
	s := mustParse(t, `
name: all
title: Everything at once
date: 2027-02-03
briefing: |
  First line.

  Third line.
seed: 4294967295
start: "23:59:30"
duration: 1d2h
speed: 3600
services:
  - name: hall
    model: lamp
    config: {level: 7, delay: 2m, colour: amber, noise: off, glow: {between: [0.25, 0.75]}}
  - {name: stairs, model: lamp}
events:
  - {id: dark, at: 10m, service: hall, do: break, args: {for: {between: [5m, 9m]}, depth: 2.5}}
  - {at: {between: [20m, 60m]}, service: stairs, do: break}
  - {id: later, at: {after: dark, plus: {between: [1m, 90s]}}, service: stairs, do: mend}
incidents:
  - {id: a, title: A, service: hall, kind: errors, starts: {event: dark}, summary: it broke}
  - {id: b, title: B, service: stairs, kind: latency, starts: {event: later, plus: 2m}, ends: {operator: mend, plus: 30m}}
goals:
  - {id: g, title: G, service: hall, measure: load, of: mean, at_most: 12.5, from: 5m, by: {after: dark, plus: 30m}}
operator:
  - {id: mend, at: {after: later, plus: 3m}, service: stairs, do: mend}
`)
	if s.Name != "all" || s.Title != "Everything at once" || s.Briefing != "First line.\n\nThird line." || s.Seed != 4294967295 || s.Speed != 3600 {
		t.Errorf("head is %+v", s)
	}
	if want := time.Date(2027, 2, 3, 23, 59, 30, 0, time.UTC); !s.Start.Equal(want) {
		t.Errorf("start is %v, want %v", s.Start, want)
	}
	if s.Duration != 26*3600 {
		t.Errorf("duration is %d", s.Duration)
	}
	var got []string
	for _, service := range s.Services {
		got = append(got, fmt.Sprint(service.Name, " ", service.Kind.Name, " ", service.Config))
	}
	for _, e := range append(s.Events, s.Operator...) {
		got = append(got, fmt.Sprintf("%s after=%s offset=%s %s %s %v", e.ID, e.At.After, e.At.Offset, e.Service, e.Do, e.Args))
	}
	for _, in := range s.Incidents {
		got = append(got, fmt.Sprintf("%s %s %s %s %s+%s %t %s %q", in.ID, in.Title, in.Service, in.Kind, in.Starts.After, in.Starts.Offset, in.Ends.Recovered, in.Ends.At.After, in.Summary))
	}
	g := s.Goals[0]
	got = append(got, fmt.Sprintf("%s %s %s %s %t %g %s %s+%s", g.ID, g.Service, g.Measure, g.Of, g.AtLeast, g.Limit, g.From.Offset, g.By.After, g.By.Offset))
	want := []string{
		"hall lamp [{level 7} {delay 2m} {colour amber} {noise false} {glow 0.25..0.75}]",
		"stairs lamp []",
		"dark after= offset=10m hall break [{for 5m..9m} {depth 2.5}]",
		" after= offset=20m..1h stairs break []",
		"later after=dark offset=1m..1m30s stairs mend []",
		"mend after=later offset=3m stairs mend []",
		`a A hall errors dark+0s true  "it broke"`,
		`b B stairs latency later+2m false mend ""`,
		"g hall load mean false 12.5 5m dark+30m",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParseDefaults(t *testing.T) {
	s := mustParse(t, head+"events: [{at: 5m, do: mend}]\n")
	if s.Seed != 1 || s.Speed != 60 || s.Title != "test" || !s.Start.Equal(time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)) {
		t.Errorf("defaults are %+v", s)
	}
	if s.Events[0].Service != "hall" {
		t.Errorf("the only service is not meant where none is named: %q", s.Events[0].Service)
	}
}

func TestParseFollowsAnchorsAndMerges(t *testing.T) {
	s := mustParse(t, `
name: anchors
start: "09:00"
duration: 1h
services:
  - {name: hall, model: lamp, config: &usual {level: 3, glow: 0.1}}
  - {name: stairs, model: lamp, config: {<<: *usual, level: 4}}
  - {name: attic, model: lamp, config: {<<: [{glow: 0.2}, *usual]}}
events:
  - &first {at: 1m, service: hall, do: break}
  - {<<: *first, service: stairs}
  - *first
`)
	got := fmt.Sprintln(s.Services[1].Config, s.Services[2].Config, s.Events[1].Service, s.Events[1].Do, s.Events[2].Service)
	if want := "[{level 4} {glow 0.1}] [{glow 0.2} {level 3}] stairs break hall\n"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestParseReportsEveryProblem(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", "test.yaml: the file is empty"},
		{"only a comment", "# nothing\n", "test.yaml: the file is empty"},
		{"no mapping", "- a\n", `test.yaml:1: is a list; allowed: a mapping with name, title, date, briefing, seed, start, duration, speed, services, events, incidents, goals, operator`},
		{"no yaml", "name: [\n", "test.yaml:1: is no YAML: did not find expected node content"},
		{"two documents", head + "---\nname: more\n", "test.yaml:5: a second document begins here; allowed: one scenario a file"},
		{"nothing given", "title: T\n", lines(
			`test.yaml:1: name: is missing`,
			`test.yaml:1: start: is missing`,
			`test.yaml:1: duration: is missing`,
			`test.yaml:1: services: is missing`,
		)},
		{"top keys", "name: Shop!\nstart: 9am\nduration: 90s\nspeed: 0\nseed: -1\ndate: 2026-02-30\ntitel: T\nservices: []\n", lines(
			`test.yaml:1: name: "Shop!" is no name; allowed: lower-case letters, digits and dashes, a letter first, at most 63`,
			`test.yaml:2: start: "9am" cannot be read; allowed: a time of day in quotes, for example "09:30"`,
			`test.yaml:3: duration: "90s" is no multiple of 1m; allowed: a span of time in whole minutes from 1m to 9600h, with a unit, for example 90s or 5m`,
			`test.yaml:4: speed: "0" is too small; allowed: a whole number from 1 to 3600`,
			`test.yaml:5: seed: "-1" is too small; allowed: a whole number from 0 to 4294967295`,
			`test.yaml:6: date: "2026-02-30" cannot be read; allowed: a date from 1970-01-01 to 2199-12-31`,
			`test.yaml:7: titel: "titel" is no key of a scenario; allowed: name, title, date, briefing, seed, start, duration, speed, services, events, incidents, goals, operator (did you mean "title"?)`,
			`test.yaml:8: services: has no service; allowed: at least one`,
		)},
		{"twice", head + "seed: 1\nseed: 2\n", "test.yaml:6: seed: is given twice"},
		{"services", `name: test
start: "09:00"
duration: 1h
services:
  - name: hall
    model: lmp
    config: {level: 3}
  - name: hall
    model: lamp
    config:
      levl: 3
      level: 11
      glow: {between: [0.9, 0.1]}
      delay: 90s
      blink: 5
      colour: {between: [white, amber]}
      noise: maybe
      most: {between: [1]}
  - [hall]
  - modle: lamp
`, lines(
			`test.yaml:6: services[0].model: "lmp" is no model; allowed: lamp (did you mean "lamp"?)`,
			`test.yaml:8: services[1].name: "hall" is the name of another service`,
			`test.yaml:11: services[1].config.levl: "levl" is no configuration key of a lamp service; allowed: level, most, glow, delay, blink, colour, noise (did you mean "level"?)`,
			`test.yaml:12: services[1].config.level: "11" is too large; allowed: a whole number from 0 to 10`,
			`test.yaml:13: services[1].config.glow.between: "0.9" is above 0.1; allowed: the lower bound first`,
			`test.yaml:14: services[1].config.delay: "90s" is no multiple of 1m; allowed: a span of time in whole minutes from 1m to 1h, with a unit, for example 90s or 5m`,
			`test.yaml:15: services[1].config.blink: "5" needs a unit; allowed: a span of time in whole seconds from 0s to 10s, with a unit, for example 90s or 5m`,
			`test.yaml:16: services[1].config.colour: cannot be drawn; allowed: white, amber`,
			`test.yaml:17: services[1].config.noise: "maybe" is neither true nor false; allowed: true or false (on or off)`,
			`test.yaml:18: services[1].config.most.between: is not a pair; allowed: [low, high]`,
			`test.yaml:19: services[2]: is a list; allowed: a mapping with name, model, config, topology`,
			`test.yaml:20: services[3].modle: "modle" is no key of a service; allowed: name, model, config, topology (did you mean "model"?)`,
			`test.yaml:20: services[3].name: is missing`,
			`test.yaml:20: services[3].model: is missing`,
		)},
		{"events", head + `events:
  - {at: 61m, do: break}
  - {at: -5m, do: brake}
  - {at: 5, do: mend, args: {x: 1}}
  - {id: a, at: 5m, service: cellar, do: mend}
  - {id: a, at: {after: b, plus: 5m}, do: mend}
  - {at: {plus: 5m}, do: mend}
  - {at: {between: [30m, 20m]}, do: count}
  - {at: {between: [1m, 2m], after: a}, do: set}
  - {do: set, args: {}}
  - {at: 1m, do: count, args: {n: 1.5}}
  - {at: 1m, do: count, args: [1]}
operator:
  - {at: 5m, do: break}
  - {at: {after: zz}, do: mend}
`, lines(
			`test.yaml:6: events[0].at: "61m" is too large; allowed: a span of time in whole seconds from 0s to 1h, with a unit, for example 90s or 5m`,
			`test.yaml:7: events[1].at: "-5m" is too small; allowed: a span of time in whole seconds from 0s to 1h, with a unit, for example 90s or 5m`,
			`test.yaml:7: events[1].do: "brake" is no action of a lamp service; allowed: break, mend, set, count (did you mean "break"?)`,
			`test.yaml:8: events[2].at: "5" needs a unit; allowed: a span of time in whole seconds from 0s to 1h, with a unit, for example 90s or 5m`,
			`test.yaml:8: events[2].args.x: "x" is no argument of mend; allowed: none`,
			`test.yaml:9: events[3].service: "cellar" is no service; allowed: hall`,
			`test.yaml:10: events[4].id: "a" is the id of another event`,
			`test.yaml:10: events[4].at.after: "b" is no id of an event; allowed: a`,
			`test.yaml:11: events[5].at: says plus what, but not after which event; allowed: {after: an id, plus: a span of time}`,
			`test.yaml:12: events[6].at.between: "30m" is above 20m; allowed: the lower bound first`,
			`test.yaml:12: events[6].args.n: is missing; allowed: a whole number from 1 to 9`,
			`test.yaml:13: events[7].at.between: cannot stand beside after; allowed: plus: {between: [low, high]}`,
			`test.yaml:13: events[7].args: needs at least one argument; allowed: level, colour`,
			`test.yaml:14: events[8].at: is missing`,
			`test.yaml:14: events[8].args: needs at least one argument; allowed: level, colour`,
			`test.yaml:15: events[9].args.n: "1.5" is no whole number; allowed: a whole number from 1 to 9`,
			`test.yaml:16: events[10].args: is a list; allowed: a mapping with n`,
			`test.yaml:18: operator[0].do: "break" is nothing that an operator does; allowed: mend, set`,
			`test.yaml:19: operator[1].at.after: "zz" is no id of an event; allowed: a`,
		)},
		{"circles", head + `events:
  - {id: a, at: {after: b}, do: mend}
  - {id: b, at: {after: c}, do: mend}
  - {id: c, at: {after: b}, do: mend}
  - {id: d, at: {after: d}, do: mend}
`, lines(
			`test.yaml:7: events[1].at.after: "c" comes itself after b; allowed: an event that does not wait for this one`,
			`test.yaml:8: events[2].at.after: "b" comes itself after c; allowed: an event that does not wait for this one`,
			`test.yaml:9: events[3].at.after: "d" comes itself after d; allowed: an event that does not wait for this one`,
		)},
		{"an event cannot wait for the operator", head + `events:
  - {id: a, at: {after: fix}, do: mend}
operator:
  - {id: fix, at: 5m, do: mend}
`, `test.yaml:6: events[0].at.after: "fix" is no id of an event; allowed: a`},
		{"incidents and goals", head + `events:
  - {id: a, at: 5m, do: break}
incidents:
  - {id: i, kind: eror, starts: {event: b}, ends: {operator: a}}
  - {id: i, title: "two\nlines", kind: errors, starts: {event: a}, ends: never}
goals:
  - {id: g, title: G, measure: laod, of: ends, at_least: 1, at_most: 2}
  - {id: g, title: G, measure: load, of: end}
`, lines(
			`test.yaml:8: incidents[0].title: is missing`,
			`test.yaml:8: incidents[0].kind: "eror" is none of the options; allowed: errors, latency, saturation, traffic, freshness, monitoring (did you mean "errors"?)`,
			`test.yaml:8: incidents[0].starts.event: "b" is no id of an event; allowed: a`,
			`test.yaml:8: incidents[0].ends.operator: "a" is no id of a step of the operator; allowed: none, since none has an id`,
			`test.yaml:9: incidents[1].id: "i" is given twice`,
			`test.yaml:9: incidents[1].title: "two\nlines" contains control characters; allowed: printable text`,
			`test.yaml:9: incidents[1].ends: "never" is none of the options; allowed: recovered`,
			`test.yaml:11: goals[0].of: "ends" is none of the options; allowed: end, max, min, mean (did you mean "end"?)`,
			`test.yaml:11: goals[0].measure: "laod" is no measure of a lamp service; allowed: minute, load, error_ratio (did you mean "load"?)`,
			`test.yaml:11: goals[0]: needs one limit; allowed: at_least or at_most`,
			`test.yaml:12: goals[1].id: "g" is given twice`,
			`test.yaml:12: goals[1]: needs one limit; allowed: at_least or at_most`,
		)},
		{"too late at the upper bound", head + `events:
  - {id: a, at: {between: [5m, 55m]}, do: break}
  - {at: {after: a, plus: 5m}, do: mend}
`, `test.yaml:7: events[1].at: "1h" is when it would apply, after the end of the drill; allowed: before 1h`},
		{"the last minute is over", head + "events: [{at: 3541s, do: mend}]\n",
			`test.yaml:5: events[0].at: "1h" is when it would apply, after the end of the drill; allowed: before 1h`},
		{"what keys say together", strings.Replace(head, "model: lamp", "model: lamp, config: {level: {between: [1, 8]}, most: 7}", 1),
			`test.yaml:4: services[0].config.level: "8" is above most; allowed: at most 7`},
		{"truth out of time", head + `events:
  - {id: a, at: 5m, do: break}
incidents:
  - {id: i, title: I, kind: errors, starts: {event: a, plus: 55m}}
  - {id: j, title: J, kind: errors, starts: {event: a, plus: 1m}, ends: {event: a}}
goals:
  - {id: g, title: G, measure: load, of: end, at_most: 1, from: 30m, by: 30m}
`, lines(
			`test.yaml:8: incidents[0].starts: "1h" is after the end of the drill; allowed: before 1h`,
			`test.yaml:9: incidents[1].ends: "5m" is not after its start; allowed: after 6m`,
			`test.yaml:11: goals[0]: "30m to 30m" is a window without a minute of the drill`,
		)},
		{"odd yaml", head + "briefing: !!binary aGk=\nseed: !wild 3\nevents: {a: 1}\ngoals: 7\n? [a]\n: 1\n", lines(
			`test.yaml:5: briefing: "aGk=" has the tag !!binary; allowed: any text`,
			`test.yaml:6: seed: "3" has the tag !wild; allowed: a whole number from 0 to 4294967295`,
			`test.yaml:7: events: is a mapping; allowed: a list`,
			`test.yaml:8: goals: "7" is a single value; allowed: a list`,
			`test.yaml:9: a key is a list; allowed: a name`,
		)},
		{"merge of nothing", head + "<<: 3\n", "test.yaml:5: << does not name a mapping"},
		{"deep", head + "events: " + strings.Repeat("[", 40) + strings.Repeat("]", 40) + "\n", "test.yaml:5: is nested deeper than 32 levels"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, err := parseFake(test.text)
			if err == nil {
				t.Fatalf("accepted: %+v", s)
			}
			if diff := cmp.Diff(test.want, err.Error()); diff != "" {
				t.Error(diff)
			}
			if s != nil {
				t.Error("a scenario came with the error")
			}
		})
	}
}

func lines(all ...string) string { return strings.Join(all, "\n") }

func TestParseRefusesWhatIsTooLarge(t *testing.T) {
	big := head + "briefing: \"" + strings.Repeat("x", document.MaxBytes) + "\"\n"
	if _, err := parseFake(big); err == nil || !strings.Contains(err.Error(), "the file has 10486") {
		t.Errorf("a large file gives %v", err)
	}
	var bomb strings.Builder
	bomb.WriteString(head + "events:\n  - &e {at: 1m, do: mend, args: {")
	for i := range 2000 {
		fmt.Fprintf(&bomb, "x%d: 1, ", i)
	}
	bomb.WriteString("}}\n")
	for range 2000 {
		bomb.WriteString("  - *e\n")
	}
	_, err := parseFake(bomb.String())
	if problems := simulator.AsProblems(err); len(problems) != document.MaxProblems {
		t.Errorf("%d problems, want %d", len(problems), document.MaxProblems)
	}
	many := head + "events: [&e {at: 1m, do: mend}" + strings.Repeat(", *e", 80_000) + "]\n"
	if _, err := parseFake(many); err == nil || !strings.Contains(err.Error(), "the file is too large with its aliases; allowed: at most 200000 entries") {
		t.Errorf("many aliases give %v", err)
	}
}

func TestParseSurvivesRecursiveAliases(t *testing.T) {
	for _, text := range []string{
		head + "events: &a [*a]\n",
		head + "events: [&a {at: *a, do: mend}]\n",
		"&a\n<<: *a\nname: x\n",
		head + "events: [&a {<<: [*a, *a], at: 1m}]\n",
	} {
		if _, err := parseFake(text); err == nil {
			t.Errorf("accepted %q", text)
		}
	}
}

func TestProblemsKeepLinesAtRunTime(t *testing.T) {
	// Only some seeds draw a level above most: Parse cannot see it.
	text := strings.Replace(head, "model: lamp", "model: lamp, config: {level: {between: [1, 8]}, most: {between: [1, 8]}}", 1)
	s := mustParse(t, text+"seed: 3\n")
	failed := 0
	for seed := uint32(0); seed < 40; seed++ {
		_, err := s.NewRun(Options{Seed: &seed})
		if err == nil {
			continue
		}
		failed++
		if p := err.(schema.Problems)[0]; p.File != "test.yaml" || p.Line != 4 || p.Field != "services[0].config.level" {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if failed == 0 || failed == 40 {
		t.Errorf("%d of 40 seeds fail", failed)
	}
}
