package alerts

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParseSelector(t *testing.T) {
	for text, want := range map[string]string{
		`up`:                                `up`,
		` a:b_c{ } `:                        `a:b_c`,
		`a{x="1",y!~"2|3",}`:                `a{x="1",y!~"2|3"}`,
		`a { x = "1" , y =~ "2.*" }`:        `a{x="1",y=~"2.*"}`,
		"a{x=`1\\.2`}":                      `a{x="1\\.2"}`,
		`a{path="/x{y},z=\"1\"",code!="5"}`: `a{path="/x{y},z=\"1\"",code!="5"}`,
	} {
		if s, err := ParseSelector(text); err != nil || s.String() != want {
			t.Errorf("%s is read as %s, %v; want %s", text, s, err, want)
		}
	}
	for text, want := range map[string]string{
		``:                 "is not the name of a metric",
		`rate(a[5m])`:      "is not the name of a metric",
		`a[5m]`:            "is not the name of a metric",
		`a{x="1"} or b`:    "is not the name of a metric",
		`{x="1"}`:          "is not the name of a metric",
		`a{x}`:             `has no matcher at "x"`,
		`a{x="1" y="2"}`:   `has no matcher at "x=`,
		`a{x="1",="2"}`:    `has no matcher at "=`,
		`a{x=1}`:           `has no matcher at "x=1"`,
		`a{x=="1"}`:        "has no matcher at",
		`a{x=~"("}`:        "has a bad regular expression",
		`a{x="\q"}`:        `has a badly quoted value "\q"`,
		`a{x="1"}{y="2"}`:  "has no matcher at",
		"a{x='1'}":         "has no matcher at",
		`a{x="1"} # other`: "is not the name of a metric",
	} {
		if s, err := ParseSelector(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is read as %s, %v; want %s", text, s, err, want)
		}
	}
}

// TestSelectorReadsBack: what is written in PromQL is read as what it was.
func TestSelectorReadsBack(t *testing.T) {
	name := rapid.StringMatching(`[a-zA-Z_][a-zA-Z0-9_]{0,10}`)
	matcher := rapid.Custom(func(t *rapid.T) Matcher {
		return Matcher{name.Draw(t, "label"), rapid.SampledFrom([]string{"=", "!="}).Draw(t, "op"), rapid.String().Draw(t, "value")}
	})
	rapid.Check(t, func(t *rapid.T) {
		want := Selector{name.Draw(t, "metric"), rapid.SliceOfN(matcher, 1, 4).Draw(t, "matchers")}
		got, err := ParseSelector(want.String())
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}
