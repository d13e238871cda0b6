package dashtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Client asks a Prometheus over HTTP.
type Client struct {
	URL  string // what /api/v1 is appended to
	HTTP *http.Client
}

var _ Source = Client{}

// answer is how Prometheus answers a range query.
type answer struct {
	Status, Error string
	Data          struct {
		Result []struct {
			Metric map[string]string
			Values [][2]any // seconds since the epoch, and the value as text
		}
	}
}

// Range evaluates an expression from one time to another.
func (c Client) Range(ctx context.Context, expr string, from, to time.Time, step time.Duration) ([]Series, error) {
	form := url.Values{"query": {expr}, "start": {seconds(from)}, "end": {seconds(to)}, "step": {strconv.FormatFloat(step.Seconds(), 'f', -1, 64)}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL+"/api/v1/query_range", strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := c.HTTP.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var a answer
	if err := json.NewDecoder(response.Body).Decode(&a); err != nil {
		return nil, fmt.Errorf("%s: %w", response.Status, err)
	}
	if a.Status != "success" {
		return nil, fmt.Errorf("%s: %s", response.Status, a.Error)
	}
	all := make([]Series, len(a.Data.Result))
	for i, r := range a.Data.Result {
		all[i].Labels = r.Metric
		if all[i].Points, err = points(r.Values); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func seconds(t time.Time) string { return strconv.FormatFloat(float64(t.UnixMilli())/1000, 'f', 3, 64) }

func points(values [][2]any) ([]Point, error) {
	all := make([]Point, len(values))
	for i, v := range values {
		at, isNumber := v[0].(float64)
		text, isText := v[1].(string)
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !isNumber || !isText {
			return nil, fmt.Errorf("read the value %v", v)
		}
		all[i] = Point{time.UnixMilli(int64(at*1000 + 0.5)), x}
	}
	return all, nil
}
