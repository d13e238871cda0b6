package rehearsal_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/alerts/rehearsal"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// TestAnyStretch: alerts change at the same times, with the same values, whether
// rules are evaluated one evaluation after another or in stretches of any
// length.
func TestAnyStretch(t *testing.T) {
	for _, name := range append(scenario.BuiltinNames(), "turmoil") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan := rehearsal.Plan{Scenario: story(t, name), Rules: shipped(t), History: 10 * minute, Length: 100 * minute, Steps: true}
			want := lines(rehearse(t, plan))
			if len(want) < 3 {
				t.Fatalf("only %d transitions", len(want))
			}
			plan.Steps = false
			for _, stretch := range []time.Duration{307 * time.Second, 24 * time.Hour} {
				plan.Stretch = stretch
				if diff := cmp.Diff(want, lines(rehearse(t, plan))); diff != "" {
					t.Errorf("seed %d, in stretches of %v:\n%s", plan.Scenario.Seed, stretch, diff)
				}
			}
		})
	}
}

// TestResult: the result has the drill as it went, row by row.
func TestResult(t *testing.T) {
	s := story(t, "bad-deploy")
	told := simulator.Tick(-1)
	r := rehearse(t, rehearsal.Plan{Scenario: s, Options: scenario.Options{Scripted: true}, Rules: shipped(t), History: 2 * hour,
		Progress: func(now simulator.Tick) { told = now }})
	if r.Since != -2*hour || r.Reached != s.Duration || told != s.Duration || !r.Start.Equal(s.Start) || r.Seed != s.Seed {
		t.Errorf("from %d to %d, told %d, start %v, seed %d", r.Since, r.Reached, told, r.Start, r.Seed)
	}
	if len(r.Rows) != 1 || len(r.Rows[0].Minutes) != 120 || r.Rows[0].Minutes[119][0] != 119 || len(r.Rows[0].Columns) != len(r.Rows[0].Minutes[0]) {
		t.Errorf("%d services with %d minutes", len(r.Rows), len(r.Rows[0].Minutes))
	}
	if in := r.Truth.Incidents[0]; in.Start != 10*minute || in.End != 29*minute {
		t.Errorf("the incident goes from %d to %d", in.Start, in.End)
	}
	for _, g := range r.Score {
		if !g.Met || !g.Final {
			t.Errorf("goal %q: %+v", g.ID, g)
		}
	}
	if len(r.Rules) < 30 || r.Rules[0].Err != nil || r.TickOf(r.Rules[0].LastEval) != s.Duration {
		t.Errorf("%d rules, first %+v", len(r.Rules), r.Rules[0])
	}
}

// TestCommands: what an operator does is done at its tick.
func TestCommands(t *testing.T) {
	plan := rehearsal.Plan{Scenario: story(t, "bad-deploy"), Rules: shipped(t)}
	plan.Commands = []simulator.Command{{At: 24 * minute, Service: "shop", Do: "rollback"}}
	r := rehearse(t, plan)
	if in := r.Truth.Incidents[0]; in.End != 29*minute {
		t.Errorf("the incident ends at %d", in.End)
	}
}

// TestNothingElse: without a history nothing is before tick 0, and a history
// changes nothing of the drill.
func TestNothingElse(t *testing.T) {
	plan := rehearsal.Plan{Scenario: story(t, "viral-link"), Rules: shipped(t), Length: 2 * hour}
	bare := rehearse(t, plan)
	for _, c := range bare.Transitions {
		if c.Time.Before(bare.Start) {
			t.Errorf("%s at %v", c.Alert.Name, c.Time)
		}
	}
	plan.History = 30 * minute
	full := rehearse(t, plan)
	if diff := cmp.Diff(bare.Rows[0].Minutes, full.Rows[0].Minutes); diff != "" {
		t.Errorf("seed %d: rows differ with a history:\n%s", bare.Seed, diff)
	}
}

// TestRefused: what is wrong with a plan is said, all of it.
func TestRefused(t *testing.T) {
	broken := promengine.Source{Name: "mine.yml", Text: []byte("groups:\n- name: a\n  rules:\n  - alert: B\n    expr: sum(\n  - alert: C\n    expr: up[\n")}
	for _, c := range []struct {
		change func(*rehearsal.Plan)
		want   []string
	}{
		{func(p *rehearsal.Plan) {
			*p = rehearsal.Plan{Scrape: time.Millisecond, Interval: 1, Stretch: -1, History: 61, Length: -1}
		}, []string{"no scenario", "scrape interval 1ms", "evaluation interval 1ns", "stretch of -1ns", "history of 61 seconds", "length of -1 seconds"}},
		{func(p *rehearsal.Plan) { p.Rules = []promengine.Source{broken} }, []string{"mine.yml: 5:11: ", "mine.yml: 7:11: "}},
		{func(p *rehearsal.Plan) {
			p.Options.Set = []scenario.Override{{Service: "shop", Key: "flor", Value: "3"}}
		}, []string{`"flor"`, "floor"}},
		{func(p *rehearsal.Plan) { p.Commands = []simulator.Command{{At: 60, Service: "shop", Do: "rolback"}} }, []string{`command "rolback" at tick 60`, "rollback"}},
	} {
		p := rehearsal.Plan{Scenario: story(t, "bad-deploy"), Rules: shipped(t)}
		c.change(&p)
		r, err := rehearsal.Rehearse(t.Context(), p)
		if err == nil || r != nil {
			t.Errorf("want %q, got a result", c.want)
			continue
		}
		for _, part := range c.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("the error has no %q:\n%v", part, err)
			}
		}
	}
}

// TestCancelled: a rehearsal that is ended early tells what it knows.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, err := rehearsal.Rehearse(ctx, rehearsal.Plan{Scenario: story(t, "bad-deploy"), Rules: shipped(t), Stretch: time.Minute,
		Progress: func(now simulator.Tick) {
			if now == 40*minute {
				cancel()
			}
		}})
	if !errors.Is(err, context.Canceled) || r == nil || r.Reached != 40*minute || len(firings(r, "AvailabilityBudgetBurn 1h")) != 1 || len(r.Rows[0].Minutes) != 40 {
		t.Errorf("%v, %+v", err, r)
	}
}
