package scenario

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

func TestCommandsSurviveTheLog(t *testing.T) {
	name := rapid.StringMatching(`[a-z_]{1,8}`)
	value := rapid.OneOf(rapid.Int().AsAny(), rapid.Float64Range(-1e9, 1e9).Filter(func(x float64) bool { return x != float64(int(x)) }).AsAny(), rapid.Bool().AsAny(), rapid.String().AsAny())
	rapid.Check(t, func(t *rapid.T) {
		cmd := simulator.Command{
			At: simulator.Tick(rapid.Int32Range(0, 1<<31-1).Draw(t, "at")), Service: rapid.String().Draw(t, "service"), Do: name.Draw(t, "do"),
			Args: schema.Args(rapid.MapOfN(name, value, 1, 4).Draw(t, "args")), Actor: rapid.String().Draw(t, "actor"), Source: simulator.Operator,
		}
		line, err := AppendCommand(nil, cmd)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ParseCommands("log", append(line, '\n'))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]LoggedCommand{{Command: cmd, Line: 1}}, got); diff != "" {
			t.Fatalf("%s\n%s", line, diff)
		}
	})
}

func TestParseCommandsReportsEveryProblem(t *testing.T) {
	_, err := ParseCommands("log", []byte(`{"at": "33m", "service": "shop", "do": "rollback"}

{"at": -1, "servce": "shop", "do": 7, "args": {"a": [1], "b": null}}
{"at": "soon", "service": "shop", "do": "x", "args": 3}
{"at": true, "service": "shop", "do": "x"} {}
{"at": true, "service": "shop", "do": "x"}
nonsense
{"service": "shop", "do": "x", "actor": null}
{"at": 1.5, "service": "shop", "do": "x"}
`))
	want := lines(
		`log:3: servce: "servce" is no key of a command; allowed: at, service, do, args, actor (did you mean "service"?)`,
		`log:3: at: "-1" is no tick; allowed: a tick such as 600, or a span such as "10m"`,
		`log:3: service: is missing`,
		`log:3: do: "7" is no text`,
		`log:3: args.a: "[1]" is no single value; allowed: a number, a text, true or false`,
		`log:3: args.b: "<nil>" is no single value; allowed: a number, a text, true or false`,
		`log:4: at: "soon" is no span of whole seconds; allowed: a tick such as 600, or a span such as "10m"`,
		`log:4: args: "3" is no JSON object`,
		`log:5: "{\"at\": true, \"service\": \"shop\", \"do\": \"x\"} {}" is no JSON object; allowed: one object a line, for example {"at": 600, "service": "shop", "do": "rollback"}`,
		`log:6: at: "true" is neither a number nor a text; allowed: a tick such as 600, or a span such as "10m"`,
		`log:7: "nonsense" is no JSON object; allowed: one object a line, for example {"at": 600, "service": "shop", "do": "rollback"}`,
		`log:8: at: is missing; allowed: a tick such as 600, or a span such as "10m"`,
		`log:8: actor: "<nil>" is no text`,
		`log:9: at: "1.5" is no tick; allowed: a tick such as 600, or a span such as "10m"`,
	)
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Error(diff)
	}
}

func TestParseCommandsReadsTicksAndSpans(t *testing.T) {
	got, err := ParseCommands("log", []byte("{\"at\": 90, \"service\": \"a\", \"do\": \"b\", \"args\": {\"n\": 1000000, \"x\": 0.5}}\n{\"at\": \"33m\", \"service\": \"a\", \"do\": \"b\"}"))
	if err != nil || len(got) != 2 || got[0].At != 90 || got[0].Args["n"] != 1000000 || got[0].Args["x"] != 0.5 || got[1].At != 1980 || got[1].Line != 2 {
		t.Errorf("got %+v, %v", got, err)
	}
}
