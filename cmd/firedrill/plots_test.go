package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var updatePlots = flag.Bool("update-plots", false, "rewrite the pictures of docs/models")

// plotted pictures of docs/models, by the balancer and its gauge.
var plots = []struct{ algorithm, gauge string }{
	{"piecewise", "device"}, {"damped", "device"}, {"pid", "device"}, {"pid", "senders"}, {"piecewise", "senders"},
}

// TestPlots: the pictures of docs/models/cdn.md are what the command that stands
// beside them draws.
func TestPlots(t *testing.T) {
	for _, p := range plots {
		t.Run(p.algorithm+" "+p.gauge, func(t *testing.T) {
			t.Parallel()
			var out, problems bytes.Buffer
			args := []string{"simulate", "kick-off", "--set", "video.algorithm=" + p.algorithm, "--set", "video.gauge=" + p.gauge,
				"--format", "svg", "--plot", "links.load_ratio"}
			if code := run(context.Background(), args, streams{in: strings.NewReader(""), out: &out, err: &problems}); code != 0 {
				t.Fatalf("exit code %d: %s", code, problems.String())
			}
			path := filepath.Join("..", "..", "docs", "models", "plots", "kick-off-"+p.algorithm+"-"+p.gauge+".svg")
			if *updatePlots {
				if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(out.Bytes(), want) {
				t.Errorf("%s is not what firedrill %s draws", path, strings.Join(args, " "))
			}
			page, err := os.ReadFile(filepath.Join("..", "..", "docs", "models", "cdn.md"))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(page), "plots/"+filepath.Base(path)) {
				t.Errorf("docs/models/cdn.md does not show %s", path)
			}
		})
	}
}
