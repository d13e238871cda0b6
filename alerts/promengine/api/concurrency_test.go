package api_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/alerts/promengine/api"
	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/exporter/series"
	"github.com/firedrill/firedrill/simulator"
)

// questions are one of each kind of answer that is taken from what a scrape or
// an evaluation writes.
var questions = []struct {
	path   string
	params []string
}{
	{"query", []string{"query", "sum by (job) (rate({__name__=~\".+_total\"}[5m]))"}},
	{"query_range", []string{"query", "job:requests:rate1m", "start", "1767599400", "end", "1767603600", "step", "30"}},
	{"series", []string{"match[]", "{job=~\".+\"}"}},
	{"labels", nil},
	{"label/job/values", nil},
	{"metadata", nil},
	{"rules", nil},
	{"alerts", nil},
	{"targets", nil},
	{"targets/metadata", nil},
	{"status/tsdb", nil},
}

// TestConcurrent asks all the time while another goroutine scrapes, evaluates
// and forgets, and the source goes over to another store. The race detector
// watches.
func TestConcurrent(t *testing.T) {
	var mu sync.Mutex
	var state api.State
	current := func(context.Context) (api.State, error) {
		mu.Lock()
		defer mu.Unlock()
		return state, nil
	}
	a := api.New(api.Options{Source: current})
	done := make(chan struct{})
	var asking sync.WaitGroup
	open := func() (*promengine.Engine, *promengine.Scraper) {
		store, engine := filled(t)
		scraper := promengine.NewScraper(store, true)
		mu.Lock()
		defer mu.Unlock()
		state = api.State{Store: store, Engine: engine, Now: simulated, Wall: wall, Scrape: api.Scrape{Targets: scraper.Targets, Interval: 15 * time.Second}}
		return engine, scraper
	}
	engine, scraper := open()
	for _, h := range []http.Handler{a.Handler(), a.Shifted()} {
		asking.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				q := questions[i%len(questions)]
				if got := get(t, h, "/api/v1/"+q.path, q.params...); got.code != http.StatusOK {
					t.Errorf("%s: %d %s", q.path, got.code, got.Error)
				}
			}
		})
	}
	for i := range 400 {
		if i == 200 {
			engine, scraper = open()
		}
		at := simulated.Add(time.Duration(1+i) * 15 * time.Second)
		scrape(scraper, at, i)
		if _, err := engine.Eval(t.Context(), at); err != nil {
			t.Fatal(err)
		}
		engine.Forget(at.Add(-30 * time.Minute))
	}
	close(done)
	asking.Wait()
}

// scrape scrapes two pods, one of which comes and goes.
func scrape(s *promengine.Scraper, at time.Time, n int) {
	var table series.Table
	u := table.Begin(series.Moment{Tick: simulator.Tick(n), Wall: at, Speed: 1})
	for i, pod := range []string{"a", "b"} {
		u.Target(series.Labels{Job: "shop", Instance: pod + ":8080", Service: "shop", Pod: pod}, series.Status{Listed: true, Answers: i == 0 || n/10%2 == 0})
		u.Set(&metric.HTTPRequests, float64(n), "v1", "high", "200")
	}
	u.Commit()
	f := table.Current()
	s.Scrape(at, f)
	f.Release()
}

// TestSlowReader holds that a client that does not read takes no slot from
// others: the result is there already.
func TestSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := make(chan struct{})
		a := api.New(api.Options{Source: source(filled(t)), MaxConcurrent: 1})
		var first sync.WaitGroup
		first.Go(func() {
			r := httptest.NewRequest(http.MethodGet, "/api/v1/query?query=requests_total", nil)
			a.Handler().ServeHTTP(&blocking{ResponseRecorder: httptest.NewRecorder(), until: slow}, r)
		})
		synctest.Wait()
		if got := get(t, a.Handler(), "/api/v1/query", "query", "1"); got.code != http.StatusOK {
			t.Errorf("while a reader is slow: %d %s", got.code, got.Error)
		}
		close(slow)
		first.Wait()
	})
}

// blocking is a client that does not read for a while.
type blocking struct {
	*httptest.ResponseRecorder
	until chan struct{}
}

func (b *blocking) Write(p []byte) (int, error) {
	<-b.until
	return b.ResponseRecorder.Write(p)
}

// TestGone holds that a query ends when its client has gone, and one that takes
// too long with a timeout.
func TestGone(t *testing.T) {
	store, engine := filled(t)
	for i := range 2000 {
		l := labels.FromStrings("__name__", "many", "i", string(rune('a'+i%26))+string(rune('a'+i/26)))
		if err := store.Append(l, simulated.UnixMilli(), 1); err != nil {
			t.Fatal(err)
		}
	}
	a := api.New(api.Options{Source: source(store, engine)})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := do(t, a.Handler(), httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/v1/query?query=many", nil)); got.code != 499 || got.ErrorType != "canceled" {
		t.Errorf("gone: %d %q %q", got.code, got.ErrorType, got.Error)
	}
	if got := get(t, a.Handler(), "/api/v1/query", "query", "many", "timeout", "1e-9"); got.code != http.StatusServiceUnavailable || got.ErrorType != "timeout" {
		t.Errorf("late: %d %q %q", got.code, got.ErrorType, got.Error)
	}
}

// TestUnavailable holds that a source without anything is said so.
func TestUnavailable(t *testing.T) {
	a := api.New(api.Options{Source: func(context.Context) (api.State, error) { return api.State{}, errors.New("no scenario has started") }})
	got := get(t, a.Handler(), "/api/v1/query", "query", "1")
	if got.code != http.StatusServiceUnavailable || got.ErrorType != "unavailable" || got.Error != "no scenario has started" {
		t.Errorf("%d %q %q", got.code, got.ErrorType, got.Error)
	}
}
