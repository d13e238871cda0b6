//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// prometheus is a running Prometheus.
type prometheus struct {
	base string
}

// startPrometheus starts a Prometheus that discovers its targets at the URL of
// firedrill's discovery and scrapes each once a second.
func startPrometheus(ctx context.Context, t *testing.T, discovery string) *prometheus {
	t.Helper()
	return startPrometheusWith(ctx, t, fmt.Sprintf(`
global:
  scrape_interval: 1s
  scrape_timeout: 1s
scrape_configs:
  - job_name: firedrill
    http_sd_configs:
      - url: %s
        refresh_interval: 1s
`, discovery))
}

// startPrometheusWith starts a Prometheus with a configuration and more flags.
func startPrometheusWith(ctx context.Context, t *testing.T, text string, flags ...string) *prometheus {
	t.Helper()
	folder := t.TempDir()
	config := filepath.Join(folder, "prometheus.yml")
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	address := freeAddress(t)
	start(t, "prometheus", append(flags, "--config.file="+config, "--storage.tsdb.path="+filepath.Join(folder, "data"), "--web.listen-address="+address)...)
	p := &prometheus{base: "http://" + address}
	eventually(ctx, t, "Prometheus is ready", func() error {
		_, err := fetch(ctx, p.base+"/-/ready", "")
		return err
	})
	return p
}

// target is a target that Prometheus scrapes.
type target struct {
	Labels    map[string]string `json:"labels"`
	Health    string            `json:"health"`
	LastError string            `json:"lastError"`
}

func (p *prometheus) targets(ctx context.Context) ([]target, error) {
	var data struct {
		Active []target `json:"activeTargets"`
	}
	err := p.api(ctx, "/api/v1/targets?state=active", &data)
	return data.Active, err
}

// query returns the result of an instant query by the label instance, which
// every series of it must have to itself.
func (p *prometheus) query(ctx context.Context, expr string) (map[string]float64, error) {
	var data struct {
		Result []struct {
			Metric map[string]string `json:"metric"`
			Value  [2]any            `json:"value"`
		} `json:"result"`
	}
	if err := p.api(ctx, "/api/v1/query?query="+url.QueryEscape(expr), &data); err != nil {
		return nil, fmt.Errorf("query %q: %w", expr, err)
	}
	result := map[string]float64{}
	for _, series := range data.Result {
		instance := series.Metric["instance"]
		if _, twice := result[instance]; twice {
			return nil, fmt.Errorf("query %q: two series with instance %q", expr, instance)
		}
		text, _ := series.Value[1].(string)
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("query %q: %w", expr, err)
		}
		result[instance] = value
	}
	return result, nil
}

func (p *prometheus) api(ctx context.Context, path string, data any) error {
	body, err := fetch(ctx, p.base+path, "")
	if err != nil {
		return err
	}
	return json.Unmarshal(body, &struct {
		Data any `json:"data"`
	}{data})
}

// fetch gets a page that must answer 200.
func fetch(ctx context.Context, address, accept string) ([]byte, error) {
	body, _, err := fetchAs(ctx, address, accept)
	return body, err
}

// fetchAs gets a page that must answer 200, in a form that accept allows, and
// its content type.
func fetchAs(ctx context.Context, address, accept string) (body []byte, contentType string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, "", err
	}
	if accept != "" {
		request.Header.Set("Accept", accept)
	}
	return do(request, http.StatusOK)
}

// post sends a JSON document and expects it to be accepted.
func post(ctx context.Context, address, document string, want int) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(document))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	body, _, err := do(request, want)
	return body, err
}

func do(request *http.Request, want int) (body []byte, contentType string, err error) {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, "", err
	}
	defer response.Body.Close()
	body, err = io.ReadAll(response.Body)
	if err != nil {
		return nil, "", err
	}
	if response.StatusCode != want {
		return nil, "", fmt.Errorf("%s %s: %s, want %d: %s", request.Method, request.URL, response.Status, want, body)
	}
	return body, response.Header.Get("Content-Type"), nil
}
