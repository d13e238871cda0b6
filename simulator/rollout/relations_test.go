package rollout_test

import (
	"strings"
	"testing"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/rollout"
	"github.com/firedrill/firedrill/simulator/schema"
)

// shipped returns the configuration that people get.
func shipped(t *testing.T) rollout.Config {
	t.Helper()
	values, problems := rollout.ConfigSpecs().Parse("configuration key", nil)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return rollout.NewConfig(values)
}

func brokenBy(t rollout.Timings) map[string]int {
	broken := map[string]int{}
	for _, m := range t.Margins() {
		if m.Broken {
			broken[m.Relation] = m.Seconds
		}
	}
	return broken
}

// TestShippedSettings: they are the preset of both repairs, and meet every
// relation by the margins of the specification.
func TestShippedSettings(t *testing.T) {
	c := shipped(t)
	if got := c.With(rollout.BothRepaired); got != c {
		t.Errorf("the preset of both repairs gives\n%+v, shipped is\n%+v", got, c)
	}
	want := map[string]int{"drain-outlasts-probes": 5, "healthy-again-soon": 20, "grace-outlasts-drain": 20,
		"watchdog-outwaits-deploy": 1, "drain-holds-serving": 135, "crash-heals-soon": 60}
	for _, m := range c.Margins() {
		if m.Broken || m.Seconds != want[m.Relation] {
			t.Errorf("%+v, want a margin of %d", m, want[m.Relation])
		}
		delete(want, m.Relation)
	}
	if len(want) != 0 {
		t.Errorf("no margin of %v", want)
	}
}

