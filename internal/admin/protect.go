package admin

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/firedrill/firedrill/internal/pager/webhook"
	"github.com/firedrill/firedrill/simulator/schema"
)

// maxBody is the largest body that a request may have, in bytes; a notification
// of an Alertmanager, which holds many alerts, has a limit of its own.
const maxBody = 64 << 10

// bodyLimit returns how large the body of a request may be, in bytes.
func bodyLimit(r *http.Request) int64 {
	if r.URL.Path == alertmanagerPath {
		return webhook.MaxBytes
	}
	return maxBody
}

// protect wraps the API in what keeps strangers out.
func (s *Server) protect(api http.Handler) http.Handler {
	crossing := http.NewCrossOriginProtection()
	crossing.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		writeProblem(w, problem(crossOrigin, "a page of another origin may not change anything here"))
	}))
	return s.recoverer(patient(headers(s.hosts(crossing.Handler(s.beside(bodies(api)))))))
}

// maxQuery is the largest body that a request to the embedded Prometheus may
// have, in bytes.
const maxQuery = 1 << 20

// beside sends requests to the embedded Prometheus, which takes forms, there.
func (s *Server) beside(api http.Handler) http.Handler {
	if s.config.Prometheus == nil {
		return api
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == PrometheusBase || strings.HasPrefix(r.URL.Path, PrometheusBase+"/") {
			http.MaxBytesHandler(s.config.Prometheus, maxQuery).ServeHTTP(w, r)
			return
		}
		api.ServeHTTP(w, r)
	})
}

// recoverer answers a panic with an internal error, once it is logged.
func (s *Server) recoverer(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			cause := recover()
			if cause == nil {
				return
			}
			s.config.Logger.Error("a handler panicked", "path", r.URL.Path, "cause", cause, "stack", string(debug.Stack()))
			writeProblem(w, problem(internal, "something went wrong inside; the log of firedrill up says what"))
		}()
		next.ServeHTTP(w, r)
	})
}

// headers tells browsers to do nothing with an answer but show it.
func headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// hosts refuses, on a loopback listener and where names were given, requests for
// other names than these and this machine's: a page that has its own name
// resolve to 127.0.0.1 (DNS rebinding) carries that name as Host.
func (s *Server) hosts(next http.Handler) http.Handler {
	if !s.config.Loopback && len(s.config.Hosts) == 0 {
		return next
	}
	allowed := strings.Join(append([]string{"localhost", "127.0.0.1", "[::1]"}, s.config.Hosts...), ", ")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isLoopback(r.Host) && !s.known(r.Host) {
			writeProblem(w, problem(misdirected, fmt.Sprintf("host %q is not this machine; allowed: %s; "+
				"say under which other names it is reached (up --host)", clip(r.Host), allowed)))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// known reports whether a Host header is one of the names that were given.
func (s *Server) known(host string) bool {
	return slices.ContainsFunc(s.config.Hosts, func(name string) bool { return strings.EqualFold(name, bare(host)) })
}

// bare returns a Host header without its port and without the brackets of an
// address.
func bare(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.Trim(host, "[]")
}

// isLoopback reports whether a Host header names this machine.
func isLoopback(host string) bool {
	host = strings.ToLower(bare(host))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

// bodies reads the body of a request before anything else does, and refuses
// one that is too large or no JSON.
func bodies(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyLimit(r)))
		if p := refuseBody(r, body, err); p != nil {
			writeProblem(w, p)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

func refuseBody(r *http.Request, body []byte, err error) *Problem {
	var large *http.MaxBytesError
	var slow net.Error
	switch {
	case errors.As(err, &large):
		return problem(tooLarge, fmt.Sprintf("the body is larger than %d bytes", large.Limit))
	case errors.As(err, &slow) && slow.Timeout():
		return problem(tooSlow, "the body came too slowly")
	case err != nil:
		return problem(malformed, "the body could not be read")
	}
	given := r.Header.Get("Content-Type")
	if len(body) == 0 && given == "" {
		return nil
	}
	if media, _, err := mime.ParseMediaType(given); err != nil || media != "application/json" {
		return problem(noJSON, "the body must be JSON", schema.Problem{Field: "Content-Type", Value: given, Message: "is no JSON", Allowed: "application/json"})
	}
	return nil
}

// fallback answers what no operation answers: a path that is not there or a
// method that the path does not have.
func (s *Server) fallback(w http.ResponseWriter, r *http.Request) {
	if methods := s.methods(r); len(methods) > 0 {
		allowed := strings.Join(methods, ", ")
		w.Header().Set("Allow", allowed)
		writeProblem(w, problem(notAllowed, fmt.Sprintf("%s has no %s", clip(r.URL.Path), r.Method),
			schema.Problem{Field: "method", Value: r.Method, Message: "is not allowed here", Allowed: allowed}))
		return
	}
	var paths []string
	for path := range s.api.OpenAPI().Paths {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	writeProblem(w, missing(schema.Problem{Field: "path", Value: r.URL.Path, Message: "is no path of this API",
		Allowed: "the paths of /openapi.json", Nearest: schema.Nearest(r.URL.Path, paths)}))
}

// methods lists the methods that the path of r has.
func (s *Server) methods(r *http.Request) []string {
	var methods []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := s.mux.Handler(other); pattern != "/" {
			methods = append(methods, method)
		}
	}
	return methods
}
