package api_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/firedrill/firedrill/alerts/promengine"
	"github.com/firedrill/firedrill/alerts/promengine/api"
)

// Two moments that are the same: on the clock of the samples and outside.
var (
	simulated = time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)
	wall      = time.Date(2031, 7, 1, 12, 30, 0, 250e6, time.UTC)
)

const rules = `
groups:
  - name: shop
    interval: 30s
    rules:
      - record: job:requests:rate1m
        expr: sum by (job) (rate(requests_total[1m]))
      - alert: Busy
        expr: job:requests:rate1m > 1
        for: 1m
        labels: {severity: page}
        annotations: {summary: "{{ $labels.job }} has {{ $value | humanize }} a second"}
`

// filled returns a store with ten minutes of a counter until the simulated
// moment, and an engine that has evaluated rules over it.
func filled(t testing.TB) (*promengine.Store, *promengine.Engine) {
	t.Helper()
	store := new(promengine.Store)
	engine, err := promengine.New(store, promengine.Options{Interval: 30 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.LoadText(promengine.Source{Name: "rules.yml", Text: []byte(rules)}); err != nil {
		t.Fatal(err)
	}
	l := labels.FromStrings("__name__", "requests_total", "job", "shop")
	for i := range 41 {
		at := simulated.Add(time.Duration(i-40) * 15 * time.Second)
		if err := store.Append(l, at.UnixMilli(), float64(30*i)); err != nil {
			t.Fatal(err)
		}
		if _, err := engine.Eval(t.Context(), at); err != nil {
			t.Fatal(err)
		}
	}
	return store, engine
}

// source returns a source with a store and an engine.
func source(store *promengine.Store, engine *promengine.Engine) func(context.Context) (api.State, error) {
	return func(context.Context) (api.State, error) {
		return api.State{Store: store, Engine: engine, Now: simulated, Wall: wall}, nil
	}
}

// answer is what a request is answered with.
type answer struct {
	Status    string
	Data      json.RawMessage
	ErrorType string
	Error     string
	Warnings  []string
	Infos     []string

	code   int
	header http.Header
}

// get asks for a path with parameters, given as name, value and so on.
func get(t testing.TB, h http.Handler, path string, params ...string) answer {
	t.Helper()
	return do(t, h, httptest.NewRequest(http.MethodGet, path+"?"+form(params).Encode(), nil))
}

func form(params []string) url.Values {
	values := url.Values{}
	for i := 0; i < len(params); i += 2 {
		values.Add(params[i], params[i+1])
	}
	return values
}

func do(t testing.TB, h http.Handler, r *http.Request) answer {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	a := answer{code: w.Code, header: w.Header()}
	if strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
			t.Fatalf("%s: %v in %s", r.URL, err, w.Body)
		}
	}
	return a
}

func compare(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, want)
	}
}
