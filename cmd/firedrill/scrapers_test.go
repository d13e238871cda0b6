package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	scrapers = 40
	scrapes  = 3 // of each scraper, a second apart
	attempts = 5
)

// TestFortyScrapers lets forty scrapers scrape a simulation at the highest
// speed once a second, as a Prometheus would, while another is stuck in the
// middle of a body. Nobody waits for it, and the simulation does not fall
// behind, unless something else takes the processor: then it is tried again.
func TestFortyScrapers(t *testing.T) {
	l := startUp(t, "--speed", "3600", "--scenario", "bad-deploy")
	defer l.end()
	defer stall(t, l.url("metrics"))()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: scrapers}, Timeout: 10 * time.Second}
	defer client.CloseIdleConnections()
	lag := 0.0
	for range attempts {
		if lag = scrapeAtOnce(t, client, l.url("metrics")); lag == 0 {
			break
		}
		t.Logf("the simulation was %g seconds behind", lag)
	}
	if lag > 0 {
		t.Errorf("the simulation is %g seconds behind, each time that it is tried", lag)
	}
	if got := l.do("clock"); got.code != codeOK || strings.Contains(got.out, "behind") {
		t.Errorf("afterwards the clock says %q, %q", got.out, got.err)
	}
}

// scrapeAtOnce lets all scrapers scrape and returns the most that the
// simulation was behind.
func scrapeAtOnce(t *testing.T, client *http.Client, url string) float64 {
	t.Helper()
	lags := make([]float64, scrapers)
	var all sync.WaitGroup
	for i := range scrapers {
		all.Go(func() {
			next := time.NewTimer(time.Duration(i) * time.Second / scrapers)
			last := 0.0
			for range scrapes {
				<-next.C
				next.Reset(time.Second)
				now, lag := scrape(t, client, url)
				if now <= last {
					t.Errorf("a scrape shows second %g after %g", now, last)
				}
				last, lags[i] = now, max(lags[i], lag)
			}
		})
	}
	all.Wait()
	return slices.Max(lags)
}

// scrape reads all metrics and returns how far the simulation is, and how far
// behind.
func scrape(t *testing.T, client *http.Client, url string) (now, lag float64) {
	response, err := client.Get(url + "/metrics")
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

// stall connects a scraper that asks for so much that no buffer holds it,
// reads the beginning and then nothing any more. It returns how it leaves.
func stall(t *testing.T, url string) (leave func()) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	const request = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
	if _, err := fmt.Fprint(conn, strings.Repeat(request, 200)); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReaderSize(conn, 16).ReadString('\n')
	if err != nil || line != "HTTP/1.1 200 OK\r\n" {
		t.Fatalf("the stalled scraper reads %q, %v", line, err)
	}
	return func() { _ = conn.Close() }
}
