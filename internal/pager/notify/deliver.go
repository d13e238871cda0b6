package notify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/firedrill/firedrill/internal/pager"
	"github.com/firedrill/firedrill/internal/pager/webhook"
)

// errTrouble marks what may be over at the next attempt.
var errTrouble = errors.New("in trouble")

// deliver sends a notification to a destination, as often as it takes.
func (s *Sender) deliver(ctx context.Context, d *destination, n pager.Notification) error {
	body, err := webhook.Write(n, s.options.From)
	if err != nil {
		return fmt.Errorf("write a notification: %w", err)
	}
	began, pause := time.Now(), s.options.Pause
	for attempt := 1; ; attempt++ {
		err := s.post(ctx, d.url, body)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, errTrouble):
			return err
		case time.Since(began)+pause > s.options.Patience:
			return fmt.Errorf("given up after %d attempts: %w", attempt, err)
		}
		if err := wait(ctx, pause); err != nil {
			return err
		}
		pause = min(2*pause, s.options.MaxPause)
	}
}

// wait waits for d, or returns an error where ctx ends before.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// maxAnswer is how much of an answer is read, so that the connection can be used
// again, in bytes.
const maxAnswer = 64 << 10

// post makes one attempt. The error is an errTrouble where another one may
// succeed, and does not show the password of the URL.
func (s *Sender) post(ctx context.Context, at *url.URL, body []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, at.String(), bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("make a request: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", s.options.UserAgent)
	response, err := s.client.Do(request)
	if err != nil {
		return fmt.Errorf("%w: %w", errTrouble, err)
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, maxAnswer)) // its status says it all
	switch {
	case response.StatusCode/100 == 2:
		return nil
	case response.StatusCode == http.StatusTooManyRequests, response.StatusCode/100 == 5:
		return fmt.Errorf("%w: it answers %s", errTrouble, response.Status)
	}
	return fmt.Errorf("it answers %s", response.Status)
}
