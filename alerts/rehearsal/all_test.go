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

// seeded plans the same for seeds 1 to n.
func seeded(t *testing.T, n uint32) []rehearsal.Plan {
	t.Helper()
	var plans []rehearsal.Plan
	for seed := range n {
		seed++
		plans = append(plans, rehearsal.Plan{Scenario: story(t, "bad-deploy"), Options: scenario.Options{Seed: &seed}, Rules: shipped(t), Length: 40 * minute})
	}
	return plans
}

// TestRehearseAll: results come in the order of the plans, and are the same with
// one worker and with several.
func TestRehearseAll(t *testing.T) {
	var want []string
	for _, workers := range []int{1, 3} {
		results, err := rehearsal.RehearseAll(t.Context(), seeded(t, 5), workers)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, r := range results {
			if r.Seed != uint32(i+1) {
				t.Errorf("result %d is of seed %d", i, r.Seed)
			}
			got = append(got, strings.Join(lines(r), "\n"))
		}
		if want == nil {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d workers:\n%s", workers, diff)
		}
	}
}

// TestRehearseAllEnds: the first error ends all, and so does the caller; what
// was done by then is there.
func TestRehearseAllEnds(t *testing.T) {
	plans := seeded(t, 3)
	plans[1].Commands = []simulator.Command{{Service: "shop", Do: "pray"}}
	if _, err := rehearsal.RehearseAll(t.Context(), plans, 1); err == nil || !strings.Contains(err.Error(), `command "pray"`) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	plans = seeded(t, 3)
	plans[1].Progress = func(simulator.Tick) { cancel() }
	results, err := rehearsal.RehearseAll(ctx, plans, 1)
	if !errors.Is(err, context.Canceled) || results[0] == nil || results[1] != nil || results[2] != nil {
		t.Errorf("%v, %v", results, err)
	}
}

// TestLooksBack: the farthest of all files.
func TestLooksBack(t *testing.T) {
	if got, err := rehearsal.LooksBack(shipped(t)); err != nil || got < 72*time.Hour || got > 73*time.Hour {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := rehearsal.LooksBack([]promengine.Source{{Name: "a.yml", Text: []byte("groups: 1")}}); err == nil {
		t.Error("a broken file has no error")
	}
}
