package slofile_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/alerts/slofile"
)

var update = flag.Bool("update", false, "rewrite the expected files")

// TestOwn makes the rules of an SLO of each kind.
func TestOwn(t *testing.T) {
	slos, err := slofile.Parse("own.yaml", read(t, "own.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := alerts.ForSLOs(alerts.DefaultOptions(1), "own.yaml", slos)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "own.rules.yml", rules)
}

// TestBad reports everything that is wrong at once, by line.
func TestBad(t *testing.T) {
	slos, err := slofile.Parse("bad.yaml", read(t, "bad.yaml"))
	if err == nil {
		t.Fatalf("bad.yaml is accepted as %+v", slos)
	}
	golden(t, "bad.txt", []byte(err.Error()+"\n"))
}

// TestUnreadable words what is no SLO file at all.
func TestUnreadable(t *testing.T) {
	const valid = "slos: [{name: a, service: b, objective: 0.99, errors: e, total: t}]\n"
	for name, c := range map[string]struct{ text, want string }{
		"valid":         {valid, ""},
		"empty":         {"", "f.yaml: the file is empty"},
		"comment":       {"# nothing\n", "f.yaml: the file is empty"},
		"no SLOs":       {"{}", "f.yaml:1: slos: is missing"},
		"empty list":    {"slos: []", "f.yaml:1: slos: is empty; allowed: at least one SLO"},
		"no list":       {"slos: 3", `f.yaml:1: slos: "3" is a single value; allowed: a list`},
		"no mapping":    {"- slos", "f.yaml:1: is a list; allowed: a mapping with slos"},
		"syntax":        {"slos:\n  - [", "f.yaml:2: is no YAML: "},
		"two documents": {valid + "---\nslos: []\n", "f.yaml:2: a second document begins here"},
		"twice":         {valid + "slos: []\n", "f.yaml:2: slos: is given twice"},
		"alias":         {"slos:\n- &one {name: a, service: b, objective: 0.99, errors: e, total: t}\n- *one\n", `f.yaml:2: slos[1].name: "a" is the name of another SLO of b`},
		"merge":         {"slos:\n- &one {name: a, service: b, objective: 0.99, errors: e, total: t}\n- {<<: *one, name: c}\n", ""},
		"null":          {"slos: [{name: a, service: b, objective: 0.99, errors: e, total: t, alert: null}]\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := slofile.Parse("f.yaml", []byte(c.text))
			switch {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)):
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// golden compares got with a file of testdata, or writes it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(filepath.Join("testdata", name), got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(read(t, name)), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// FuzzParse: whatever the bytes, there are SLOs that rules can be made of, or
// problems.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"own.yaml", "bad.yaml"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		slos, err := slofile.Parse("f.yaml", data)
		if err != nil {
			return
		}
		for _, s := range slos {
			if problems := s.Validate(); len(problems) > 0 {
				t.Errorf("%+v is accepted: %v", s, problems)
			}
		}
		if _, err := alerts.ForSLOs(alerts.DefaultOptions(1), "f.yaml", slos); err != nil {
			t.Error(err)
		}
	})
}
