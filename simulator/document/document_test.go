package document_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firedrill/firedrill/simulator/document"
	"github.com/firedrill/firedrill/simulator/schema"
)

const text = `base: &base {speed: 3, name: "x"}
one:
  <<: *base
  speed: fast
  sped: 4
many: [1, {}, *base]
many: 3
`

// TestEverythingAtOnce reads a document in which most things are wrong.
func TestEverythingAtOnce(t *testing.T) {
	d := document.New("f.yaml", "thing")
	root := d.Document([]byte(text))
	if root == nil {
		t.Fatal(d.Sorted())
	}
	o, ok := d.Object("", root, "key of a thing", []string{"base", "one", "many", "title"})
	if !ok {
		t.Fatal(d.Sorted())
	}
	d.Require(o, "title", "one")
	one, _ := d.Object("one", o.Get("one"), "key of a one", []string{"speed", "name"})
	d.Scalar(one.Field("speed"), one.Get("speed"), schema.Spec{Kind: schema.Integer, Min: 1, Max: 9})
	if got := d.Text(one, "name", false); got != "x" {
		t.Errorf("the merged name is %q", got)
	}
	for i, item := range d.List("many", o.Get("many")) {
		d.Scalar(document.Index("many", i), item, schema.Spec{Kind: schema.Integer, Min: 2, Max: 9})
	}
	want := `f.yaml:1: title: is missing
f.yaml:1: many[2]: is a mapping; allowed: a whole number from 2 to 9
f.yaml:4: one.speed: "fast" is no number; allowed: a whole number from 1 to 9
f.yaml:5: one.sped: "sped" is no key of a one; allowed: speed, name (did you mean "speed"?)
f.yaml:6: many[0]: "1" is too small; allowed: a whole number from 2 to 9
f.yaml:6: many[1]: is a mapping; allowed: a whole number from 2 to 9
f.yaml:7: many: is given twice`
	if diff := cmp.Diff(want, d.Sorted().Error()); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if got := d.Lines().Of("one.speed.below[3]"); got != 4 {
		t.Errorf("what is below one.speed is at line %d", got)
	}
}
