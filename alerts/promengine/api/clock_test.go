package api_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/firedrill/firedrill/alerts/promengine/api"
)

func seconds(t time.Time) string { return fmt.Sprintf("%.3f", float64(t.UnixMilli())/1000) }

// TestTwoClocks asks the same on both clocks.
func TestTwoClocks(t *testing.T) {
	a := api.New(api.Options{Source: source(filled(t))})
	for _, c := range []struct {
		name, path string
		params     func(now time.Time) []string
		want       func(now time.Time) string // before times are compared
	}{
		{"without a time", "query", func(time.Time) []string { return []string{"query", "requests_total"} }, func(now time.Time) string {
			return `{"resultType":"vector","result":[{"metric":{"__name__":"requests_total","job":"shop"},"value":[` + trim(now) + `,"1200"]}]}`
		}},
		{"a time", "query", func(now time.Time) []string {
			return []string{"query", "requests_total", "time", seconds(now.Add(-time.Minute))}
		}, func(now time.Time) string {
			return `{"resultType":"vector","result":[{"metric":{"__name__":"requests_total","job":"shop"},"value":[` + trim(now.Add(-time.Minute)) + `,"1080"]}]}`
		}},
		{"RFC 3339", "query", func(now time.Time) []string {
			return []string{"query", "requests_total", "time", now.Add(-time.Minute).Format(time.RFC3339Nano)}
		}, func(now time.Time) string {
			return `{"resultType":"vector","result":[{"metric":{"__name__":"requests_total","job":"shop"},"value":[` + trim(now.Add(-time.Minute)) + `,"1080"]}]}`
		}},
		{"a time behind an @", "query", func(now time.Time) []string {
			return []string{"query", "sum(requests_total @ " + seconds(now.Add(-2*time.Minute)) + ")"}
		}, func(now time.Time) string {
			return `{"resultType":"vector","result":[{"metric":{},"value":[` + trim(now) + `,"960"]}]}`
		}},
		{"the time as a value", "query", func(time.Time) []string { return []string{"query", "time()"} }, func(now time.Time) string {
			return `{"resultType":"scalar","result":[` + shortest(now) + `,"1767600000"]}`
		}},
		{"a string", "query", func(time.Time) []string { return []string{"query", `"text <"`} }, func(now time.Time) string {
			return `{"resultType":"string","result":[` + shortest(now) + `,"text <"]}`
		}},
		{"a range", "query_range", func(now time.Time) []string {
			return []string{"query", "requests_total", "start", seconds(now.Add(-30 * time.Second)), "end", seconds(now), "step", "30"}
		}, func(now time.Time) string {
			return `{"resultType":"matrix","result":[{"metric":{"__name__":"requests_total","job":"shop"},"values":[[` + trim(now.Add(-30*time.Second)) + `,"1140"],[` + trim(now) + `,"1200"]]}]}`
		}},
		{"series then", "series", func(now time.Time) []string {
			return []string{"match[]", "requests_total", "start", seconds(now.Add(-30 * time.Second)), "end", seconds(now)}
		}, func(time.Time) string { return `[{"__name__":"requests_total","job":"shop"}]` }},
		{"series later", "series", func(now time.Time) []string {
			return []string{"match[]", "requests_total", "start", seconds(now.Add(time.Second))}
		}, func(time.Time) string { return `[]` }},
		{"series at any time", "series", func(time.Time) []string { return []string{"match[]", "requests_total"} }, func(time.Time) string {
			return `[{"__name__":"requests_total","job":"shop"}]`
		}},
		{"series from the first time to the last", "series", func(time.Time) []string {
			return []string{"match[]", "requests_total", "start", "-292273086-05-16T16:47:06Z", "end", "292277025-08-18T07:12:54.999999999Z"}
		}, func(time.Time) string { return `[{"__name__":"requests_total","job":"shop"}]` }},
		{"alerts", "alerts", func(time.Time) []string { return nil }, func(now time.Time) string {
			return `{"alerts":[{"labels":{"alertname":"Busy","job":"shop","severity":"page"},"annotations":{"summary":"shop has 2 a second"},"state":"firing","activeAt":"` +
				now.Add(-9*time.Minute).Format(time.RFC3339Nano) + `","value":"1.9999999999999998e+00"}]}`
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			compare(t, "samples", string(get(t, a.Handler(), "/api/v1/"+c.path, c.params(simulated)...).Data), c.want(simulated))
			compare(t, "wall", string(get(t, a.Shifted(), "/api/v1/"+c.path, c.params(wall)...).Data), c.want(wall))
		})
	}
}

// trim returns seconds as results have them.
func trim(t time.Time) string {
	whole, millis := t.Unix(), t.UnixMilli()%1000
	if millis == 0 {
		return fmt.Sprint(whole)
	}
	return fmt.Sprintf("%d.%03d", whole, millis)
}

func shortest(t time.Time) string {
	return strconv.FormatFloat(float64(t.UnixMilli())/1000, 'f', -1, 64)
}
