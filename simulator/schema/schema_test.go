package schema_test

import (
	"math"
	"slices"
	"testing"

	"github.com/firedrill/firedrill/simulator/schema"
	"pgregory.net/rapid"
)

var specs = schema.Specs{
	{Name: "floor", Kind: schema.Integer, Unit: "instances", Min: 1, Max: 40, Default: schema.OfInt(10)},
	{Name: "shed", Kind: schema.Ratio, Max: 1, Default: schema.OfNumber(0)},
	{Name: "rate", Kind: schema.Number, Unit: "requests/s", Above: true, Max: math.Inf(1), Required: true},
	{Name: "autoscaler", Kind: schema.Bool, Default: schema.OfBool(true)},
	{Name: "ttl", Kind: schema.Duration, Min: 1, Max: 3600, Default: schema.OfSeconds(60)},
	{Name: "delay", Kind: schema.Duration, Min: 60, Max: 3600, Step: 60, Default: schema.OfSeconds(60)},
	{Name: "time", Kind: schema.Duration, Min: 0.001, Max: 60, Default: schema.OfSeconds(0.05)},
	{Name: "queueing", Kind: schema.Enum, Options: []string{"textbook", "exact"}, Default: schema.OfText("exact")},
	{Name: "note", Kind: schema.Text, Default: schema.OfText("")},
}

// TestParseAccepts reads values in each notation that people use.
func TestParseAccepts(t *testing.T) {
	for _, c := range []struct {
		name string
		raw  any
		want string
	}{
		{"floor", 12, "12"}, {"floor", "12", "12"}, {"floor", 12.0, "12"},
		{"shed", 0.25, "0.25"}, {"shed", "1e-1", "0.1"},
		{"rate", 0.001, "0.001"},
		{"autoscaler", "on", "true"}, {"autoscaler", "Off", "false"}, {"autoscaler", true, "true"},
		{"ttl", "90s", "1m30s"}, {"ttl", "1h", "1h"}, {"ttl", "0h2m", "2m"}, {"delay", "1h", "1h"},
		{"time", "50ms", "50ms"}, {"time", "1.5s", "1.5s"},
		{"queueing", "exact", "exact"}, {"note", "two words", "two words"},
	} {
		spec, _ := specs.Find(c.name)
		v, p := spec.Parse(c.raw)
		if p != nil {
			t.Errorf("%s %v: %v", c.name, c.raw, p)
		} else if v.String() != c.want {
			t.Errorf("%s %v is %q, want %q", c.name, c.raw, v.String(), c.want)
		}
	}
}

// TestParseRefuses words each kind of refusal.
func TestParseRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		raw  any
		want string
	}{
		{"floor", 0, `floor: "0" is too small; allowed: a whole number from 1 to 40 instances`},
		{"floor", 2.5, `floor: "2.5" is no whole number; allowed: a whole number from 1 to 40 instances`},
		{"floor", "many", `floor: "many" is no number; allowed: a whole number from 1 to 40 instances`},
		{"shed", 30, `shed: "30" is too large; allowed: a number from 0 to 1`},
		{"shed", "NaN", `shed: "NaN" is no number; allowed: a number from 0 to 1`},
		{"shed", true, `shed: "true" is no number; allowed: a number from 0 to 1`},
		{"rate", 0, `rate: "0" is too small; allowed: a number above 0 requests/s`},
		{"rate", "Inf", `rate: "Inf" is no number; allowed: a number above 0 requests/s`},
		{"autoscaler", "maybe", `autoscaler: "maybe" is neither true nor false; allowed: true or false (on or off)`},
		{"ttl", 60, `ttl: "60" needs a unit; allowed: a span of time in whole seconds from 1s to 1h, with a unit, for example 90s or 5m`},
		{"ttl", "1.5s", `ttl: "1.5s" is no multiple of 1s; allowed: a span of time in whole seconds from 1s to 1h, with a unit, for example 90s or 5m`},
		{"ttl", "2d", `ttl: "2d" is too large; allowed: a span of time in whole seconds from 1s to 1h, with a unit, for example 90s or 5m`},
		{"ttl", "soon", `ttl: "soon" is no span of time; allowed: a span of time in whole seconds from 1s to 1h, with a unit, for example 90s or 5m`},
		{"delay", "90s", `delay: "90s" is no multiple of 1m; allowed: a span of time in whole minutes from 1m to 1h, with a unit, for example 90s or 5m`},
		{"time", "1us", `time: "1us" is not a whole number of milliseconds; allowed: a span of time from 1ms to 1m, with a unit, for example 90s or 5m`},
		{"queueing", "exakt", `queueing: "exakt" is none of the options; allowed: textbook, exact (did you mean "exact"?)`},
		{"note", 1, `note: "1" is no text; allowed: any text`},
	} {
		spec, _ := specs.Find(c.name)
		_, p := spec.Parse(c.raw)
		if p == nil {
			t.Errorf("%s %v is accepted", c.name, c.raw)
		} else if p.Error() != c.want {
			t.Errorf("%s %v:\n%s\nwant\n%s", c.name, c.raw, p.Error(), c.want)
		}
	}
}

