package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/firedrill/firedrill/internal/pager"
	"github.com/firedrill/firedrill/internal/pager/webhook"
)

// receiver answers as it is told and writes down when it was asked for what.
type receiver struct {
	answer func(attempt int) (status int, err error)

	mu    sync.Mutex
	began time.Time
	asked []string // since the beginning, group and user
}

// RoundTrip answers a request.
func (r *receiver) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	var m webhook.Message
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, err
	}
	user, password, _ := request.BasicAuth()
	r.mu.Lock()
	r.asked = append(r.asked, fmt.Sprintf("%s %s %s:%s", time.Since(r.began), m.GroupKey, user, password))
	attempt := len(r.asked)
	r.mu.Unlock()
	status, err := r.answer(attempt)
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: status, Status: fmt.Sprintf("%d %s", status, http.StatusText(status)), Body: io.NopCloser(strings.NewReader("")), Request: request}, nil
}

func (r *receiver) log() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.asked, "\n")
}

// run runs a sender to one receiver in a bubble until the test's function ends,
// and returns what it has logged.
func run(t *testing.T, r *receiver, change func(*Options), f func(*Sender)) string {
	var logged bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		r.began = time.Now()
		o := Options{
			URLs: []*url.URL{{Scheme: "https", Host: "example.org", User: url.UserPassword("ann", "secret"), Path: "/hook"}}, Transport: r,
			Log: slog.New(slog.NewTextHandler(&logged, nil)),
		}
		if change != nil {
			change(&o)
		}
		s := New(o)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- s.Run(ctx) }()
		f(s)
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return logged.String()
}

// news is a notification of a group.
func news(group string) pager.Notification {
	return pager.Notification{GroupKey: group, Alerts: []pager.Alert{{Labels: pager.Labels{"alertname": "A"}, Status: pager.Firing}}}
}

func wantStats(t *testing.T, s *Sender, want Stats) {
	t.Helper()
	want.URL = "https://ann:xxxxx@example.org/hook"
	if got := s.Stats()[0]; got != want {
		t.Errorf("the sender counts %+v, want %+v", got, want)
	}
}

func wantLog(t *testing.T, logged string, want ...string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(logged), "\n")
	if logged == "" {
		lines = nil
	}
	if len(lines) != len(want) {
		t.Fatalf("it logs\n%s\nwant %d lines", logged, len(want))
	}
	for i := range want {
		if !strings.Contains(lines[i], want[i]) || strings.Contains(lines[i], "secret") {
			t.Errorf("line %d of the log is %s, want %s, and no password", i, lines[i], want[i])
		}
	}
}

// Notifications come in order, with the password of the URL.
func TestOrder(t *testing.T) {
	r := &receiver{answer: func(int) (int, error) { return http.StatusOK, nil }}
	logged := run(t, r, nil, func(s *Sender) {
		s.Send(news("a"), news("b"))
		s.Send(news("c"))
		synctest.Wait()
		wantStats(t, s, Stats{Sent: 3})
	})
	if want := "0s a ann:secret\n0s b ann:secret\n0s c ann:secret"; r.log() != want {
		t.Errorf("it was asked\n%s\nwant\n%s", r.log(), want)
	}
	wantLog(t, logged)
}

// Who is in trouble is asked again, each time after a longer pause.
func TestRetry(t *testing.T) {
	r := &receiver{answer: func(attempt int) (int, error) {
		switch attempt {
		case 1:
			return 0, errors.New("nobody there")
		case 2:
			return http.StatusTooManyRequests, nil
		case 3:
			return http.StatusServiceUnavailable, nil
		}
		return http.StatusNoContent, nil
	}}
	logged := run(t, r, nil, func(s *Sender) {
		s.Send(news("a"), news("b"))
		time.Sleep(time.Minute)
		wantStats(t, s, Stats{Sent: 2})
	})
	if want := "0s a ann:secret\n500ms a ann:secret\n1.5s a ann:secret\n3.5s a ann:secret\n3.5s b ann:secret"; r.log() != want {
		t.Errorf("it was asked\n%s\nwant\n%s", r.log(), want)
	}
	wantLog(t, logged)
}

