package promengine_test

import (
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/exporter/series"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/latency"
)

var (
	up   = series.Status{Listed: true, Answers: true}
	down = series.Status{Listed: true}
)

// pod is a target in one frame.
type pod struct {
	name   string
	status series.Status
	codes  []string
}

func scrape(t *testing.T, table *series.Table, s *promengine.Scraper, tick int, pods ...pod) {
	t.Helper()
	ts := start.Add(time.Duration(tick) * time.Second)
	u := table.Begin(series.Moment{Tick: simulator.Tick(tick), Wall: ts, Speed: 1})
	for _, p := range pods {
		u.Target(series.Labels{Job: "shop", Instance: p.name + ":8080", Service: "shop", Pod: p.name}, p.status)
		for _, code := range p.codes {
			u.Set(&metric.HTTPRequests, float64(tick), "v1", "high", code)
		}
	}
	u.Commit()
	f := table.Current()
	s.Scrape(ts, f)
	f.Release()
}

// TestScrape follows targets that lose a series, do not answer, and go.
func TestScrape(t *testing.T) {
	var table series.Table
	var store promengine.Store
	s := promengine.NewScraper(&store, true)
	both := []string{"200", "500"}
	scrape(t, &table, s, 0, pod{"a", up, both}, pod{"b", up, both[:1]})
	scrape(t, &table, s, 15, pod{"b", up, both[:1]}, pod{"a", up, both[:1]}, pod{"c", series.Status{}, both})
	scrape(t, &table, s, 30, pod{"a", down, both[:1]}, pod{"b", up, both[:1]})
	scrape(t, &table, s, 45, pod{"a", down, both[:1]})
	scrape(t, &table, s, 60, pod{"a", up, both})
	compare(t, "requests", dump(t, &store, matcher(t, "__name__=http_requests_total")), `
{__name__="http_requests_total", code="200", instance="a:8080", job="shop", pod="a", priority="high", service="shop", version="v1"} 0:0 15:15 30:stale 60:60
{__name__="http_requests_total", code="500", instance="a:8080", job="shop", pod="a", priority="high", service="shop", version="v1"} 0:0 15:stale 60:60
{__name__="http_requests_total", code="200", instance="b:8080", job="shop", pod="b", priority="high", service="shop", version="v1"} 0:0 15:15 30:30 45:stale
`)
	compare(t, "reports", dump(t, &store, matcher(t, "__name__!=http_requests_total"), matcher(t, "pod=a")), `
{__name__="up", instance="a:8080", job="shop", pod="a", service="shop"} 0:1 15:1 30:0 45:0 60:1
{__name__="scrape_duration_seconds", instance="a:8080", job="shop", pod="a", service="shop"} 0:0.01 15:0.01 30:0.01 45:0.01 60:0.01
{__name__="scrape_samples_scraped", instance="a:8080", job="shop", pod="a", service="shop"} 0:2 15:1 30:0 45:0 60:2
{__name__="scrape_samples_post_metric_relabeling", instance="a:8080", job="shop", pod="a", service="shop"} 0:2 15:1 30:0 45:0 60:2
{__name__="scrape_series_added", instance="a:8080", job="shop", pod="a", service="shop"} 0:2 15:0 30:0 45:0 60:1
`)
	compare(t, "up of b", dump(t, &store, matcher(t, "__name__=up"), matcher(t, "pod=b")),
		`{__name__="up", instance="b:8080", job="shop", pod="b", service="shop"} 0:1 15:1 30:1 45:stale`)
}

// TestScrapeHistograms shows the series of a histogram, classic and native.
func TestScrapeHistograms(t *testing.T) {
	for _, natives := range []bool{true, false} {
		var table series.Table
		var store promengine.Store
		h := latency.NewHistogram()
		for _, seconds := range []float64{0.003, 0.4, 0.4, 70} {
			h.Count[latency.CellOf(seconds)]++
			h.Sum += seconds
		}
		u := table.Begin(series.Moment{Wall: start, Speed: 1})
		u.Target(series.Labels{Job: "shop", Instance: "a"}, up)
		u.SetHistogram(&metric.HTTPRequestDuration, h)
		u.Commit()
		f := table.Current()
		promengine.NewScraper(&store, natives).Scrape(start, f)
		f.Release()
		got := dump(t, &store, matcher(t, "__name__=http_request_duration_seconds"))
		want := ""
		if natives {
			want = `{__name__="http_request_duration_seconds", instance="a", job="shop"} 0:{count:4 sum:70.803}`
		}
		compare(t, "native", got, want)
		for le, want := range map[string]string{"0.005": "1", "0.25": "1", "0.5": "3", "1.0": "3", "10.0": "3", "+Inf": "4"} {
			got := dump(t, &store, matcher(t, "__name__=http_request_duration_seconds_bucket"), labels.MustNewMatcher(labels.MatchEqual, "le", le))
			compare(t, "bucket", got, `{__name__="http_request_duration_seconds_bucket", instance="a", job="shop", le="`+le+`"} 0:`+want)
		}
	}
}
