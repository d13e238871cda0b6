package notify

import (
	"context"
	"sync"

	"github.com/firedrill/firedrill/internal/pager"
)

// queue holds so many notifications at most; in a full one the oldest makes way.
type queue struct {
	limit int
	wake  chan struct{} // holds a token while there is something to take

	mu      sync.Mutex
	waiting []pager.Notification
}

func newQueue(limit int) *queue { return &queue{limit: limit, wake: make(chan struct{}, 1)} }

// put adds a notification and reports whether another one is lost for it.
func (q *queue) put(n pager.Notification) (lost bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if lost = len(q.waiting) == q.limit; lost {
		q.waiting = q.waiting[1:]
	}
	q.waiting = append(q.waiting, n)
	select {
	case q.wake <- struct{}{}:
	default:
	}
	return lost
}

// take waits for a notification and returns it, or an error where ctx ends.
func (q *queue) take(ctx context.Context) (pager.Notification, error) {
	for {
		if n, ok := q.pop(); ok {
			return n, nil
		}
		select {
		case <-q.wake:
		case <-ctx.Done():
			return pager.Notification{}, context.Cause(ctx)
		}
	}
}

func (q *queue) pop() (pager.Notification, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		return pager.Notification{}, false
	}
	n := q.waiting[0]
	q.waiting = q.waiting[1:]
	return n, true
}
