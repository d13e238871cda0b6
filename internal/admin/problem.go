package admin

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/firedrill/firedrill/internal/driver"
	"github.com/firedrill/firedrill/internal/pager"
	"github.com/firedrill/firedrill/simulator/schema"
)

// Problem is a refusal as RFC 9457 describes it.
type Problem struct {
	Type   string       `json:"type" doc:"kind of the problem, for programs" example:"urn:firedrill:problem:invalid-request"`
	Title  string       `json:"title" doc:"kind of the problem, for people" example:"invalid request"`
	Status int          `json:"status" doc:"HTTP status" example:"422"`
	Detail string       `json:"detail" doc:"what is wrong this time"`
	Errors []FieldError `json:"errors,omitempty" nullable:"false" doc:"every field that is wrong"`
}

// FieldError is one thing that is wrong with a request.
type FieldError struct {
	Field   string `json:"field,omitempty" doc:"path of the field" example:"args.floor"`
	Value   string `json:"value,omitempty" doc:"the value as it was given" example:"400"`
	Message string `json:"message" doc:"what is wrong" example:"is too large"`
	Allowed string `json:"allowed,omitempty" doc:"what would be right" example:"a whole number from 1 to 40 instances"`
	Nearest string `json:"nearest,omitempty" doc:"the valid name nearest to a mistyped one" example:"floor"`
}

// Error words the problem on one line for each field that is wrong.
func (p *Problem) Error() string {
	if len(p.Errors) == 0 {
		return p.Detail
	}
	lines := make([]string, len(p.Errors))
	for i, e := range p.Errors {
		lines[i] = schema.Problem{Field: e.Field, Value: e.Value, Message: e.Message, Allowed: e.Allowed, Nearest: e.Nearest}.Error()
	}
	return strings.Join(lines, "\n")
}

// GetStatus returns the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType returns the media type of a problem.
func (p *Problem) ContentType(string) string { return problemType }

const problemType = "application/problem+json"

var (
	_ huma.StatusError       = (*Problem)(nil)
	_ huma.ContentTypeFilter = (*Problem)(nil)
)

// errorKind is a kind of error as a client sees it.
type errorKind string

// The kinds of errors.
const (
	malformed   errorKind = "malformed-request"
	invalid     errorKind = "invalid-request"
	notFound    errorKind = "not-found"
	notAllowed  errorKind = "method-not-allowed"
	conflict    errorKind = "conflict"
	secret      errorKind = "secret"
	crossOrigin errorKind = "cross-origin"
	misdirected errorKind = "misdirected"
	tooLarge    errorKind = "too-large"
	tooSlow     errorKind = "too-slow"
	noJSON      errorKind = "unsupported-media-type"
	unavailable errorKind = "unavailable"
	internal    errorKind = "internal"
)

// statuses is the table of the kinds of errors.
var statuses = map[errorKind]int{
	malformed:   http.StatusBadRequest,
	invalid:     http.StatusUnprocessableEntity,
	notFound:    http.StatusNotFound,
	notAllowed:  http.StatusMethodNotAllowed,
	conflict:    http.StatusConflict,
	secret:      http.StatusForbidden,
	crossOrigin: http.StatusForbidden,
	misdirected: http.StatusMisdirectedRequest,
	tooLarge:    http.StatusRequestEntityTooLarge,
	tooSlow:     http.StatusRequestTimeout,
	noJSON:      http.StatusUnsupportedMediaType,
	unavailable: http.StatusServiceUnavailable,
	internal:    http.StatusInternalServerError,
}

// problem makes a problem of a kind.
func problem(kind errorKind, detail string, fields ...schema.Problem) *Problem {
	p := &Problem{
		Type:   "urn:firedrill:problem:" + string(kind),
		Title:  strings.ReplaceAll(string(kind), "-", " "),
		Status: statuses[kind],
		Detail: detail,
	}
	for _, f := range fields {
		p.Errors = append(p.Errors, FieldError{Field: f.Field, Value: clip(f.Value), Message: f.Message, Allowed: f.Allowed, Nearest: f.Nearest})
	}
	return p
}

// clip shortens a value that is echoed.
func clip(value string) string {
	const most = 200
	if len(value) <= most {
		return value
	}
	return strings.ToValidUTF8(value[:most], "") + "…"
}

// refuse turns an error into what the client is told.
func (s *Server) refuse(ctx context.Context, err error) *Problem {
	var p *Problem
	var fields schema.Problems
	var closed pager.ClosedError
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &fields):
		return problem(invalid, "the request is refused and has changed nothing", fields...)
	case errors.Is(err, driver.ErrRunning):
		return problem(conflict, err.Error()+": firedrill clock pause")
	case errors.Is(err, driver.ErrChanged):
		return problem(conflict, err.Error())
	case errors.As(err, &closed):
		return problem(conflict, err.Error())
	case errors.Is(err, pager.ErrFull):
		return problem(unavailable, err.Error()+"; resolve some, or start another drill")
	case errors.Is(err, driver.ErrStopped), ctx.Err() != nil:
		return problem(unavailable, "the simulation is stopping, or the request took too long")
	}
	s.config.Logger.Error("request refused by an internal error", "err", err)
	return problem(internal, "something went wrong inside; the log of firedrill up says what")
}

// missing refuses a name in the path that is not there.
func missing(p schema.Problem) *Problem {
	return problem(notFound, p.Error(), p)
}

// ownProblems turns an error that huma has made into a Problem.
func ownProblems(_ huma.Context, _ string, v any) (any, error) {
	theirs, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	kind := internal
	for k, status := range statuses {
		if status == theirs.Status && k != secret {
			kind = k
		}
	}
	p := problem(kind, theirs.Detail)
	p.Status = theirs.Status
	for _, e := range theirs.Errors {
		p.Errors = append(p.Errors, FieldError{Field: e.Location, Message: e.Message})
	}
	return p, nil
}

// writeProblem answers with a problem outside of huma.
func writeProblem(w http.ResponseWriter, p *Problem) {
	w.Header().Set("Content-Type", problemType)
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // the client may have gone
}