// Who refuses is not asked again; a redirect is a refusal.
func TestRefusal(t *testing.T) {
	r := &receiver{answer: func(attempt int) (int, error) {
		return []int{http.StatusBadRequest, http.StatusFound, http.StatusOK}[attempt-1], nil
	}}
	logged := run(t, r, nil, func(s *Sender) {
		s.Send(news("a"), news("b"), news("c"))
		synctest.Wait()
		wantStats(t, s, Stats{Sent: 1, Refused: 2})
	})
	wantLog(t, logged, `url=https://ann:xxxxx@example.org/hook group=a status=firing err="it answers 400 Bad Request"`, `group=b status=firing err="it answers 302 Found"`)
}

// Who is away for too long misses the notification, not the next one.
func TestGivingUp(t *testing.T) {
	r := &receiver{}
	r.answer = func(int) (int, error) {
		if time.Since(r.began) < 6*time.Minute {
			return 0, errors.New("nobody there")
		}
		return http.StatusOK, nil
	}
	logged := run(t, r, nil, func(s *Sender) {
		s.Send(news("a"), news("b"))
		time.Sleep(20 * time.Minute)
		wantStats(t, s, Stats{Sent: 1, Refused: 1})
	})
	wantLog(t, logged, "given up after 15 attempts: in trouble: Post \\\"https://ann:***@example.org/hook\\\": nobody there")
}

// A slow receiver loses the oldest notifications and is told of once; nobody
// waits for it.
func TestSlowReceiver(t *testing.T) {
	r := new(receiver)
	logged := run(t, r, func(o *Options) { o.Queue = 2 }, func(s *Sender) {
		r.answer = func(int) (int, error) {
			time.Sleep(9 * time.Second)
			return http.StatusOK, nil
		}
		began := time.Now()
		s.Send(news("a"))
		synctest.Wait()
		s.Send(news("b"), news("c"), news("d"), news("e"))
		if waited := time.Since(began); waited != 0 {
			t.Errorf("Send waits for %v", waited)
		}
		time.Sleep(time.Minute)
		wantStats(t, s, Stats{Sent: 3, Lost: 2})
	})
	if want := "0s a ann:secret\n9s d ann:secret\n18s e ann:secret"; r.log() != want {
		t.Errorf("it was asked\n%s\nwant\n%s", r.log(), want)
	}
	wantLog(t, logged, "a webhook is too slow", "takes notifications again\" url=https://ann:xxxxx@example.org/hook dropped=2")
}

// The end does not wait for a receiver.
func TestEnd(t *testing.T) {
	r := &receiver{answer: func(int) (int, error) { return http.StatusServiceUnavailable, nil }}
	logged := run(t, r, nil, func(s *Sender) {
		s.Send(news("a"))
		time.Sleep(time.Second)
	})
	wantLog(t, logged)
}

// What is sent over a network is what Alertmanager sends.
func TestRequest(t *testing.T) {
	got := make(chan *http.Request, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if n, err := webhook.Parse(body); err != nil || n.GroupKey != "a" {
			t.Errorf("the body is %s: %v", body, err)
		}
		got <- r
	}))
	defer server.Close()
	at, err := url.Parse(server.URL + "/hook?x=y")
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{URLs: []*url.URL{at}, UserAgent: "firedrill/1", Log: slog.New(slog.DiscardHandler)})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Run(ctx) }()
	s.Send(news("a"))
	r := <-got
	if r.Method != "POST" || r.URL.String() != "/hook?x=y" || r.Header.Get("Content-Type") != "application/json" || r.Header.Get("User-Agent") != "firedrill/1" {
		t.Errorf("the request is %s %s with %v", r.Method, r.URL, r.Header)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
