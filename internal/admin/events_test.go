package admin

import (
	"bufio"
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/firedrill/firedrill/internal/pipenet"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
	"github.com/firedrill/firedrill/simulator/schema"
)

// serve runs an HTTP server over pipes and returns a client of it.
func serve(t *testing.T, s *Server, server *http.Server) *http.Client {
	t.Helper()
	listener := pipenet.Listen()
	server.Handler = s.Handler()
	server.RegisterOnShutdown(s.Close)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		if err := server.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return &http.Client{Transport: &http.Transport{DialContext: listener.Dial, DisableKeepAlives: true}}
}

// events follows the stream and returns its lines.
func events(t *testing.T, client *http.Client) (lines chan string, leave func()) {
	t.Helper()
	response, err := client.Get("http://localhost" + Base + "/events")
	if err != nil {
		t.Fatal(err)
	}
	if got := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || got != streamType {
		t.Fatalf("the stream is %s, %s", response.Status, got)
	}
	lines = make(chan string, 10_000)
	go func() {
		defer close(lines)
		for scanner := bufio.NewScanner(response.Body); scanner.Scan(); {
			lines <- scanner.Text()
		}
	}()
	return lines, func() { _ = response.Body.Close() }
}

// drain returns the lines that have come, without the blank ones.
func drain(lines chan string) []string {
	synctest.Wait()
	var out []string
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				return out
			}
			if line != "" {
				out = append(out, line)
			}
		default:
			return out
		}
	}
}

func advance(t *testing.T, s *Server, ticks simulator.Tick) {
	t.Helper()
	if _, err := s.config.Driver.Advance(t.Context(), ticks); err != nil {
		t.Fatal(err)
	}
}

func wantLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("the stream says\n%s\nwant %d lines", strings.Join(got, "\n"), len(want))
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("line %d of the stream is %s, want %s", i, got[i], want[i])
		}
	}
}

// The stream outlives the time limits of the server, gives signs of life, tells
// what happens, and ends when the server shuts down.
func TestStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, nil)
		client := serve(t, s, &http.Server{ReadTimeout: time.Second, WriteTimeout: time.Second})
		lines, _ := events(t, client)
		wantLines(t, drain(lines), "event: clock", `"tick":0`)

		time.Sleep(9 * time.Second)
		wantLines(t, drain(lines))
		time.Sleep(time.Second)
		wantLines(t, drain(lines), "event: clock", `"paused":true`)

		cmd := simulator.Command{Service: "shop", Do: "set", Args: schema.Args{"floor": 12}, Actor: "ann"}
		if _, _, err := s.config.Driver.Submit(t.Context(), cmd); err != nil {
			t.Fatal(err)
		}
		advance(t, s, 1)
		wantLines(t, drain(lines),
			"id: 1", `data: {"tick": 0, "time": "2026-01-05T09:00:00Z", "service": "shop", "event": "command_applied", "do": "set", `,
			"id: 2", `"event": "pods_ordered"`)
	})
}

func TestStreamHidesTheTruth(t *testing.T) {
	for _, reveal := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newServer(t, func(c *Config) { c.Reveal = reveal })
			lines, _ := events(t, serve(t, s, &http.Server{}))
			drain(lines)
			advance(t, s, 121) // the bad build goes out at 120
			text := strings.Join(drain(lines), "\n")
			for _, what := range []string{`"event": "incident_started"`, `"do": "deploy_bad_build"`} {
				if strings.Contains(text, what) != reveal {
					t.Errorf("reveal %t: the stream says\n%s\nabout %s", reveal, text, what)
				}
			}
			if !strings.HasPrefix(text, "id: 1\n") {
				t.Errorf("reveal %t: the first id of the stream tells that something is hidden before it:\n%s", reveal, text)
			}
			if !strings.Contains(text, `"event": "deploy_started"`) {
				t.Errorf("reveal %t: the stream says\n%s\nwithout what everybody sees", reveal, text)
			}
		})
	}
}

func TestStreamTellsOfTheEndAndOfAnotherRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, nil)
		client := serve(t, s, &http.Server{})
		lines, _ := events(t, client)
		drain(lines)
		post(t, client, "/drill/stop")
		wantLines(t, drain(lines), "id: 1", `"event": "drill_ended"`)
		post(t, client, "/drill/restart")
		wantLines(t, drain(lines), "event: clock", `"run":2`, "id: 2", `"event": "drill_started", "scenario": "rehearsed", "seed": 7`)
	})
}

// What happens to a page is told as it happens.
func TestStreamTellsOfPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, nil)
		client := serve(t, s, &http.Server{})
		lines, _ := events(t, client)
		drain(lines)
		advance(t, s, 60)
		drain(lines)
		notify := func(status string) {
			body := `{"version": "4", "status": "` + status + `", "groupKey": "g", "alerts": [{"status": "` + status + `", "labels": {"alertname": "A", ` +
				`"severity": "page", "service": "shop", "slo": "availability"}, "startsAt": "2000-01-01T00:00:00Z"}]}`
			if w := ask(s, stranger("POST", "/alertmanager", strings.NewReader(body), "Content-Type", "application/json")); w.Code != http.StatusOK {
				t.Fatalf("the notification is answered with %d %s", w.Code, w.Body)
			}
		}
		notify("firing")
		wantLines(t, drain(lines), "id: ", `{"tick": 60, "time": "2026-01-05T09:01:00Z", "service": "shop", "event": "page_opened", "page": 1, "severity": "page", "slo": "availability", "title": "A"}`)
		post(t, client, "/pages/1/ack")
		wantLines(t, drain(lines), "id: ", `"event": "page_acknowledged", "page": 1, "severity": "page", "slo": "availability", "actor": "", "note": ""}`)
		notify("resolved")
		wantLines(t, drain(lines), "id: ", `"event": "alert_resolved", "page": 1, `, "id: ", `"event": "page_resolved", "page": 1, `)
	})
}

func TestStreamTellsWhatASlowClientMissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, nil)
		lines, _ := events(t, serve(t, s, &http.Server{}))
		drain(lines)
		many := make([]simulator.Event, streamQueue+3)
		for i := range many {
			many[i] = simulator.Event{Kind: "happened"}
		}
		if err := s.config.Driver.Change(t.Context(), func(*scenario.Run) []simulator.Event { return many }); err != nil {
			t.Fatal(err)
		}
		got := drain(lines)
		if len(got) != 2+2*streamQueue {
			t.Fatalf("the stream has %d lines", len(got))
		}
		wantLines(t, got[:4], "event: missed", `data: {"count":3}`, "id: 1", "happened")
	})
}

// A client that leaves costs nothing any more.
func TestStreamNoticesThatItsClientHasLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, nil)
		lines, leave := events(t, serve(t, s, &http.Server{}))
		drain(lines)
		leave()
		advance(t, s, 121)
		drain(lines)
	})
}

// post makes a request that must succeed.
func post(t *testing.T, client *http.Client, path string) {
	t.Helper()
	response, err := client.Post("http://localhost"+Base+path, "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("POST %s answers %s", path, response.Status)
	}
}
