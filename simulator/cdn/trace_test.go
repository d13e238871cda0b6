package cdn

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// traced simulates half an hour under a command log that touches every action
// and returns a line for each event and each minute. Pictures are taken at odd
// times, which must not change anything.
func traced(t *testing.T, look bool) []byte {
	e, s := newEngine(t, 42, small(), schema.Args{"demand": 1.2, "lesson_share": 0.2, "daily_amplitude": 0.3, "daily_growth": 0.5, "far_capacity": 0.3})
	for _, c := range []struct {
		at   simulator.Tick
		do   string
		args schema.Args
	}{
		{30, "surge", schema.Args{"factor": 3, "rise": "60s", "hold": "5m", "fall": "60s", "kind": "live"}},
		{200, "set", schema.Args{"algorithm": "damped"}},
		{300, "break_link", schema.Args{"link": "ams-alder"}},
		{420, "repair_link", schema.Args{"link": "ams-alder"}},
		{450, "set", schema.Args{"algorithm": "pid", "gauge": "senders", "kd": 2}},
		{500, "drain_link", schema.Args{"link": "fra-birch"}},
		{700, "set_weight", schema.Args{"prefix": "10.1.0.0/16", "link": "ams-alder", "weight": 2}},
		{730, "set_capacity", schema.Args{"link": "fra-alder", "rate": 0.3}},
		{760, "set_background", schema.Args{"link": "fra-alder", "rate": 0.2}},
		{900, "restore_link", schema.Args{"link": "fra-birch"}},
		{1000, "set", schema.Args{"routing": "anycast"}},
		{1100, "withdraw", schema.Args{"link": "fra-alder"}},
		{1200, "announce", schema.Args{"link": "fra-alder"}},
		{1300, "set", schema.Args{"routing": "playlist", "stagger": true, "abr": false, "slowdown_points": "0.5:0 0.9:1"}},
	} {
		do(t, e, c.at, c.do, c.args)
	}
	var out []byte
	for e.Now() < 30*simulator.Minute {
		for _, event := range e.Step() {
			out = append(event.AppendJSON(out, e.Start()), '\n')
		}
		if look && e.Now()%37 == 0 {
			e.Snapshot()
		}
		if e.Now()%simulator.Minute == 30 {
			out = append(s.AppendTrace(fmt.Appendf(out, "%d ", e.Now())), '\n')
		}
	}
	return out
}

// TestTrace compares the run with the committed one, byte for byte. It is run
// under every instruction set that the compiler knows.
func TestTrace(t *testing.T) {
	const golden = "testdata/trace.golden"
	got := traced(t, false)
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("the trace differs from %s: it is\n%s", golden, got)
	}
	if !bytes.Equal(got, traced(t, true)) {
		t.Error("looking at the state changes the trace")
	}
}

// TestTraceLarge compares a few minutes of the large topology, by the last line
// of its trace.
func TestTraceLarge(t *testing.T) {
	const golden = "testdata/large.golden"
	e, s := newEngine(t, 7, nil, schema.Args{"topology": "large", "demand": 600})
	run(e, 5*simulator.Minute)
	got := append(s.AppendTrace(nil), '\n')
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the trace is\n%swant\n%s", got, want)
	}
}
