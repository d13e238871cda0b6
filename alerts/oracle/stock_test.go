package oracle_test

import (
	"context"
	"log/slog"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/rules"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"

	"github.com/prometheus/common/model"
)

const (
	evaluation = 30 * time.Second // of groups that do not say
	lookback   = 5 * time.Minute
)

var (
	external    = labels.FromStrings("cluster", "drill")
	externalURL = "http://prometheus.example/p"
)

// stock is Prometheus's own storage and rule manager.
type stock struct {
	db     *tsdb.DB
	groups []*rules.Group // in the order of the files
}

// newStock returns a stock server with the rules of the files.
func newStock(t *testing.T, files []string) *stock {
	t.Helper()
	options := tsdb.DefaultOptions()
	options.MinBlockDuration = (100 * 24 * time.Hour).Milliseconds()
	options.MaxBlockDuration = options.MinBlockDuration
	options.RetentionDuration = 0
	options.WALSegmentSize = -1
	quiet := slog.New(slog.DiscardHandler)
	db, err := tsdb.Open(t.TempDir(), quiet, nil, options, nil)
	if err != nil {
		t.Fatal(err)
	}
	db.DisableCompactions()
	t.Cleanup(func() { _ = db.Close() })
	s := &stock{db: db}
	s.load(t, files, quiet)
	return s
}

func (s *stock) load(t *testing.T, files []string, quiet *slog.Logger) {
	t.Helper()
	parse := parser.NewParser(parser.Options{})
	engine := promql.NewEngine(promql.EngineOpts{
		Logger: quiet, MaxSamples: math.MaxInt, Timeout: time.Hour, LookbackDelta: lookback, Parser: parse,
		EnableAtModifier: true, EnableNegativeOffset: true,
		NoStepSubqueryIntervalFn: func(int64) int64 { return evaluation.Milliseconds() },
	})
	site, err := url.Parse(externalURL)
	if err != nil {
		t.Fatal(err)
	}
	manager := rules.NewManager(&rules.ManagerOptions{
		ExternalURL: site, QueryFunc: rules.EngineQueryFunc(engine, s.db), NotifyFunc: func(context.Context, string, ...*rules.Alert) {},
		Context: t.Context(), AppendableV2: s.db, Queryable: s.db, Logger: quiet, Parser: parse,
	})
	byKey, problems := manager.LoadGroups(evaluation, external, externalURL, nil, false, files...)
	for _, problem := range problems {
		t.Fatal(problem)
	}
	for _, file := range files {
		listed, problems := rulefmt.ParseFile(file, false, model.UTF8Validation, parse, quiet)
		for _, problem := range problems {
			t.Fatal(problem)
		}
		for _, g := range listed.Groups {
			group := byKey[rules.GroupKey(file, g.Name)]
			for _, alert := range group.AlertingRules() {
				alert.SetRestored(true)
			}
			s.groups = append(s.groups, group)
		}
	}
}

// append adds the samples of one scrape.
func (s *stock) append(t *testing.T, samples []point) {
	t.Helper()
	app := s.db.AppenderV2(t.Context())
	for _, p := range samples {
		if _, err := app.Append(0, p.labels, 0, p.t, p.v, nil, p.h, storage.AOptions{}); err != nil {
			t.Fatalf("append %s at %d: %v", p.labels, p.t, err)
		}
	}
	if err := app.Commit(); err != nil {
		t.Fatal(err)
	}
}

// point is a sample of a series.
type point struct {
	labels labels.Labels
	t      int64
	v      float64
	h      *histogram.FloatHistogram
}

// due reports whether a group without stagger is due at ts.
func due(g *rules.Group, ts time.Time) bool { return ts.UnixNano()%int64(g.Interval()) == 0 }

// write puts a rule file into a directory and returns its name.
func write(t testing.TB, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "rules.yml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}
