package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// TestSimulateReproducesTheVectors compares every minute of the reference runs
// with what the command prints, key by key in the order of the columns.
func TestSimulateReproducesTheVectors(t *testing.T) {
	paths, err := filepath.Glob("testdata/vectors/web-*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			got := runFiredrill(t, "simulate", path, "--format", "jsonl")
			if got.code != 0 || got.err != "" {
				t.Fatalf("exit %d: %s", got.code, got.err)
			}
			want, err := os.ReadFile(strings.TrimSuffix(path, ".yaml") + ".jsonl")
			if err != nil {
				t.Fatal(err)
			}
			compareRows(t, strings.TrimSpace(string(want)), strings.TrimSpace(got.out))
		})
	}
}

func compareRows(t *testing.T, want, got string) {
	t.Helper()
	wants, gots := strings.Split(want, "\n"), strings.Split(got, "\n")
	if len(wants) != len(gots) {
		t.Fatalf("%d rows, want %d", len(gots), len(wants))
	}
	for i := range wants {
		wantKeys, want := members(t, wants[i])
		gotKeys, got := members(t, gots[i])
		if diff := cmp.Diff(append([]string{"time", "service"}, wantKeys...), gotKeys); diff != "" {
			t.Fatalf("keys of row %d: %s", i, diff)
		}
		for _, key := range wantKeys {
			if !near(key, number(t, want[key]), number(t, got[key])) {
				t.Errorf("minute %d: %s is %v, want %v", i, key, got[key], want[key])
			}
		}
	}
}

// near compares as the vectors' document says: to a relative 1e-9, values below
// 1e-200 as 0, and what is small against the baseline errors to 1e-12 as well.
func near(key string, want, got float64) bool {
	if math.Abs(want) < 1e-200 {
		want = 0
	}
	if math.Abs(got) < 1e-200 {
		got = 0
	}
	difference := math.Abs(want - got)
	if slices.Contains([]string{"error_ratio", "burn_rate", "burn_rate_1h"}, key) && difference <= 1e-12 {
		return true
	}
	return difference <= 1e-9*math.Abs(want)
}

// members reads a flat JSON object and the order of its keys.
func members(t *testing.T, line string) ([]string, map[string]any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber()
	var keys []string
	values := map[string]any{}
	for {
		token, err := d.Token()
		switch {
		case err == io.EOF:
			return keys, values
		case err != nil:
			t.Fatalf("%v in %s", err, line)
		}
		key, ok := token.(string)
		if !ok {
			continue // a brace
		}
		value, err := d.Token()
		if err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		keys, values[key] = append(keys, key), value
	}
}

func number(t *testing.T, v any) float64 {
	t.Helper()
	n, ok := v.(json.Number)
	if !ok {
		t.Fatalf("%v is no number", v)
	}
	x, err := n.Float64()
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestFormatsAgree reads the same run back from JSON lines and from CSV.
func TestFormatsAgree(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(runFiredrill(t, "simulate", "bad-deploy", "--format", "jsonl").out), "\n")
	records, err := csv.NewReader(strings.NewReader(runFiredrill(t, "simulate", "bad-deploy", "--format", "csv", "--events").out)).ReadAll()
	if err != nil || len(records) != len(lines)+1 {
		t.Fatalf("%d records for %d lines: %v", len(records), len(lines), err)
	}
	for i, line := range lines {
		keys, values := members(t, line)
		if diff := cmp.Diff(append(keys, "events"), records[0]); diff != "" {
			t.Fatalf("header: %s", diff)
		}
		for k, key := range keys {
			if text, ok := values[key].(json.Number); ok && text.String() != records[i+1][k] {
				t.Fatalf("row %d: %s is %s in JSON and %s in CSV", i, key, text, records[i+1][k])
			}
		}
	}
	if got := records[11][len(records[11])-1]; !strings.HasPrefix(got, "deploy_bad_build (scenario); ") || !strings.Contains(got, "incident_started") {
		t.Errorf("events of 09:10 are %q", got)
	}
}

