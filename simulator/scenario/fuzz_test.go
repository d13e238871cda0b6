package scenario

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/firedrill/firedrill/simulator/schema"
)

// FuzzParse feeds the decoder anything. It must not panic; what it refuses it
// refuses with problems; what it accepts makes a run, or problems, for every
// seed.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"builtin/*.yaml", "testdata/*.yaml", "../../cmd/firedrill/testdata/vectors/*.yaml"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			f.Fatalf("no seeds at %s: %v", pattern, err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data, uint32(1))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint32) {
		s, err := Parse("fuzz.yaml", data)
		if err != nil {
			refused(t, err)
			return
		}
		r, err := s.NewRun(Options{Seed: &seed, Scripted: seed%2 == 0})
		if err != nil {
			refused(t, err)
			return
		}
		r.Step()
		r.Stop()
		r.Score()
		r.Truth()
	})
}

// refused checks that an error says what is wrong, and where.
func refused(t *testing.T, err error) {
	var problems schema.Problems
	if !errors.As(err, &problems) || len(problems) == 0 {
		t.Fatalf("no problems but %v", err)
	}
	for _, p := range problems {
		if p.File != "fuzz.yaml" || p.Message == "" {
			t.Fatalf("a problem without a place: %+v", p)
		}
	}
}
