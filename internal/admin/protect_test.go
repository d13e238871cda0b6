package admin

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
)

// stranger is a request that only the protection should see.
func stranger(method, path string, body io.Reader, headers ...string) *http.Request {
	r := httptest.NewRequest(method, Base+path, body)
	r.Host = "127.0.0.1:8080"
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

func TestProtection(t *testing.T) {
	s := newServer(t, nil)
	const kind = "urn:firedrill:problem:"
	withHost := func(host string) *http.Request {
		r := stranger("GET", "/clock", nil)
		r.Host = host
		return r
	}
	for name, test := range map[string]struct {
		request *http.Request
		status  int
		kind    string
	}{
		"another site's page":             {stranger("POST", "/clock/pause", nil, "Origin", "http://evil.example", "Sec-Fetch-Site", "cross-site"), 403, "cross-origin"},
		"another port's page":             {stranger("POST", "/clock/pause", nil, "Origin", "http://127.0.0.1:3000"), 403, "cross-origin"},
		"our own page":                    {stranger("POST", "/clock/pause", nil, "Origin", "http://127.0.0.1:8080"), 200, ""},
		"no browser":                      {stranger("POST", "/clock/pause", nil), 200, ""},
		"a name that was rebound":         {withHost("evil.example:8080"), 421, "misdirected"},
		"a name that looks local":         {withHost("localhost.evil.example"), 421, "misdirected"},
		"no host":                         {withHost(""), 421, "misdirected"},
		"localhost":                       {withHost("LOCALHOST:1"), 200, ""},
		"IPv6":                            {withHost("[::1]:8080"), 200, ""},
		"a subdomain of localhost":        {withHost("drill.localhost"), 200, ""},
		"a form":                          {stranger("POST", "/clock/advance", strings.NewReader("seconds=1"), "Content-Type", "application/x-www-form-urlencoded"), 415, "unsupported-media-type"},
		"JSON that is called text":        {stranger("POST", "/clock/advance", strings.NewReader("{}"), "Content-Type", "text/plain"), 415, "unsupported-media-type"},
		"JSON that is not called so":      {stranger("POST", "/clock/advance", strings.NewReader("{}")), 415, "unsupported-media-type"},
		"JSON with a charset":             {stranger("POST", "/clock/advance", strings.NewReader("{}"), "Content-Type", "application/json; charset=utf-8"), 200, ""},
		"too much":                        {stranger("POST", "/clock/advance", strings.NewReader(strings.Repeat(" ", maxBody+1)), "Content-Type", "application/json"), 413, "too-large"},
		"as much as may be":               {stranger("POST", "/clock/advance", strings.NewReader("{}"+strings.Repeat(" ", maxBody-2)), "Content-Type", "application/json"), 200, ""},
		"a connection that breaks":        {stranger("POST", "/clock/advance", iotest.ErrReader(errors.New("broken")), "Content-Type", "application/json"), 400, "malformed-request"},
		"a connection that is slow":       {stranger("POST", "/clock/advance", iotest.ErrReader(slow{}), "Content-Type", "application/json"), 408, "too-slow"},
		"an answer that is asked as YAML": {stranger("GET", "/clock", nil, "Accept", "application/yaml"), 200, ""},
	} {
		w := ask(s, test.request)
		var p Problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
			t.Errorf("%s: answer %q: %v", name, w.Body, err)
			continue
		}
		if w.Code != test.status || (test.kind != "" && p.Type != kind+test.kind) {
			t.Errorf("%s: answered %d, %+v; want %d %s", name, w.Code, p, test.status, test.kind)
		}
		if got := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(got, "default-src 'none'") {
			t.Errorf("%s: content security policy %q", name, got)
		}
	}
}

// slow is the error of a read that took too long.
type slow struct{}

func (slow) Error() string   { return "slow" }
func (slow) Timeout() bool   { return true }
func (slow) Temporary() bool { return true }

// A listener that others can reach is reached under names that it cannot know.
func TestAnyHostWhereOthersMayCome(t *testing.T) {
	s := newServer(t, func(c *Config) { c.Loopback = false })
	r := stranger("GET", "/clock", nil)
	r.Host = "firedrill:8080"
	if w := ask(s, r); w.Code != http.StatusOK {
		t.Errorf("answered %d %s", w.Code, w.Body)
	}
}

// Where names are given, they and this machine's are accepted, whoever may come.
func TestNamedHosts(t *testing.T) {
	for _, loopback := range []bool{true, false} {
		s := newServer(t, func(c *Config) { c.Loopback, c.Hosts = loopback, []string{"firedrill", "10.0.0.7", "fd00::7"} })
		for host, want := range map[string]int{
			"firedrill:8080": 200, "FireDrill": 200, "10.0.0.7:8080": 200, "[fd00::7]:8080": 200, "localhost:8080": 200, "127.0.0.1": 200,
			"firedrill.evil.example:8080": 421, "evil.example": 421, "10.0.0.8:8080": 421, "": 421, "firedrill:8080:9": 421,
		} {
			r := stranger("GET", "/clock", nil)
			r.Host = host
			w := ask(s, r)
			if w.Code != want || want != 200 && !strings.Contains(w.Body.String(), "firedrill, 10.0.0.7, fd00::7") {
				t.Errorf("loopback %v, host %q: answered %d %s, want %d", loopback, host, w.Code, w.Body, want)
			}
		}
	}
}

// What goes wrong inside is not told.
func TestInsideIsHidden(t *testing.T) {
	s := newServer(t, nil)
	p := s.refuse(t.Context(), errors.New("the secret of the inside"))
	if p.Status != http.StatusInternalServerError || strings.Contains(p.Error(), "secret") {
		t.Errorf("told %+v", p)
	}
	w := httptest.NewRecorder()
	s.recoverer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("the secret of the inside") })).ServeHTTP(w, stranger("GET", "/clock", nil))
	if w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("a panic is answered with %d %s", w.Code, w.Body)
	}
}

func TestAfterTheSimulationHasStopped(t *testing.T) {
	s := stopped(t)
	for _, path := range []string{"/clock", "/services", "/drill", "/commands", "/truth", "/events"} {
		if w := ask(s, stranger("GET", path, nil)); w.Code != http.StatusServiceUnavailable {
			t.Errorf("GET %s answers %d %s", path, w.Code, w.Body)
		}
	}
	r := httptest.NewRequest("GET", "http://localhost/readyz", nil)
	if w := ask(s, r); w.Code != http.StatusServiceUnavailable {
		t.Errorf("readyz answers %d %s", w.Code, w.Body)
	}
}