// TestTableIsNarrow checks the width of every built-in scenario's table, and
// that of values which fit no column.
func TestTableIsNarrow(t *testing.T) {
	runs := [][]string{
		{"simulate", "bad-deploy", "--events"},
		{"simulate", "cache-flush", "--events", "--operator", "scripted"},
		{"simulate", "viral-link", "--events", "--operator", "scripted"},
		{"simulate", "calm", "--events"},
		{"simulate", "cache-flush", "--set", "shop.base_rate=900000", "--set", "shop.instance_price=99999", "--set", "shop.budget_remaining=-1000", "--set", "shop.objective=0.999999"},
	}
	for _, args := range runs {
		got := runFiredrill(t, args...)
		if got.code != 0 {
			t.Fatalf("%v: %s", args, got.err)
		}
		for line := range strings.SplitSeq(got.out, "\n") {
			if n := utf8.RuneCountInString(line); n > 80 {
				t.Fatalf("%v: %d columns: %s", args, n, line)
			}
		}
	}
}

// closing is a pipe whose reader has left after some bytes.
type closing struct{ left int }

func (c *closing) Write(p []byte) (int, error) {
	if c.left -= len(p); c.left < 0 {
		return 0, &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}
	}
	return len(p), nil
}

func TestSimulateStopsQuietlyAtAClosedPipe(t *testing.T) {
	for _, format := range []string{"table", "csv", "jsonl", "trace"} {
		var errs buffer
		code := run(context.Background(), []string{"simulate", "calm", "--events", "--format", format}, streams{out: &closing{left: 100_000}, err: &errs})
		if code != 0 || len(errs) != 0 {
			t.Errorf("%s: exit %d: %s", format, code, errs)
		}
	}
}

// cancelling cancels a context with the first write.
type cancelling struct{ cancel context.CancelFunc }

func (c cancelling) Write(p []byte) (int, error) {
	c.cancel()
	return len(p), nil
}

func TestSimulateStopsWhenInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var errs buffer
	code := run(ctx, []string{"simulate", "calm", "--format", "jsonl"}, streams{out: cancelling{cancel}, err: &errs})
	if code != codeFailed || !bytes.HasPrefix(errs, []byte("firedrill: interrupted at 2026-01-05 0")) {
		t.Errorf("exit %d: %s", code, errs)
	}
}

func TestSimulateIsDeterministic(t *testing.T) {
	args := []string{"simulate", "viral-link", "--seed", "9", "--operator", "scripted", "--format", "trace"}
	first, second := runFiredrill(t, args...), runFiredrill(t, args...)
	if first.out != second.out || first.code != 0 {
		t.Error("two runs give two traces")
	}
	if events, minutes := strings.Count(first.out, "\ne "), strings.Count(first.out, "\nm "); events < 8 || minutes != 240 {
		t.Errorf("the trace has %d events and %d minutes", events, minutes)
	}
}

func TestReplayGivesTheSameRun(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log.jsonl")
	if err := os.WriteFile(log, []byte(`{"at": "24m", "service": "shop", "do": "rollback"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	scripted := runFiredrill(t, "simulate", "bad-deploy", "--operator", "scripted")
	replayed := runFiredrill(t, "simulate", "bad-deploy", "--commands", log)
	if scripted != replayed {
		t.Errorf("a replayed rollback differs from a scripted one:\n%s", cmp.Diff(scripted.out, replayed.out))
	}
}

func TestTwoServicesHaveATableEach(t *testing.T) {
	file := filepath.Join(t.TempDir(), "two.yaml")
	text := `name: two
start: "23:59"
duration: 2m
services:
  - {name: shop, model: web, config: {noise: off}}
  - {name: depot, model: web, config: {noise: off, floor: 9}}
events: [{at: 1m, service: depot, do: flush_cache}]
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got := runFiredrill(t, "simulate", file, "--events")
	want := []string{"shop", "time", "23:59", "2026-01-06", "00:00", "00:01", "", "depot", "time", "23:59", "2026-01-06", "00:00", "00:00"}
	var starts []string
	for line := range strings.SplitSeq(strings.TrimSpace(got.out), "\n") {
		start, _, _ := strings.Cut(line, " ")
		starts = append(starts, start)
	}
	if diff := cmp.Diff(want, starts); diff != "" {
		t.Errorf("%s\n%s", diff, got.out)
	}
}
