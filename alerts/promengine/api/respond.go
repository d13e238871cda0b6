package api

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/prometheus/prometheus/util/annotations"
)

// result is what comes of a request: data, or an error. Neither is an answer
// without content.
type result struct {
	data     any // encoded as JSON
	kind     errorKind
	err      error
	warnings annotations.Annotations
	query    string // that places in warnings are in
	close    func() // when it is written; nil for nothing
}

// errorKind is a kind of error and the status that goes with it.
type errorKind struct {
	name   string
	status int
}

// statusClientClosed is what nginx answers a client that has gone.
const statusClientClosed = 499

// The kinds of errors. canceled is for requests that their sender has given up.
var (
	badData     = errorKind{"bad_data", http.StatusBadRequest}
	execution   = errorKind{"execution", http.StatusUnprocessableEntity}
	canceled    = errorKind{"canceled", statusClientClosed}
	timeout     = errorKind{"timeout", http.StatusServiceUnavailable}
	internal    = errorKind{"internal", http.StatusInternalServerError}
	unavailable = errorKind{"unavailable", http.StatusServiceUnavailable}
)

func failed(kind errorKind, err error) result { return result{kind: kind, err: err} }

// invalid is the answer to a parameter that is not understood.
func invalid(parameter string, err error) result {
	return failed(badData, fmt.Errorf("invalid parameter %q: %w", parameter, err))
}

// envelope is the outside of every answer.
type envelope struct {
	Status    string          `json:"status"`
	Data      json.RawMessage `json:"data,omitempty"`
	ErrorType string          `json:"errorType,omitempty"`
	Error     string          `json:"error,omitempty"`
	Warnings  []string        `json:"warnings,omitempty"`
	Infos     []string        `json:"infos,omitempty"`
}

// How many warnings and infos an answer shows.
const maxAnnotations = 10

// respond writes a result.
func respond(w http.ResponseWriter, r *http.Request, from result) {
	if from.err != nil {
		send(w, r, from.kind.status, envelope{Status: "error", ErrorType: from.kind.name, Error: from.err.Error()})
		return
	}
	if from.data == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	data, err := encode(from.data)
	if err != nil {
		send(w, r, internal.status, envelope{Status: "error", ErrorType: internal.name, Error: err.Error()})
		return
	}
	warnings, infos := from.warnings.AsStrings(from.query, maxAnnotations, maxAnnotations)
	send(w, r, http.StatusOK, envelope{Status: "success", Data: data, Warnings: warnings, Infos: infos})
}

// encoder is data that knows how to write itself as JSON.
type encoder interface{ appendJSON([]byte) []byte }

func encode(data any) ([]byte, error) {
	if e, ok := data.(encoder); ok {
		return e.appendJSON(nil), nil
	}
	return json.Marshal(data)
}

// appendTo writes the envelope around the data, which is long and does not need
// to be looked at again.
func (e envelope) appendTo(b *bytes.Buffer) error {
	data := e.Data
	e.Data = nil
	rest, err := json.Marshal(e)
	if err != nil {
		return err
	}
	b.Write(rest[:len(rest)-1])
	if data != nil {
		b.WriteString(`,"data":`)
		b.Write(data)
	}
	b.WriteByte('}')
	return nil
}

func send(w http.ResponseWriter, r *http.Request, status int, e envelope) {
	var body bytes.Buffer
	if err := e.appendTo(&body); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Add("Vary", "Accept-Encoding")
	if !acceptsGzip(r) {
		w.WriteHeader(status)
		// Whoever asked is gone where this has an error.
		_, _ = body.WriteTo(w)
		return
	}
	h.Set("Content-Encoding", "gzip")
	w.WriteHeader(status)
	zip := gzip.NewWriter(w)
	_, _ = body.WriteTo(zip)
	_ = zip.Close()
}

func acceptsGzip(r *http.Request) bool {
	for encoding := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		if strings.TrimSpace(encoding) == "gzip" {
			return true
		}
	}
	return false
}
