package api

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/prometheus/promql"
)

// TestGate holds that no more come through than there is room for, in turn, and
// that whoever waits may give up.
func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := make(gate, 2)
		for range 2 {
			if _, err := g.Insert(t.Context(), "up"); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := g.Insert(ctx, "up"); !errors.As(err, new(promql.ErrQueryTimeout)) {
			t.Errorf("a third of two: %v", err)
		}
		third := make(chan error)
		go func() {
			_, err := g.Insert(t.Context(), "up")
			third <- err
		}()
		synctest.Wait()
		g.Delete(0)
		if err := <-third; err != nil {
			t.Errorf("after one has ended: %v", err)
		}
	})
}
