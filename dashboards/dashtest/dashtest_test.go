package dashtest

import (
	"math"
	"strings"
	"testing"
	"time"
)

const small = `{
	"title": "firedrill / Small",
	"panels": [
		{"type": "row", "title": "Row", "panels": [{"type": "stat", "title": "Inside", "targets": [{"refId": "A", "expr": "up{a=\"$a\"}", "legendFormat": "{{b}}"}]}]},
		{"type": "table", "title": "Beside", "targets": [{"refId": "A", "expr": "one"}, {"refId": "B", "expr": "rate(x[${window}])"}]}
	],
	"templating": {"list": [
		{"name": "a", "type": "query", "query": "label_values(up{x=\"(\"}, a)"},
		{"name": "window", "type": "custom", "query": "5m : 5s", "current": {"value": "5s"}}
	]},
	"annotations": {"list": [{"name": "Mark", "target": {"expr": "changes(y[1m])"}}]}
}`

func TestRead(t *testing.T) {
	b, err := Read([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	b.Values["a"] = "shop"
	var got []string
	for _, q := range b.Queries {
		expr, err := q.Interpolate(b.Values)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, q.String()+": "+expr)
	}
	want := `Small / variable "a": count by (a) (up{x="("})
Small / annotation "Mark": changes(y[1m])
Small / panel "Inside" A: up{a="shop"}
Small / panel "Beside" A: one
Small / panel "Beside" B: rate(x[5s])`
	if b.Panels != 2 || strings.Join(got, "\n") != want {
		t.Errorf("%d panels, with\n%s\nwant\n%s", b.Panels, strings.Join(got, "\n"), want)
	}
	delete(b.Values, "a")
	if _, err := b.Queries[2].Interpolate(b.Values); err == nil || !strings.Contains(err.Error(), "nothing gives $a a value") {
		t.Errorf("a variable without a value: %v", err)
	}
}

func TestReadTruth(t *testing.T) {
	truth, err := ReadTruth(strings.NewReader(`{"time": "2026-01-05T09:00:00Z", "service": "shop", "x": 1, "w": 1}
{"time": "2026-01-05T09:01:00Z", "service": "shop", "x": 4, "w": 3}
`))
	if err != nil || !truth.Start.Equal(time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)) {
		t.Fatal(truth, err)
	}
	x := column("x")
	for what, c := range map[string]struct{ got, want float64 }{
		"the mean":                   {truth.mean(x, "", 2, 2), 2.5},
		"weighted":                   {truth.mean(x, "w", 2, 2), 3.25},
		"of a minute and a half":     {truth.mean(x, "", 1.5, 1), 2.5},
		"before the start":           {truth.mean(x, "", 1, 5), 1},
		"after the end":              {truth.mean(x, "", 9, 2), 4},
		"the growth":                 {truth.growth(x, 1.5, 1), 3},
		"the upper bound of 0.3":     {bucketOf(0.3, 0), 0.5},
		"the lower bound of 0.3":     {bucketOf(0.3, -1), 0.25},
		"the upper bound of 0.5":     {bucketOf(0.5, 0), 0.5},
		"the lower bound of 0.001":   {bucketOf(0.001, -1), 0},
		"the upper bound of a great": {bucketOf(99, 0), 10},
	} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%s is %g, want %g", what, c.got, c.want)
		}
	}
	if _, err := ReadTruth(strings.NewReader("{\n")); err == nil {
		t.Error("a broken line is read")
	}
}
