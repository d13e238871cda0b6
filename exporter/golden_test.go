package exporter_test

import (
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

var update = flag.Bool("update", false, "rewrite the expected expositions")

// drill returns a service in trouble: a bad build is going out and being
// rolled back, traffic is shed, a pod has been killed, the cache warms up.
func drill(t testing.TB) *simulator.Engine {
	e := newEngine(t, map[string]schema.Args{"shop": small()}, "shop")
	run(e, 3*simulator.Minute)
	order(t, e, "shop", "deploy_bad_build", nil)
	order(t, e, "shop", "set", schema.Args{"shed": 0.5})
	run(e, 2*simulator.Minute)
	order(t, e, "shop", "kill_instances", schema.Args{"count": 1})
	order(t, e, "shop", "warm_cache", nil)
	order(t, e, "shop", "rollback", nil)
	run(e, simulator.Minute+30)
	return e
}

// firstPod returns the path of the page of the oldest pod that serves.
func firstPod(t testing.TB, snapshot *simulator.Snapshot) string {
	t.Helper()
	for _, p := range pods(snapshot) {
		if p.State.String() == "serving" {
			return "/targets/shop/" + p.Name + "/metrics"
		}
	}
	t.Fatal("no pod serves")
	return ""
}

// TestPages compares the text of the pages with the committed ones.
func TestPages(t *testing.T) {
	s := newStage()
	s.put(drill(t).Snapshot())
	e := s.exporter()
	for name, path := range map[string]string{
		"metrics.prom": "/metrics", "pod.prom": firstPod(t, s.snapshot), "service.prom": "/targets/shop/metrics", "simulator.prom": "/simulator/metrics",
		"sd.json": "/sd", "index.html": "/",
	} {
		t.Run(name, func(t *testing.T) {
			w := get(e, path, "")
			if w.Code != http.StatusOK {
				t.Fatalf("GET %s: %d %s", path, w.Code, w.Body)
			}
			golden(t, name, w.Body.Bytes())
		})
	}
}

// golden compares got with a file of testdata, or writes it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}
