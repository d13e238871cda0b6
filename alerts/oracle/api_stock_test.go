package oracle_test

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/route"
	"github.com/prometheus/prometheus/config"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/rules"
	"github.com/prometheus/prometheus/scrape"
	"github.com/prometheus/prometheus/tsdb"
	v1 "github.com/prometheus/prometheus/web/api/v1"
)

// stockAPI is the API of Prometheus over a stock server and its targets.
func stockAPI(t *testing.T, s *stock, targets []*scrape.Target) http.Handler {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	parse := parser.NewParser(parser.Options{})
	engine := promql.NewEngine(promql.EngineOpts{
		Logger: quiet, MaxSamples: 50_000_000, Timeout: 2 * time.Minute, LookbackDelta: lookback, Parser: parse,
		EnableAtModifier: true, EnableNegativeOffset: true,
		NoStepSubqueryIntervalFn: func(int64) int64 { return evaluation.Milliseconds() },
	})
	pools := retriever{targets}
	api := v1.NewAPI(engine, s.db, nil, s.db,
		func(context.Context) v1.ScrapePoolsRetriever { return pools },
		func(context.Context) v1.TargetRetriever { return pools },
		func(context.Context) v1.AlertmanagerRetriever { return noManagers{} },
		func() config.Config { return config.Config{} }, map[string]string{"storage.tsdb.retention.time": "6h"},
		v1.GlobalURLOptions{ListenAddress: "127.0.0.1:9090", Host: "127.0.0.1:9090", Scheme: "http"},
		func(f http.HandlerFunc) http.HandlerFunc { return f },
		adminStats{s.db}, "", false, false, 0, quiet,
		func(context.Context) v1.RulesRetriever { return groupList(s.groups) },
		0, 1, 0, false, nil,
		func() (v1.RuntimeInfo, error) { return v1.RuntimeInfo{}, nil }, &v1.PrometheusVersion{Version: "1.2.3", GoVersion: "go1"},
		nil, nil, prometheus.NewRegistry(), prometheus.NewRegistry(), nil, false, nil, false, false, false,
		lookback, false, false, nil, nil, v1.OpenAPIOptions{}, parse, false, 2*time.Minute)
	router := route.New()
	api.Register(router.WithPrefix("/api/v1"))
	return router
}

// groupList is a list of groups as the API asks for it.
type groupList []*rules.Group

// RuleGroups returns the groups in the order in which a rules.Manager has them.
func (l groupList) RuleGroups() []*rules.Group {
	return slices.SortedFunc(slices.Values(l), func(a, b *rules.Group) int {
		return cmp.Or(cmp.Compare(a.File(), b.File()), cmp.Compare(a.Name(), b.Name()))
	})
}

func (l groupList) AlertingRules() []*rules.AlertingRule {
	var all []*rules.AlertingRule
	for _, g := range l {
		all = append(all, g.AlertingRules()...)
	}
	return all
}

const pool = "firedrill"

// retriever has targets in one pool.
type retriever struct{ targets []*scrape.Target }

func (r retriever) ScrapePools() []string { return []string{pool} }
func (r retriever) TargetsActive() map[string][]*scrape.Target {
	return map[string][]*scrape.Target{pool: r.targets}
}
func (r retriever) TargetsDropped() map[string][]*scrape.Target { return nil }
func (r retriever) TargetsDroppedCounts() map[string]int        { return map[string]int{pool: 0} }
func (r retriever) ScrapePoolConfig(string) (*config.ScrapeConfig, error) {
	return &config.ScrapeConfig{}, nil
}

type noManagers struct{}

func (noManagers) Alertmanagers() []*url.URL        { return nil }
func (noManagers) DroppedAlertmanagers() []*url.URL { return nil }

// adminStats is a database as the API asks for it.
type adminStats struct{ *tsdb.DB }

func (a adminStats) Stats(label string, limit int) (*tsdb.Stats, error) {
	return a.Head().Stats(label, limit), nil
}
func (a adminStats) WALReplayStatus() (tsdb.WALReplayStatus, error) {
	return tsdb.WALReplayStatus{}, nil
}
func (a adminStats) BlockMetas() ([]tsdb.BlockMeta, error) { return nil, nil }
