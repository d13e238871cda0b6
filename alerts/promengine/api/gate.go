package api

import (
	"context"
	"errors"

	"github.com/prometheus/prometheus/promql"
)

// gate lets as many queries through at once as it has room for.
type gate chan struct{}

var _ promql.QueryTracker = gate(nil)

// GetMaxConcurrent returns how many queries run at once.
func (g gate) GetMaxConcurrent() int { return cap(g) }

// Insert waits until there is room, or until the query has to end.
func (g gate) Insert(ctx context.Context, _ string) (int, error) {
	select {
	case g <- struct{}{}:
		return 0, nil
	default:
	}
	select {
	case g <- struct{}{}:
		return 0, nil
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.Canceled) {
			return 0, promql.ErrQueryCanceled(queue)
		}
		return 0, promql.ErrQueryTimeout(queue)
	}
}

// queue is where a query is that waits, as errors name it.
const queue = "query queue"

// Delete makes room.
func (g gate) Delete(int) { <-g }

// Close does nothing.
func (g gate) Close() error { return nil }
