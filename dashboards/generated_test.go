package dashboards_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firedrill/firedrill/dashboards"
)

// TestGenerated: the committed files are what is generated, and there are no
// others.
func TestGenerated(t *testing.T) {
	want := map[string]string{}
	for _, speed := range []float64{1, 60} {
		files, err := dashboards.All(dashboards.DefaultOptions(speed))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			want[filepath.Join("gen", fmt.Sprintf("speed-%g", speed), f.Name)] = string(f.Data)
		}
	}
	paths, err := filepath.Glob("gen/*/*")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), paths); diff != "" {
		t.Fatalf("files (-want +got):\n%s", diff)
	}
	for path, text := range want {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(text, string(data)); diff != "" {
			t.Errorf("%s is out of date: run firedrill generate dashboards (-want +got):\n%s", path, diff)
		}
	}
}
