package rollout

import (
	"fmt"

	"github.com/firedrill/firedrill/simulator/schema"
)

// What the relations compare with, in seconds.
const (
	backSoon  = 30  // within which a server that is well again has to get requests
	healSoon  = 300 // within which a crash has to be repaired
	relations = 6
)

// Relation is a rule that timings must keep: Left must exceed Right, or reach
// it where Equal is enough.
type Relation struct {
	Name        string
	Left, Right string // what is compared, in words
	Equal       bool   // equality is enough
	sides       func(t *Timings) (left, right int)
}

// Margin is how far a relation is from breaking.
type Margin struct {
	Relation string
	Seconds  int // left less right; broken below 0, and where it is 0 but equality is not enough
	Broken   bool
}

// Relations returns the rules that timings must keep, in the order of the
// documents:
//
//	d − i·u > 0            drain-outlasts-probes
//	30 s − i·h ≥ 0         healthy-again-soon
//	g − (D + e) ≥ 0        grace-outlasts-drain
//	(k − 1)·W − (D + w + s) > 0   watchdog-outwaits-deploy
//	D − d ≥ 0              drain-holds-serving
//	300 s − k·W ≥ 0        crash-heals-soon
//
// where i = Interval, u = UnhealthyThreshold, h = HealthyThreshold, d =
// DrainServe, D = DrainTotal, e = StopTime, g = StopGrace, k = Strikes, W =
// WatchdogInterval, w = WriteTime, s = StartTime. Test: TestMutations.
func Relations() []Relation {
	return []Relation{
		{Name: "drain-outlasts-probes", Left: "drain_serve", Right: "interval * unhealthy_threshold",
			sides: func(t *Timings) (int, int) { return t.DrainServe, t.Interval * t.UnhealthyThreshold }},
		{Name: "healthy-again-soon", Left: "30s", Right: "interval * healthy_threshold", Equal: true,
			sides: func(t *Timings) (int, int) { return backSoon, t.Interval * t.HealthyThreshold }},
		{Name: "grace-outlasts-drain", Left: "stop_grace", Right: "drain_total + stop_time", Equal: true,
			sides: func(t *Timings) (int, int) { return t.StopGrace, t.DrainTotal + t.StopTime }},
		{Name: "watchdog-outwaits-deploy", Left: "(strikes - 1) * watchdog_interval", Right: "drain_total + write_time + start_time",
			sides: func(t *Timings) (int, int) {
				return (t.Strikes - 1) * t.WatchdogInterval, t.DrainTotal + t.WriteTime + t.StartTime
			}},
		{Name: "drain-holds-serving", Left: "drain_total", Right: "drain_serve", Equal: true,
			sides: func(t *Timings) (int, int) { return t.DrainTotal, t.DrainServe }},
		{Name: "crash-heals-soon", Left: "300s", Right: "strikes * watchdog_interval", Equal: true,
			sides: func(t *Timings) (int, int) { return healSoon, t.Strikes * t.WatchdogInterval }},
	}
}

// Margin returns how the timings stand to the relation.
func (r Relation) Margin(t Timings) Margin {
	left, right := r.sides(&t)
	m := Margin{Relation: r.Name, Seconds: left - right}
	m.Broken = m.Seconds < 0 || (m.Seconds == 0 && !r.Equal)
	return m
}

// Margins returns how the timings stand to every relation, in their order.
func (t Timings) Margins() []Margin {
	margins := make([]Margin, 0, relations)
	for _, r := range Relations() {
		margins = append(margins, r.Margin(t))
	}
	return margins
}

// broken counts the relations that the timings break.
func (t Timings) broken() int {
	n := 0
	for _, m := range t.Margins() {
		if m.Broken {
			n++
		}
	}
	return n
}

// breaks reports the relations that a change of the timings would break, or
// break further, each with both numbers and the way to force it.
func (t Timings) breaks(to Timings) schema.Problems {
	var problems schema.Problems
	for _, r := range Relations() {
		now, then := r.Margin(t), r.Margin(to)
		if !then.Broken || (now.Broken && then.Seconds >= now.Seconds) {
			continue
		}
		left, right := r.sides(&to)
		word := "above"
		if r.Equal {
			word = "at least"
		}
		problems = append(problems, schema.Problem{
			Message: fmt.Sprintf("would break the relation %s: %s is %ds, %s is %ds", r.Name, r.Left, left, r.Right, right),
			Allowed: fmt.Sprintf("%s %s %s; force=true breaks it on purpose", r.Left, word, r.Right),
		})
	}
	return problems
}

// Preset is a state of the two repairs.
type Preset string

// The presets, from the unrepaired system to the shipped one.
const (
	Before           Preset = "before"
	Problem1Repaired Preset = "problem-1-repaired" // deploy and watchdog do not fight any more
	BothRepaired     Preset = "both-repaired"      // and the drain outlasts the probes: the shipped settings
)

func presetNames() []string {
	return []string{string(Before), string(Problem1Repaired), string(BothRepaired)}
}

// With returns the configuration with what a preset sets.
func (c Config) With(p Preset) Config {
	repaired := p != Before
	c.Lock, c.SingleSource, c.Verify = repaired, repaired, repaired
	c.Strikes = 1
	if repaired {
		c.Strikes = 4
	}
	c.Interval, c.DrainServe = 30, 5
	if p == BothRepaired {
		c.Interval, c.DrainServe = 5, 15
	}
	c.UnhealthyThreshold, c.HealthyThreshold, c.StopGrace = 2, 2, 180
	return c
}
