package admin

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// The limits for reading a request are none for answering it.
func TestSlowAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, nil)
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			register(s, huma.Operation{OperationID: "wait-" + method, Method: method, Path: "/wait"}, func(ctx context.Context, _ *emptyInput) (*reply[Health], error) {
				select {
				case <-ctx.Done():
					return nil, ctx.Err()
				case <-time.After(20 * time.Second):
					return &reply[Health]{Health{"ok"}}, nil
				}
			})
		}
		client := serve(t, s, &http.Server{ReadHeaderTimeout: time.Second, ReadTimeout: time.Second, WriteTimeout: time.Minute})
		for method, body := range map[string]string{http.MethodGet: "", http.MethodPost: "{}"} {
			request, err := http.NewRequestWithContext(t.Context(), method, "http://localhost/wait", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Content-Type", "application/json")
			response, err := client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			if response.StatusCode != http.StatusOK {
				t.Errorf("%s: answered %s", method, response.Status)
			}
			if err := response.Body.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}
