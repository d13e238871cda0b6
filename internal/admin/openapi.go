package admin

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// apiVersion is the version of the API's document: the major is the path's.
const apiVersion = "1.0.0"

const description = `The API of a running firedrill (` + "`firedrill up`" + `): look at the simulated services, act on them,
take care of pages, steer the clock, start and stop scenarios.

Times are of the simulation; a tick is a simulated second since the start of the run. A refused
request has changed nothing and is answered with a problem (RFC 9457) that names every field that
is wrong, its value, what is allowed and the nearest valid name.`

// newAPI makes the registry of operations. The document and a page of
// documentation are not huma's: its page loads scripts from other sites.
func newAPI(mux *http.ServeMux) huma.API {
	format := huma.Format{Marshal: marshal, Unmarshal: unmarshal}
	return humago.New(mux, huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{Title: "firedrill", Version: apiVersion, Description: description,
				License: &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"}},
			Tags: []*huma.Tag{
				{Name: "services", Description: "the simulated services and what can be done to them"},
				{Name: "clock", Description: "how simulated time passes"},
				{Name: "drill", Description: "scenarios, the drill that runs, its records"},
				{Name: "pager", Description: "pages, tickets and notices, and what people do with them"},
				{Name: "health", Description: "of the program"},
			},
		},
		Formats:       map[string]huma.Format{"application/json": format, "json": format},
		DefaultFormat: "application/json",
		Transformers:  []huma.Transformer{ownProblems},
	})
}

// marshal writes v in one piece. That a client has gone by then is no error.
func marshal(w io.Writer, v any) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return err
	}
	_, _ = w.Write(b.Bytes())
	return nil
}

// reply is an answer with a body.
type reply[T any] struct{ Body T }

// nothing is the input of an operation that takes none.
type nothing struct{}

// register adds an operation whose errors become problems.
func register[I, O any](s *Server, op huma.Operation, f func(context.Context, *I) (*O, error)) {
	op.SkipValidateBody = true // the bodies are checked against their own tables
	op.BodyReadTimeout = -1    // they have been read, within the limits of the server
	if op.Responses == nil {
		op.Responses = map[string]*huma.Response{}
	}
	op.Responses["default"] = &huma.Response{
		Description: "A problem: the request is refused and has changed nothing.",
		Content: map[string]*huma.MediaType{problemType: {
			Schema: s.api.OpenAPI().Components.Schemas.Schema(typeOf[Problem](), true, ""),
		}},
	}
	huma.Register(s.api, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := f(ctx, in)
		if err != nil {
			return nil, s.refuse(ctx, err)
		}
		return out, nil
	})
}

// registerDocument serves the OpenAPI document, and is the last to be called.
// Huma's own error model, which no answer has, is left out.
func (s *Server) registerDocument() {
	schemas := s.api.OpenAPI().Components.Schemas.Map()
	delete(schemas, "ErrorModel")
	delete(schemas, "ErrorDetail")
	s.mux.HandleFunc("GET /openapi.json", s.document("application/vnd.oai.openapi+json;version=3.1", func(api *huma.OpenAPI) ([]byte, error) { return api.MarshalJSON() }))
	s.mux.HandleFunc("GET /openapi.yaml", s.document("application/vnd.oai.openapi;version=3.1", func(api *huma.OpenAPI) ([]byte, error) { return api.YAML() }))
	s.registerIndex()
	s.mux.HandleFunc("/", s.fallback)
}

func (s *Server) document(media string, write func(*huma.OpenAPI) ([]byte, error)) http.HandlerFunc {
	text, err := write(s.api.OpenAPI())
	if err != nil {
		panic("admin: the document is always valid: " + err.Error())
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", media)
		_, _ = w.Write(text) // the client may have gone
	}
}

// Document returns the OpenAPI document of the API as indented JSON.
func Document() ([]byte, error) {
	s := New(Config{Logger: slog.New(slog.DiscardHandler)})
	defer s.Close()
	text, err := s.api.OpenAPI().MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("write the OpenAPI document: %w", err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		return nil, fmt.Errorf("indent the OpenAPI document: %w", err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}
