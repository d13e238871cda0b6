package rollout_test

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

// traced simulates two hours and a half under a command log that touches every
// action and returns a line a minute and every event. Pictures are taken at odd
// times, which must not change anything.
func traced(t *testing.T, look bool) []byte {
	e := newEngine(t, 42, nil)
	log := []struct {
		at   simulator.Tick
		do   string
		args schema.Args
	}{
		{5, "preset", schema.Args{"name": "before"}},
		{61, "deploy", nil},
		{900, "break_container", schema.Args{"server": 3, "container": "api"}},
		{1200, "preset", schema.Args{"name": "problem-1-repaired"}},
		{1260, "deploy", schema.Args{"version": "2026.1"}},
		{2100, "restart_container", schema.Args{"server": 2, "container": "gateway"}},
		{2400, "preset", schema.Args{"name": "both-repaired"}},
		{2401, "bad_image", nil},
		{2403, "deploy", nil},
		{3000, "fix_compose", schema.Args{"server": 1}},
		{3300, "set", schema.Args{"deregister": true, "rate": 30}},
		{3333, "deploy", nil},
		{3700, "abort_deploy", nil},
		{4200, "pause_watchdog", nil},
		{4201, "break_container", schema.Args{"server": 1, "container": "publish-worker"}},
		{5000, "resume_watchdog", nil},
		{5600, "drift", schema.Args{"number": 1}},
		{5700, "set", schema.Args{"rate": 300, "stop_grace": "40s", "force": true, "deregister": false}},
		{5760, "deploy", nil},
	}
	for _, c := range log {
		_, err := e.Submit(simulator.Command{At: c.at, Service: "platform", Do: c.do, Args: c.args, Source: simulator.Operator})
		if err != nil {
			t.Fatal(err)
		}
	}
	var out []byte
	for e.Now() < 150*simulator.Minute {
		for _, event := range e.Step() {
			out = append(event.AppendJSON(out, e.Start()), '\n')
		}
		if look && e.Now()%37 == 0 {
			e.Snapshot()
		}
		if e.Now()%simulator.Minute == 30 {
			out = fmt.Appendf(out, "%d ", e.Now())
			out = append(e.Services()[0].Model.AppendTrace(out), '\n')
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
	if line, ok := firstDifference(got, want); !ok {
		t.Fatalf("the trace differs from %s: %s", golden, line)
	}
	if !bytes.Equal(got, traced(t, true)) {
		t.Error("looking at the state changes the trace")
	}
}

// firstDifference returns the first line in which two texts differ.
func firstDifference(got, want []byte) (string, bool) {
	if bytes.Equal(got, want) {
		return "", true
	}
	gots, wants := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(gots), len(wants)) {
		if !bytes.Equal(gots[i], wants[i]) {
			return fmt.Sprintf("line %d is\n%s\nwant\n%s", i+1, gots[i], wants[i]), false
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(gots), len(wants)), false
}
