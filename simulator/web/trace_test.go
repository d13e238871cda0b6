package web_test

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

// traced simulates three hours under a command log that touches every action
// and returns a line a minute: the minute and every count. Pictures are taken
// at odd times, which must not change anything.
func traced(t *testing.T, look bool) []byte {
	e := newEngine(t, 42, at(10, 30), schema.Args{"queueing": "exact", "base_rate": 1500, "floor": 15, "baseline_error_ratio": 1e-4, "blips_per_day": 20})
	log := []struct {
		at   simulator.Tick
		do   string
		args schema.Args
	}{
		{301, "deploy_bad_build", nil},
		{600, "rollback", nil},
		{1230, "flush_cache", nil},
		{1500, "set", schema.Args{"recommendations": false, "shed": 1}},
		{1560, "set", schema.Args{"floor": 40}},
		{2400, "warm_cache", nil},
		{3600, "set", schema.Args{"recommendations": true, "shed": 0, "floor": 12, "ttl": "90s"}},
		{4200, "kill_instances", schema.Args{"count": 3}},
		{4800, "restart_instances", schema.Args{"count": 2}},
		{5400, "break_pod", schema.Args{"error_ratio": 0.3, "for": "5m"}},
		{6000, "surge", schema.Args{"factor": 2.5, "rise": "5m", "hold": "10m", "fall": "5m"}},
		{6060, "set_boot_delay", schema.Args{"delay": "5m"}},
		{7800, "slow_database", schema.Args{"factor": 8, "for": "4m"}},
		{8400, "set_database_capacity", schema.Args{"rate": 900}},
		{8700, "set_baseline_errors", schema.Args{"ratio": 0.002}},
		{9000, "monitoring_gap", schema.Args{"for": "3m"}},
		{9600, "set", schema.Args{"autoscaler": false, "target_utilization": 0.5}},
		{9900, "kill_instances", schema.Args{"count": 40}},
	}
	for _, c := range log {
		_, err := e.Submit(simulator.Command{At: c.at, Service: "shop", Do: c.do, Args: c.args, Source: simulator.Operator})
		if err != nil {
			t.Fatal(err)
		}
	}
	var out []byte
	for e.Now() < 3*60*simulator.Minute {
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
