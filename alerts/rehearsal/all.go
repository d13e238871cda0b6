package rehearsal

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/firedrill/firedrill/alerts/promengine"
)

// LooksBack returns how far before an evaluation the rules read samples, and how
// long they wait, at the most: the history that fills all windows. The error is
// what Prometheus has against the files.
func LooksBack(rules []promengine.Source) (time.Duration, error) {
	engine, err := promengine.New(new(promengine.Store), promengine.Options{})
	if err != nil {
		return 0, err
	}
	if err := engine.LoadText(rules...); err != nil {
		return 0, err
	}
	longest := time.Duration(0)
	for _, far := range engine.LooksBack() {
		longest = max(longest, far)
	}
	return longest, nil
}

// RehearseAll carries out plans, so many at once as there are workers, and
// returns their results in the order of the plans. The first error ends all;
// then, and where ctx ends, plans that have not gone to their end have no
// result.
func RehearseAll(ctx context.Context, plans []Plan, workers int) ([]*Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results := make([]*Result, len(plans))
	next := make(chan int)
	var group sync.WaitGroup
	for range min(workers, len(plans)) {
		group.Go(func() {
			for i := range next {
				r, err := Rehearse(ctx, plans[i])
				if err != nil {
					cancel(err)
					return
				}
				results[i] = r
			}
		})
	}
	hand(ctx, next, len(plans))
	group.Wait()
	return results, context.Cause(ctx)
}

// hand hands out n numbers until ctx ends.
func hand(ctx context.Context, to chan<- int, n int) {
	defer close(to)
	for i := range n {
		select {
		case to <- i:
		case <-ctx.Done():
			return
		}
	}
}

// AlertNames returns the names of the alerts in rule files, each once, in their
// order.
func AlertNames(rules []promengine.Source) ([]string, error) {
	engine, err := promengine.New(new(promengine.Store), promengine.Options{})
	if err != nil {
		return nil, err
	}
	if err := engine.LoadText(rules...); err != nil {
		return nil, err
	}
	var names []string
	for _, rule := range engine.Rules() {
		if rule.Alerting && !slices.Contains(names, rule.Name) {
			names = append(names, rule.Name)
		}
	}
	return names, nil
}
