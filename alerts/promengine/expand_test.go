package promengine

import (
	"testing"

	"github.com/prometheus/prometheus/model/labels"
)

// TestQueries: only what stands in an action queries. A rule that queries is
// evaluated step by step, with all that it may read.
func TestQueries(t *testing.T) {
	for text, want := range map[string]bool{
		`no template, but a query`:                                   false,
		`A query of {{ $labels.service }} takes {{ $value }}, query`: false,
		`{{ $labels.service }} } query {`:                            false,
		`{{ with query "up" }}{{ . | first | value }}{{ end }}`:      true,
		`{{ "up" | query | len }}`:                                   true,
		"{{ `up}}` | query | len }}":                                 true,
		`{{ "\"}}" | query | len }}`:                                 true,
		`{{ printf "%c" '"' }} {{ query "up" | len }}`:               true,
		"{{ $labels.service }}\n{{\nquery \"up\" | len }}":           true,
		`{{ "a {{ b" }} the query`:                                   false,
	} {
		if got := queries(text); got != want {
			t.Errorf("%q queries: %t, want %t", text, got, want)
		}
		x := newExpansion(labels.EmptyLabels(), labels.FromStrings("description", text))
		if x.queries != want || x.eager != want {
			t.Errorf("%q: %+v", text, x)
		}
	}
}

// TestMayRead: by name, by a pattern, and by whatever has no name at all.
func TestMayRead(t *testing.T) {
	for expr, want := range map[string]bool{
		`latency`:                            true,
		`rate(latency[5m])`:                  true,
		`rate(latency_count[5m]) > 0`:        false,
		`sum({__name__=~"lat.*", code="1"})`: true,
		`{__name__!="latency", job="a"}`:     false,
		`count({job="shop"})`:                true,
		`vector(1)`:                          false,
	} {
		e, err := New(new(Store), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := e.LoadText(Source{Name: "rules.yml", Text: []byte("groups: [{name: a, rules: [{alert: A, expr: '" + expr + "'}]}]")}); err != nil {
			t.Fatal(err)
		}
		if got := e.MayRead("latency"); got != want {
			t.Errorf("%s may read latency: %t, want %t", expr, got, want)
		}
	}
}