// TestPresetsBreakWhatTheyShould: unrepaired, three relations are broken; with
// problem 1 repaired the two about the load balancer still are.
func TestPresetsBreakWhatTheyShould(t *testing.T) {
	for p, want := range map[rollout.Preset]string{
		rollout.Before:           "drain-outlasts-probes healthy-again-soon watchdog-outwaits-deploy",
		rollout.Problem1Repaired: "drain-outlasts-probes healthy-again-soon",
		rollout.BothRepaired:     "",
	} {
		var names []string
		for _, m := range shipped(t).With(p).Margins() {
			if m.Broken {
				names = append(names, m.Relation)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s breaks %q, want %q", p, got, want)
		}
	}
}

// TestMutations sets each number of the shipped settings wrong in turn, in the
// direction that hurts, by as little as breaks it, and sees a relation catch it.
// One step less is still sound.
func TestMutations(t *testing.T) {
	for _, m := range []struct {
		name     string
		at       func(*rollout.Timings) *int
		wrong    int
		step     int // towards the right value
		relation string
	}{
		{"interval", func(k *rollout.Timings) *int { return &k.Interval }, 8, -1, "drain-outlasts-probes"},
		{"unhealthy_threshold", func(k *rollout.Timings) *int { return &k.UnhealthyThreshold }, 3, -1, "drain-outlasts-probes"},
		{"healthy_threshold", func(k *rollout.Timings) *int { return &k.HealthyThreshold }, 7, -1, "healthy-again-soon"},
		{"drain_serve too short", func(k *rollout.Timings) *int { return &k.DrainServe }, 10, 1, "drain-outlasts-probes"},
		{"drain_serve too long", func(k *rollout.Timings) *int { return &k.DrainServe }, 151, -1, "drain-holds-serving"},
		{"drain_total", func(k *rollout.Timings) *int { return &k.DrainTotal }, 151, -1, "watchdog-outwaits-deploy"},
		{"drain_total too short", func(k *rollout.Timings) *int { return &k.DrainTotal }, 14, 1, "drain-holds-serving"},
		{"write_time", func(k *rollout.Timings) *int { return &k.WriteTime }, 5, -1, "watchdog-outwaits-deploy"},
		{"start_time", func(k *rollout.Timings) *int { return &k.StartTime }, 26, -1, "watchdog-outwaits-deploy"},
		{"stop_time", func(k *rollout.Timings) *int { return &k.StopTime }, 31, -1, "grace-outlasts-drain"},
		{"stop_grace", func(k *rollout.Timings) *int { return &k.StopGrace }, 159, 1, "grace-outlasts-drain"},
		{"strikes too few", func(k *rollout.Timings) *int { return &k.Strikes }, 3, 1, "watchdog-outwaits-deploy"},
		{"strikes too many", func(k *rollout.Timings) *int { return &k.Strikes }, 6, -1, "crash-heals-soon"},
		{"watchdog_interval too short", func(k *rollout.Timings) *int { return &k.WatchdogInterval }, 59, 1, "watchdog-outwaits-deploy"},
		{"watchdog_interval too long", func(k *rollout.Timings) *int { return &k.WatchdogInterval }, 76, -1, "crash-heals-soon"},
	} {
		k := shipped(t).Timings
		*m.at(&k) = m.wrong
		if broken := brokenBy(k); len(broken) != 1 {
			t.Errorf("%s = %d breaks %v", m.name, m.wrong, broken)
		} else if _, caught := broken[m.relation]; !caught {
			t.Errorf("%s = %d breaks %v, want %s", m.name, m.wrong, broken, m.relation)
		}
		*m.at(&k) += m.step
		if broken := brokenBy(k); len(broken) != 0 {
			t.Errorf("%s = %d breaks %v", m.name, m.wrong+m.step, broken)
		}
	}
}

// TestBreakingARelationIsRefused: with the relation, both numbers and the way to
// force it; a scenario's events and presets are forced.
func TestBreakingARelationIsRefused(t *testing.T) {
	e := newEngine(t, 1, nil)
	err := submit(e, simulator.Operator, "set", schema.Args{"interval": "10s", "stop_grace": "100s"})
	want := "args: would break the relation drain-outlasts-probes: drain_serve is 15s, interval * unhealthy_threshold is 20s; " +
		"allowed: drain_serve above interval * unhealthy_threshold; force=true breaks it on purpose\n" +
		"args: would break the relation grace-outlasts-drain: stop_grace is 100s, drain_total + stop_time is 160s; " +
		"allowed: stop_grace at least drain_total + stop_time; force=true breaks it on purpose"
	if err == nil || err.Error() != want {
		t.Errorf("refused with\n%v\nwant\n%s", err, want)
	}
	if s := run(e, 1); s.Config.Interval != 5 || s.Config.StopGrace != 180 {
		t.Error("what is refused takes effect")
	}
	do(t, e, "set", schema.Args{"interval": "10s", "force": true})
	if s := run(e, 1); s.Config.Interval != 10 {
		t.Error("what is forced takes no effect")
	}
	do(t, e, "set", schema.Args{"rate": 60, "unhealthy_threshold": 1})
	if err := submit(e, simulator.Operator, "set", schema.Args{"drain_serve": "9s"}); err == nil {
		t.Error("drain_serve = 9s is accepted with 10s * 1")
	}
	if err := submit(e, simulator.Scenario, "set", schema.Args{"drain_serve": "1s"}); err != nil {
		t.Errorf("a scenario's event is refused: %v", err)
	}
	if s := run(e, 1); s.Config.DrainServe != 1 {
		t.Error("a scenario's event takes no effect")
	}
	preset(t, e, rollout.Before)
	run(e, 1)
	do(t, e, "set", schema.Args{"rate": 10})
	do(t, e, "set", schema.Args{"drain_serve": "6s"})
	if err := submit(e, simulator.Operator, "set", schema.Args{"drain_serve": "4s"}); err == nil {
		t.Error("a broken relation may be broken further")
	}
}

// TestTwoChangesTogether: two changes that are right each and wrong together are
// refused when the second takes effect.
func TestTwoChangesTogether(t *testing.T) {
	e := newEngine(t, 1, nil)
	do(t, e, "set", schema.Args{"interval": "7s"})
	do(t, e, "set", schema.Args{"drain_serve": "12s"})
	refused := until(t, e, "command_refused", 1)
	if s := state(e); s.Config.Interval != 7 || s.Config.DrainServe != 15 {
		t.Errorf("interval %d, drain_serve %d after %v", s.Config.Interval, s.Config.DrainServe, refused)
	}
}
