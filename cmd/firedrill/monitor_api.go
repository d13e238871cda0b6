package main

import (
	"context"
	"net/http"
	"os"
	"runtime"
	"time"

	"github.com/firedrill/firedrill/alerts/promengine/api"
	"github.com/firedrill/firedrill/alerts/watch"
	"github.com/firedrill/firedrill/exporter"
	"github.com/firedrill/firedrill/exporter/series"
	"github.com/firedrill/firedrill/internal/admin"
)

// nowBase is the path under which the API of the Prometheus in the process takes
// and shows wall times.
const nowBase = admin.PrometheusBase + "/now"

// queryTimeout ends a query before the server stops writing its answer.
const queryTimeout = writeTimeout - 5*time.Second

// seen is what the Prometheus in the process has at one moment.
type seen struct {
	watch     *watch.Watch
	now, wall time.Time
	began     time.Time // the first time that it has seen
}

// promHandler makes the handler of the API below its base.
func promHandler(what monitoring, metrics string, look func(context.Context) (seen, error)) http.Handler {
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	folder, err := os.Getwd()
	if err != nil {
		folder = "/"
	}
	from := build()
	source := func(ctx context.Context) (api.State, error) {
		s, err := look(ctx)
		if err != nil {
			return api.State{}, err
		}
		return api.State{
			Store: s.watch.Store(), Engine: s.watch.Engine(), Now: s.now, Wall: s.wall, Config: what.config,
			Scrape: api.Scrape{
				Targets: s.watch.Scraper().Targets, Pool: scrapePool, Interval: what.watch.Scrape,
				URL: func(l series.Labels) string { return metrics + exporter.TargetPath(l) },
			},
			Build:   api.Build{Version: from.Version, Revision: from.Revision, GoVersion: runtime.Version()},
			Runtime: api.Runtime{Start: s.began, ConfigTime: s.began, Retention: s.watch.Engine().Retention(), Directory: folder, Hostname: host},
		}, nil
	}
	a := api.New(api.Options{
		Source: source, Interval: what.watch.Engine.Interval, Lookback: what.watch.Engine.Lookback, Timeout: queryTimeout,
	})
	mux := http.NewServeMux()
	mux.Handle(nowBase+"/", http.StripPrefix(nowBase, a.Shifted()))
	mux.Handle(admin.PrometheusBase+"/", http.StripPrefix(admin.PrometheusBase, a.Handler()))
	return mux
}

// scrapePool is the name of the only scrape configuration.
const scrapePool = "firedrill"
