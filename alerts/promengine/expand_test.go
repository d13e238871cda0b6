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
