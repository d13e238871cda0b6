package admin

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/danielgtaylor/huma/v2"
)

// registerIndex serves a list of the paths where somebody looks first.
func (s *Server) registerIndex() {
	text := index(s.api.OpenAPI())
	for _, path := range []string{"/{$}", Base, Base + "/{$}"} {
		s.mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			_, _ = w.Write(text) // the client may have gone
		})
	}
}

// index lists the operations of an API, one a line, and where they are
// described.
func index(api *huma.OpenAPI) []byte {
	var b strings.Builder
	b.WriteString("The API of a running firedrill, described by /openapi.json and /openapi.yaml:\n")
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, path := range slices.Sorted(maps.Keys(api.Paths)) {
		at := api.Paths[path]
		for _, op := range []*huma.Operation{at.Get, at.Put, at.Post} {
			if op != nil {
				fmt.Fprintf(w, "  %s\t%s\t%s\n", op.Method, path, op.Summary)
			}
		}
	}
	_ = w.Flush() // a builder refuses nothing
	return []byte(b.String())
}
