package notify

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/firedrill/firedrill/internal/pager"
	"github.com/firedrill/firedrill/internal/pager/webhook"
)

// Options say where notifications go. A zero is the default where one is named.
type Options struct {
	URLs      []*url.URL // http or https; a user and a password in it are sent as basic auth
	From      webhook.Sender
	UserAgent string
	Log       *slog.Logger
	Transport http.RoundTripper // http.DefaultTransport

	Queue    int           // notifications that wait for a destination at most; 100
	Timeout  time.Duration // of an attempt; 10 s
	Pause    time.Duration // before the second attempt, twice as long before each one after that, MaxPause at most; 500 ms
	MaxPause time.Duration // 30 s
	Patience time.Duration // from the first attempt to the last; 5 min
}

func (o Options) withDefaults() Options {
	if o.Transport == nil {
		o.Transport = http.DefaultTransport
	}
	if o.Queue == 0 {
		o.Queue = 100
	}
	for _, d := range []struct {
		to       *time.Duration
		standard time.Duration
	}{{&o.Timeout, 10 * time.Second}, {&o.Pause, 500 * time.Millisecond}, {&o.MaxPause, 30 * time.Second}, {&o.Patience, 5 * time.Minute}} {
		if *d.to == 0 {
			*d.to = d.standard
		}
	}
	return o
}

// Sender sends notifications to webhooks. Its methods are safe for concurrent
// use.
type Sender struct {
	options      Options
	client       *http.Client
	destinations []*destination
}

// destination is one of the webhooks.
type destination struct {
	url   *url.URL
	queue *queue

	sent, refused, lost atomic.Int64
	losing              atomic.Bool // it has been said that notifications are lost
}

// Stats say what became of the notifications for a destination.
type Stats struct {
	URL     string // without its password
	Sent    int64
	Refused int64 // by the destination, or given up
	Lost    int64 // because too many waited
}

// New returns a sender that sends nothing before Run.
func New(o Options) *Sender {
	o = o.withDefaults()
	s := &Sender{options: o, client: &http.Client{
		Transport: o.Transport, Timeout: o.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	for _, at := range o.URLs {
		s.destinations = append(s.destinations, &destination{url: at, queue: newQueue(o.Queue)})
	}
	return s
}

// Send has notifications sent to every destination, in order, and returns at
// once.
func (s *Sender) Send(all ...pager.Notification) {
	for _, d := range s.destinations {
		for _, n := range all {
			if !d.queue.put(n) {
				continue
			}
			d.lost.Add(1)
			if !d.losing.Swap(true) {
				s.options.Log.Warn("a webhook is too slow: its oldest notifications are dropped", "url", d.url.Redacted())
			}
		}
	}
}

// Run sends what there is until ctx ends, which is no error. What waits then is
// not sent any more.
func (s *Sender) Run(ctx context.Context) error {
	var all sync.WaitGroup
	for _, d := range s.destinations {
		all.Go(func() { s.serve(ctx, d) })
	}
	<-ctx.Done()
	all.Wait()
	return nil
}

// serve sends the notifications for a destination, one after another.
func (s *Sender) serve(ctx context.Context, d *destination) {
	for {
		n, err := d.queue.take(ctx)
		if err != nil {
			return // the end of ctx
		}
		switch err := s.deliver(ctx, d, n); {
		case ctx.Err() != nil:
			return
		case err != nil:
			d.refused.Add(1)
			s.options.Log.Warn("a webhook has not taken a notification", "url", d.url.Redacted(), "group", n.GroupKey, "status", n.Status(), "err", err)
		default:
			d.sent.Add(1)
			if d.losing.Swap(false) {
				s.options.Log.Warn("a webhook takes notifications again", "url", d.url.Redacted(), "dropped", d.lost.Load())
			}
		}
	}
}

// Stats returns what became of notifications, in the order of the URLs.
func (s *Sender) Stats() []Stats {
	all := make([]Stats, len(s.destinations))
	for i, d := range s.destinations {
		all[i] = Stats{URL: d.url.Redacted(), Sent: d.sent.Load(), Refused: d.refused.Load(), Lost: d.lost.Load()}
	}
	return all
}