// TestParseReportsEverything: all problems of a table come at once, in a fixed
// order.
func TestParseReportsEverything(t *testing.T) {
	_, problems := specs.Parse("key", schema.Args{"zzz": 1, "flor": 3, "shed": 2})
	const want = `flor: "flor" is no key; allowed: floor, shed, rate, autoscaler, ttl, delay, time, queueing, note (did you mean "floor"?)
shed: "2" is too large; allowed: a number from 0 to 1
zzz: "zzz" is no key; allowed: floor, shed, rate, autoscaler, ttl, delay, time, queueing, note
rate: is missing; allowed: a number above 0 requests/s`
	if problems.Error() != want {
		t.Errorf("problems\n%s\nwant\n%s", problems.Error(), want)
	}
}

// TestDefaults: what is not given has its default and is known as not given.
func TestDefaults(t *testing.T) {
	vs, problems := specs.Parse("key", schema.Args{"rate": 5})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	if vs.Given("floor") || !vs.Given("rate") {
		t.Error("floor counts as given or rate does not")
	}
	if vs.Get("floor").Int() != 10 || vs.Get("ttl").Float() != 60 || !vs.Get("autoscaler").Bool() || vs.Get("queueing").Text() != "exact" {
		t.Error("a default is wrong")
	}
}

// TestSpansReadBack: what FormatSeconds writes, ParseSeconds reads.
func TestSpansReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := float64(rapid.Int64Range(0, 1e9).Draw(t, "ms")) / 1000
		text := schema.FormatSeconds(want)
		if got, err := schema.ParseSeconds(text); err != nil || got != want {
			t.Fatalf("%g is written %q and read as %g, %v", want, text, got, err)
		}
	})
	for text, want := range map[string]float64{"2d": 172800, "1d12h": 129600, "0s": 0, "1h0m5s": 3605} {
		if got, err := schema.ParseSeconds(text); err != nil || got != want {
			t.Errorf("%q is read as %g, %v; want %g", text, got, err, want)
		}
	}
	for _, text := range []string{"", "d", "-1d", "1.5d", "1d-2h", "5", "1d2"} {
		if got, err := schema.ParseSeconds(text); err == nil {
			t.Errorf("%q is read as %g", text, got)
		}
	}
}

// TestNearest finds typos and leaves strangers alone.
func TestNearest(t *testing.T) {
	names := specs.Names()
	for name, want := range map[string]string{"flor": "floor", "AUTOSCALER": "autoscaler", "queing": "queueing", "xyz": "", "": ""} {
		if got := schema.Nearest(name, names); got != want {
			t.Errorf("nearest to %q is %q, want %q", name, got, want)
		}
	}
}

// TestActionNeedsAnArgument: an action all of whose arguments are optional can
// ask for one at least.
func TestActionNeedsAnArgument(t *testing.T) {
	action := schema.Action{Name: "set", Args: specs[:2], AtLeastOne: true}
	_, problems := action.Parse(nil)
	if got := problems.Error(); got != "needs at least one argument; allowed: floor, shed" {
		t.Errorf("refused with %q", got)
	}
	if _, problems := action.Parse(schema.Args{"shed": 1}); len(problems) != 0 {
		t.Error(problems)
	}
}

// TestProblemNamesItsPlace: file and line come first.
func TestProblemNamesItsPlace(t *testing.T) {
	ps := schema.Problems{{File: "my.yaml", Line: 7, Field: "ttl", Message: "is missing"}, {Message: "is odd"}}
	got := ps.Under("services[0]").Error()
	const want = "my.yaml:7: services[0].ttl: is missing\nservices[0]: is odd"
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if !slices.Equal([]schema.Problem(ps), []schema.Problem{{File: "my.yaml", Line: 7, Field: "ttl", Message: "is missing"}, {Message: "is odd"}}) {
		t.Error("Under changed its receiver")
	}
}
