package admin

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
)

// FuzzAction sends any body for any action: it is accepted and logged, or
// refused and changes nothing; it never is an internal error.
func FuzzAction(f *testing.F) {
	for _, seed := range []struct{ action, media, body string }{
		{"set", "application/json", `{"args": {"floor": 12, "ttl": "2m", "shed": 1e-3}, "actor": "ann"}`},
		{"set", "application/json", `{"args": {"floor": "12", "autoscaler": "off"}}`},
		{"set", "application/json", `{"args": {"floor": 1e400, "ttl": [], "shed": {}}, "actor": null}`},
		{"surge", "application/json", `{"args": {"factor": 3, "rise": "6m", "hold": "45m", "fall": "9007199254740993d"}}`},
		{"rollback", "", ""},
		{"../../clock/pause", "application/json", "{}"},
		{"kill_instances", "text/plain", "\xff"},
	} {
		f.Add(seed.action, seed.media, []byte(seed.body))
	}
	s := newServer(f, nil)
	f.Fuzz(func(t *testing.T, action, media string, body []byte) {
		r := httptest.NewRequest("POST", "http://localhost"+Base+"/services/shop/actions/x", bytes.NewReader(body))
		r.URL = &url.URL{Scheme: "http", Host: "localhost", Path: Base + "/services/shop/actions/" + action}
		r.Header.Set("Content-Type", media)
		before := logged(t, s)
		w := ask(s, r)
		grown := logged(t, s) - before
		switch {
		case w.Code >= 500:
			t.Errorf("answered %d %s", w.Code, w.Body)
		case w.Code == http.StatusAccepted && grown != 1:
			t.Errorf("accepted, and the log grew by %d", grown)
		case w.Code >= 400 && (grown != 0 || w.Header().Get("Content-Type") != problemType):
			t.Errorf("refused with %d %s, and the log grew by %d", w.Code, w.Body, grown)
		}
		if before > 500 {
			ask(s, stranger("POST", "/drill/restart", nil))
			ask(s, stranger("POST", "/clock/pause", nil))
		}
	})
}

// logged returns the number of commands that have been accepted.
func logged(t *testing.T, s *Server) (n int) {
	t.Helper()
	if err := s.config.Driver.Inspect(t.Context(), func(v view) { n = len(v.Run.Log()) }); err != nil {
		t.Fatal(err)
	}
	return n
}
