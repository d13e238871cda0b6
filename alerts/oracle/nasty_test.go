package oracle_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql/parser"
	"golang.org/x/tools/txtar"
)

// TestNasty runs the committed fixtures. Each is a txtar archive: series in
// promtool's notation, one a line, a value each 15 seconds, and a rule file.
func TestNasty(t *testing.T) {
	files, err := filepath.Glob("testdata/nasty/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("fixtures: %d, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			compare(t, readDrill(t, file), 1)
		})
	}
}

func readDrill(t *testing.T, file string) drill {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d := drill{start: morning, scrape: 15 * time.Second}
	for _, f := range archive.Files {
		switch f.Name {
		case "series":
			d.scrapes = readSeries(t, string(f.Data), d.scrape)
		case "rules.yml":
			d.rules = []string{write(t, string(f.Data))}
		default:
			t.Fatalf("%s has an unknown part %q", file, f.Name)
		}
	}
	return d
}

func readSeries(t *testing.T, text string, interval time.Duration) [][]point {
	t.Helper()
	var scrapes [][]point
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		l, values, err := parser.NewParser(parser.Options{}).ParseSeriesDesc(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		for i, v := range values {
			if i == len(scrapes) {
				scrapes = append(scrapes, nil)
			}
			if !v.Omitted {
				scrapes[i] = append(scrapes[i], point{l, morning.Add(time.Duration(i) * interval).UnixMilli(), v.Value, v.Histogram})
			}
		}
	}
	return scrapes
}
