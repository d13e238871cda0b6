package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/firedrill/firedrill/internal/admin"
	"github.com/firedrill/firedrill/simulator/schema"
)

// defaultURL is where firedrill up has its API where nobody says otherwise.
const defaultURL = "http://127.0.0.1:8080"

const (
	clientTimeout = 30 * time.Second
	maxAnswer     = 16 << 20 // bytes
)

// remote says where the API is. Subcommands that are its clients embed it.
type remote struct {
	URL urlFlag `name:"url" env:"FIREDRILL_URL" default:"http://127.0.0.1:8080" placeholder:"http://127.0.0.1:8080" help:"Where firedrill up has its API; with a password http://USER:PASSWORD@HOST:PORT."`
}

// urlFlag is the URL of an API.
type urlFlag struct{ at *url.URL }

// UnmarshalText reads a URL.
func (f *urlFlag) UnmarshalText(text []byte) error {
	u, err := url.Parse(string(text))
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return schema.Problem{Value: string(text), Message: "is no URL of an API", Allowed: "http://HOST:PORT or https://HOST:PORT"}
	}
	f.at = u
	return nil
}

// get reads what stands at a path of the API.
func (r remote) get(ctx context.Context, into any, path ...string) error {
	return r.ask(ctx, http.MethodGet, nil, into, path...)
}

// post sends a body to a path of the API and reads the answer.
func (r remote) post(ctx context.Context, body, into any, path ...string) error {
	return r.ask(ctx, http.MethodPost, body, into, path...)
}

// ask makes a request. A refusal is an *admin.Problem.
func (r remote) ask(ctx context.Context, method string, body, into any, path ...string) error {
	ctx, cancel := context.WithTimeout(ctx, clientTimeout)
	defer cancel()
	request, err := r.request(ctx, method, body, path)
	if err != nil {
		return err
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		return r.unreachable(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("read the answer of %s: %w", r.URL.at.Redacted(), err)
	}
	if response.StatusCode >= http.StatusBadRequest {
		return r.refusal(response, answer)
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return fmt.Errorf("%s does not answer as a firedrill does: %w", r.URL.at.Redacted(), err)
	}
	return nil
}

func (r remote) request(ctx context.Context, method string, body any, path []string) (*http.Request, error) {
	at := r.URL.at.JoinPath(admin.Base)
	for _, part := range path {
		at = at.JoinPath(url.PathEscape(part))
	}
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return nil, fmt.Errorf("write a request: %w", err)
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, at.String(), bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("make a request: %w", err)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return request, nil
}

// unreachable explains why no answer came.
func (r remote) unreachable(err error) error {
	if errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("nobody answers at %s: is firedrill up running? (--url or FIREDRILL_URL says where it is)", r.URL.at.Redacted())
	}
	return fmt.Errorf("ask firedrill: %w", err)
}

// refusal turns an answer into the error that it tells of.
func (r remote) refusal(response *http.Response, answer []byte) error {
	var problem admin.Problem
	if strings.HasPrefix(response.Header.Get("Content-Type"), "application/problem+json") && json.Unmarshal(answer, &problem) == nil {
		return &problem
	}
	if response.StatusCode == http.StatusUnauthorized {
		return fmt.Errorf("%s wants a user and a password: --url %s://USER:PASSWORD@%s", r.URL.at.Redacted(), r.URL.at.Scheme, r.URL.at.Host)
	}
	return fmt.Errorf("%s does not answer as a firedrill does: %s", r.URL.at.Redacted(), response.Status)
}
