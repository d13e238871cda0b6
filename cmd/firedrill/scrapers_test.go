package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/firedrill/firedrill/internal/admin"
	"github.com/firedrill/firedrill/internal/driver"
	"github.com/firedrill/firedrill/internal/pipenet"
	"github.com/firedrill/firedrill/simulator/scenario"
)

const (
	scrapers = 40
	scrapes  = 10 // of each scraper, a second apart
)

// TestFortyScrapers lets forty scrapers scrape a simulation at the highest
// speed once a second, as a Prometheus would, while another is stuck in the
// middle of a body. Nobody waits for it, and the simulation is never behind.
//
// The program runs in a bubble, whose time passes only where everybody waits:
// whoever held up somebody else would show, however busy the machine is.
func TestFortyScrapers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUp(t)
		ctx, interrupt := context.WithCancel(t.Context())
		var out bytes.Buffer
		ended := make(chan error, 1)
		go func() { ended <- u.serve(ctx, streams{out: &out, err: &out}) }()
		metrics := u.listeners.metrics.(*pipenet.Listener)
		defer stall(t, metrics)()
		transport := &http.Transport{DialContext: metrics.Dial, MaxIdleConnsPerHost: scrapers}
		var all sync.WaitGroup
		for i := range scrapers {
			all.Go(func() { scrapeOften(t, transport, i) })
		}
		all.Wait()
		transport.CloseIdleConnections()
		interrupt()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// newUp makes a program of a scenario at the highest speed that listens in
// memory.
func newUp(t *testing.T) *up {
	t.Helper()
	what, _ := scenario.FindBuiltin("bad-deploy")
	run, err := what.NewRun(scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := driver.New(run, driver.Config{Speed: driver.MaxSpeed})
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	return &up{
		sender: newSender(nil, "", log), driver: d, api: admin.New(admin.Config{Driver: d, Loopback: true, Logger: log}), log: log,
		metrics:   (&upCmd{}).metrics(d, log),
		listeners: listeners{metrics: pipenet.Listen(), admin: pipenet.Listen()},
	}
}

// scrapeOften scrapes once a second; each page shows the second that is due.
func scrapeOften(t *testing.T, transport http.RoundTripper, number int) {
	begin := time.Now()
	time.Sleep(time.Duration(number) * time.Second / scrapers)
	client := &http.Client{Transport: transport}
	for range scrapes {
		now, lag := scrape(t, client)
		due := time.Since(begin).Seconds() * driver.MaxSpeed
		if now < due-1 || now > due+1 || lag != 0 {
			t.Errorf("scraper %d sees second %g, %g behind, when %g is due", number, now, lag, due)
		}
		time.Sleep(time.Second)
	}
}

// scrape reads all metrics and returns how far the simulation is, and how far
// behind.
func scrape(t *testing.T, client *http.Client) (now, lag float64) {
	response, err := client.Get("http://localhost/metrics")
	if err != nil {
		t.Error(err)
		return 0, 0
	}
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	if err != nil {
		t.Error(err)
		return 0, 0
	}
	return value(t, page, "firedrill_simulated_seconds_total"), value(t, page, "firedrill_lag_seconds")
}

// value returns the value of a series without labels.
func value(t *testing.T, page []byte, name string) float64 {
	found := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindSubmatch(page)
	if found == nil {
		t.Errorf("no %s in\n%.500s", name, page)
		return 0
	}
	x, err := strconv.ParseFloat(string(found[1]), 64)
	if err != nil {
		t.Error(err)
	}
	return x
}

// stall connects a scraper that reads the beginning of a page and then nothing
// any more. It returns how it leaves.
func stall(t *testing.T, to *pipenet.Listener) (leave func()) {
	t.Helper()
	conn, err := to.Dial(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprint(conn, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if head := read(t, conn, len("HTTP/1.1 200 OK")); head != "HTTP/1.1 200 OK" {
		t.Fatalf("the stalled scraper reads %q", head)
	}
	return func() { _ = conn.Close() }
}

// read reads n bytes.
func read(t *testing.T, conn net.Conn, n int) string {
	t.Helper()
	text := make([]byte, n)
	if _, err := io.ReadFull(conn, text); err != nil {
		t.Fatal(err)
	}
	return string(text)
}
