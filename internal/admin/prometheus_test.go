package admin

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/firedrill/firedrill/simulator/scenario"
)

// TestPrometheusIsProtected: the embedded Prometheus takes forms, and strangers
// reach it no more than the API.
func TestPrometheusIsProtected(t *testing.T) {
	s := newServer(t, func(c *Config) {
		c.Prometheus = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			_, _ = io.WriteString(w, r.URL.Path+" "+string(body)) // a recorder refuses nothing
		})
	})
	request := func(path, body string, headers ...string) *http.Request {
		r := stranger("POST", "", strings.NewReader(body), headers...)
		r.URL.Path = path
		return r
	}
	rebound := request("/prometheus/", "")
	rebound.Host = "evil.example"
	for _, c := range []struct {
		name    string
		request *http.Request
		status  int
		answer  string
	}{
		{"a form", request("/prometheus/api/v1/query", "query=up", "Content-Type", "application/x-www-form-urlencoded"), 200, "/prometheus/api/v1/query query=up"},
		{"the base", request("/prometheus", ""), 200, "/prometheus "},
		{"another path", request("/prometheusx", ""), 404, ""},
		{"the API", request("/api/v1/clock/pause", ""), 200, ""},
		{"too much", request("/prometheus/", strings.Repeat("x", maxQuery+1)), 400, ""},
		{"another site", request("/prometheus/", "", "Origin", "http://evil.example"), 403, ""},
		{"a name that was rebound", rebound, 421, ""},
	} {
		w := ask(s, c.request)
		if w.Code != c.status || c.answer != "" && w.Body.String() != c.answer {
			t.Errorf("%s: answered %d, %q; want %d, %q", c.name, w.Code, w.Body, c.status, c.answer)
		}
		if !strings.HasPrefix(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: the answer lets a browser do things", c.name)
		}
	}
}

// TestPrepare: whatever looks at runs is ready before one begins, and what it
// cannot look at does not begin.
func TestPrepare(t *testing.T) {
	var prepared []*scenario.Run
	abandoned, refusal, meanwhile := 0, error(nil), func() {}
	s := newServer(t, func(c *Config) {
		c.Prepare = func(_ context.Context, run *scenario.Run) (func(), error) {
			prepared = append(prepared, run)
			meanwhile()
			return func() { abandoned++ }, refusal
		}
	})
	begin := func() int {
		return ask(s, stranger("POST", "/drill/restart", nil)).Code
	}
	if code := begin(); code != 200 || len(prepared) != 1 || abandoned != 0 {
		t.Errorf("answered %d after %d preparations, %d abandoned", code, len(prepared), abandoned)
	}
	var has *scenario.Run
	if err := s.config.Driver.Inspect(t.Context(), func(v view) { has = v.Run }); err != nil || has != prepared[0] {
		t.Errorf("%v, the driver has another run than was prepared", err)
	}
	refusal = errors.New("no room")
	if code := begin(); code != 500 || len(prepared) != 2 || abandoned != 0 {
		t.Errorf("answered %d after %d preparations, %d abandoned", code, len(prepared), abandoned)
	}
	refusal = nil
	ctx, cancel := context.WithCancel(t.Context())
	meanwhile = cancel
	ask(s, stranger("POST", "/drill/restart", nil).WithContext(ctx))
	if len(prepared) != 3 || abandoned != 1 {
		t.Errorf("who has left has had %d preparations, %d abandoned; want 3 and 1", len(prepared), abandoned)
	}
}
