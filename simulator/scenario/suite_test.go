package scenario

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestSuiteIsTheFolder: every file is listed and says what it asks; no name is a
// drill's as well; and with any seed it can be run.
func TestSuiteIsTheFolder(t *testing.T) {
	paths, err := filepath.Glob("suite/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		name := filepath.Base(path[:len(path)-len(".yaml")])
		s, ok := FindSuite(name)
		if !ok || s.Name != name || s.Title == s.Name || slices.Contains(BuiltinNames(), name) {
			t.Errorf("%s: %+v", name, s)
			continue
		}
		for seed := range uint32(50) {
			if _, err := s.NewRun(Options{Seed: &seed}); err != nil {
				t.Errorf("%s, seed %d: %v", name, seed, err)
			}
		}
	}
	if len(paths) != len(Suite()) || len(paths) != len(SuiteNames()) {
		t.Errorf("%d files, %d scenarios", len(paths), len(Suite()))
	}
	if _, ok := FindSuite("calm"); ok {
		t.Error("a drill is in the suite")
	}
}
