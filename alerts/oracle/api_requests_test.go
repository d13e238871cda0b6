package oracle_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// Times as requests have them.
const (
	first  = "1767600000"     // of the first sample
	middle = "1767601800.123" // half an hour later
	last   = "1767603585"     // of the last sample
)

// TestAPI asks Prometheus and promengine the same, right and wrong.
func TestAPI(t *testing.T) {
	b := newBoth(t, 1, "testdata/api/one.yml", "testdata/api/two.yml")
	for name, list := range map[string][]question{
		"query": instantQuestions(), "query_range": rangeQuestions(), "series": seriesQuestions(), "expressions": expressionQuestions(),
		"rules": ruleQuestions(), "targets": targetQuestions(), "status": statusQuestions(), "methods": methodQuestions(),
	} {
		t.Run(name, func(t *testing.T) {
			for _, q := range list {
				b.ask(t, q)
			}
		})
	}
	t.Logf("answers by status: %v", b.answers)
	for _, status := range []int{200, 204, 400, 404, 405, 422, 503} {
		if b.answers[status] == 0 {
			t.Errorf("no request is answered with %d", status)
		}
	}
}

// instantQuestions are queries at one time.
func instantQuestions() []question {
	var list []question
	for _, query := range expressions() {
		list = append(list, question{path: "query", params: []string{"query", query, "time", middle}})
	}
	for _, query := range []string{
		"sort(a_total)", "sort_desc(a_total)", "topk(2, a_total)", "sort(-a_total)", "a_total", "{job=\"x\"}", "limitk(2, a_total)", "native",
	} {
		list = append(list, question{path: "query", params: []string{"query", query, "time", middle}, ordered: true})
	}
	for _, params := range [][]string{
		{}, {"query", ""}, {"time", middle}, {"query", "up"},
		{"query", "a_total", "time", ""}, {"query", "a_total", "time", "yesterday"}, {"query", "a_total", "time", "-1"}, {"query", "a_total", "time", "0"},
		{"query", "a_total", "time", "1e300"}, {"query", "a_total", "time", "NaN"}, {"query", "a_total", "time", "Inf"}, {"query", "a_total", "time", "1e16"},
		{"query", "a_total", "time", "2026-01-05T08:30:00Z"}, {"query", "a_total", "time", "2026-01-05T08:30:00.5+02:00"}, {"query", "a_total", "time", "2026-01-05"},
		{"query", "a_total", "time", "0x1p30"}, {"query", "a_total", "time", "1767601800.0004"}, {"query", "a_total", "time", "1767601800.9999"},
		{"query", "a_total", "time", middle, "time", "0"}, {"query", "a_total", "query", "gauge", "time", middle},
		{"query", "time()", "time", "-1.5"}, {"query", "time()", "time", "1e10"}, {"query", "time()", "time", "-0.001"},
		{"query", "a_total", "time", middle, "timeout", "1s"}, {"query", "a_total", "time", middle, "timeout", "0"}, {"query", "a_total", "time", middle, "timeout", "-1"},
		{"query", "a_total", "time", middle, "timeout", "soon"}, {"query", "a_total", "time", middle, "timeout", "1e-9"}, {"query", "a_total", "time", middle, "timeout", "1e300"},
		{"query", "a_total", "time", middle, "timeout", "NaN"}, {"query", "a_total", "time", middle, "timeout", "1h30m"},
		{"query", "a_total", "time", middle, "lookback_delta", "1s"}, {"query", "a_total", "time", middle, "lookback_delta", "1h"}, {"query", "a_total", "time", middle, "lookback_delta", "0"},
		{"query", "a_total", "time", middle, "lookback_delta", "-1m"}, {"query", "a_total", "time", middle, "lookback_delta", "x"}, {"query", "ends", "time", last, "lookback_delta", "1h"},
		{"query", "a_total", "time", middle, "stats", "true"}, {"query", "a_total", "time", middle, "stats", "all"}, {"query", "a_total", "time", middle, "stats", "some"},
		{"query", "rate(a_total[5m])", "time", middle, "stats", "all"}, {"query", "native", "time", middle, "stats", "all"},
		{"query", "a_total", "time", middle, "limit", "0"}, {"query", "a_total", "time", middle, "limit", "1"}, {"query", "a_total", "time", middle, "limit", "1000"},
		{"query", "a_total", "time", middle, "limit", "-1"}, {"query", "a_total", "time", middle, "limit", "many"}, {"query", "a_total", "time", middle, "limit", "1e3"},
		{"query", "a_total", "time", middle, "limit", "99999999999999999999"}, {"query", "a_total", "time", middle, "limit", "9223372036854775807"},
		{"query", "a_total[1m]", "time", middle, "limit", "1"}, {"query", "1", "time", middle, "limit", "1"}, {"query", `"text"`, "time", middle, "limit", "1"},
		{"query", "a_total", "time", middle, "unknown", "x"}, {"query", "a_total", "time", middle, "cost", "x"}, {"query", "a_total", "time", middle, "max_series", "1"},
	} {
		list = append(list, question{path: "query", params: params, ordered: true}, question{path: "query", params: params, ordered: true, method: http.MethodPost, body: true})
	}
	for _, use := range []string{"true", "false", "x"} {
		list = append(list, question{path: "query", params: []string{"query", "rate(a_total[5m])", "time", middle}, header: http.Header{"X-Prometheus-Use-Start-Timestamps": {use}}})
	}
	big := "a_total" + strings.Repeat(" ", 5<<20) + strings.Repeat("or a_total ", 50)
	return append(list,
		question{path: "query", params: []string{"query", big, "time", middle}, method: http.MethodPost, body: true},
		question{path: "query", params: []string{"query", "a_total" + strings.Repeat(" ", 11<<20), "time", middle}, method: http.MethodPost, body: true},
	)
}

// expressions are expressions of all types, with warnings, and wrong ones.
func expressions() []string {
	return []string{
		"1", "-1.5", "1e300 * 1e300", "0/0", "-1/0", "1e21", "1e-7", "vector(1)", "scalar(vector(1))", "time()", "pi()", `"text"`, `"ü<&>\"\\\n"`, `'x'`, "`y`",
		"a_total", "gauge", "native", "native_gauge", "custom", "negative", "mixed", "extreme", "ends", "missing", "ALERTS", "ALERTS_FOR_STATE", "job:a:rate1m", "native:sum",
		`{"a metric"}`, `{"a metric", "a label"=~".+"}`, `{"service.requests", "http.status"="200"}`, `sum by ("http.status") ({"service.requests"})`, `{__name__=~".+"}`,
		"a_total[1m]", "native[1m]", "mixed[20m]", "ends[1h]", "extreme[2m]", "missing[1m]", "a_total[5m:1m]", "rate(a_total[5m])[5m:]", "sum(a_total)[2m:30s]",
		"a_total offset 5m", "a_total offset -5m", "a_total @ 1767600900", "a_total @ start()", "a_total @ end()", "a_total[1m] @ 1767600900 offset 1m",
		"rate(a_total[5m])", "rate(gauge[5m])", "increase(gauge[5m])", "irate(a_total[5m])", "rate(native[5m])", "rate(mixed[20m])", "rate(native_gauge[5m])", "delta(native[5m])",
		"deriv(a_total[5m])", "changes(gauge[5m])", "resets(a_total[1h])", "avg_over_time(mixed[20m])", "sum_over_time(native[5m])", "quantile_over_time(2, gauge[5m])",
		"histogram_quantile(0.9, d_bucket)", "histogram_quantile(0.9, native)", "histogram_quantile(1.5, native)", "histogram_quantile(0.9, a_total)", "histogram_quantile(0.9, rate(d_bucket[5m]))",
		"histogram_quantile(0.9, negative)", "histogram_quantile(0.9, custom)", "histogram_fraction(0, 1, native)", "histogram_avg(native)", "histogram_count(mixed)", "histogram_sum(native)",
		"histogram_stddev(native)", "native + custom", "native + native", "native * 2", "native > 1", "native == native", "native / a_total", "-native", "sum(mixed)", "sum(native)",
		"sum({__name__=~\"native|custom\"})", "avg(custom)", "max(native)", "min(mixed)", "topk(2, native)", "count(native)", "group(mixed)", "stddev(native)", "count_values(\"v\", gauge)",
		"sum(a_total)", "sum by (job) (a_total)", "sum without (pod) (a_total)", "avg(gauge)", "quantile(0.5, gauge)", "quantile(2, gauge)", "topk(0, a_total)", "bottomk(1, gauge)",
		"a_total + on (job, pod) b_total", "a_total + on (job) b_total", "a_total * on (job) group_left () sum by (job) (b_total)", "a_total and b_total", "a_total or b_total",
		"a_total unless b_total", "a_total > bool 5", "a_total == a_total", "a_total % 2", "a_total ^ 2", "atan2(1, 2)", "a_total atan2 b_total", "1 > 2", "1 > bool 2",
		"absent(missing)", `absent(missing{job="x"})`, "absent(a_total)", "absent_over_time(missing[5m])", "label_replace(a_total, \"pod\", \"\", \"\", \"\")",
		`label_replace(a_total, "x", "$1", "pod", "(.)")`, `label_replace(a_total, "x", "$1", "pod", "(")`, `label_join(a_total, "x", "-", "job", "pod")`, `label_replace(a_total, "", "$1", "pod", "(.)")`,
		"timestamp(a_total)", "day_of_week()", "hour(vector(0))", "clamp(gauge, 5, 1)", "round(gauge, 0.1)", "sgn(gauge)", "predict_linear(gauge[5m], 60)", "double_exponential_smoothing(gauge[5m], 0.5, 0.5)",
		"holt_winters(gauge[5m], 0.5, 0.5)", "mad_over_time(gauge[5m])", "limitk(1, a_total)", "limit_ratio(0.5, a_total)", "info(a_total)", "sort_by_label(a_total, \"pod\")",
		"max_of(1, 2)", "histogram_quantiles(native, \"q\", 0.5)", "a_total anchored", "rate(a_total[5m] anchored)", "rate(a_total[5m] smoothed)", "a_total[5m+1m]", "a_total[step()]",
		"unknown(a_total)", "a_total{", "a_total{}}", "sum(", "()", "{}", `{__name__=~".*"}`, `{job=""}`, "a_total[0s]", "a_total[-1m]", "a_total[1x]", "a_total[]", "a_total[5m:0s]", "a_total[5m][1m]",
		"rate(a_total)", "rate(1)", "sum(1)", "sum()", "a_total offset", "a_total offset x", "a_total @", "a_total @ x", "a_total @ NaN", "a_total @ 1e300", "a_total{job=~\"(\"}", "a_total{job=x}",
		"1 + \"x\"", "\"x\" + \"y\"", "-\"x\"", "a_total and 1", "1 and 2", "topk(a_total, 1)", "quantile(\"x\", a_total)", "clamp(a_total, 1)", "vector(\"x\")", "time(1)", "5 @ 1", "a_total by (job)",
		"sum by (job (a_total)", "# comment", "a_total # comment", "a_total\n+\nb_total", "1 +", "== 1", "a b", "\"unclosed", "\xff", "{\"\xff\"=\"x\"}", "a_total{\"\\xff\"=\"x\"}", "a\x00b",
		"{\"\x00window\"=\"rate 60000000000\"}", "{\"\\xffwindow\"=\"rate 60000000000\", __name__=\"a_total\"}", "a_total > = 1", "999999999999999999999999", "0x1f", "1_000", "1h", "Inf", "nan",
		"sum(rate(a_total[5m])) by (job) / sum(rate(b_total[5m])) by (job)", "max_over_time(rate(a_total[1m])[10m:1m])", "sum_over_time(extreme[5m])", "avg_over_time(extreme[5m])",
		"-a_total", "+a_total", "(a_total)", "((1))", "bool", "on", "sum", "a_total{job!~\"x|y\"}", "a_total{job!=\"x\",pod=~\"1|2\"}", "a_total{job=\"x\",job=\"y\"}",
	}
}

// rangeQuestions are queries at many times.
func rangeQuestions() []question {
	var list []question
	for _, query := range expressions() {
		list = append(list, question{path: "query_range", params: []string{"query", query, "start", first, "end", last, "step", "47.3"}})
	}
	whole := func(query string, more ...string) []string {
		return append([]string{"query", query, "start", first, "end", last, "step", "1m"}, more...)
	}
	for _, params := range [][]string{
		{}, {"query", "a_total"}, {"query", "a_total", "start", first}, {"query", "a_total", "start", first, "end", last}, {"start", first, "end", last, "step", "15"},
		{"query", "a_total", "end", last, "step", "15"}, {"query", "a_total", "start", first, "step", "15"},
		{"query", "a_total", "start", last, "end", first, "step", "15"}, {"query", "a_total", "start", first, "end", first, "step", "15"},
		{"query", "a_total", "start", "x", "end", last, "step", "15"}, {"query", "a_total", "start", first, "end", "x", "step", "15"}, {"query", "a_total", "start", first, "end", last, "step", "x"},
		{"query", "a_total", "start", first, "end", last, "step", "0"}, {"query", "a_total", "start", first, "end", last, "step", "-1"}, {"query", "a_total", "start", first, "end", last, "step", ""},
		{"query", "a_total", "start", first, "end", last, "step", "NaN"}, {"query", "a_total", "start", first, "end", last, "step", "1e300"}, {"query", "a_total", "start", first, "end", last, "step", "Inf"},
		{"query", "a_total", "start", first, "end", last, "step", "0.1"}, {"query", "a_total", "start", first, "end", last, "step", "0.325"}, {"query", "a_total", "start", first, "end", last, "step", "0.326"},
		{"query", "a_total", "start", first, "end", last, "step", "1ms"}, {"query", "1", "start", "0", "end", "11000", "step", "1"}, {"query", "1", "start", "0", "end", "11001", "step", "1"},
		{"query", "a_total", "start", "-1e300", "end", "1e300", "step", "1h"}, {"query", "1", "start", "-292273086-05-16T16:47:06Z", "end", "292277025-08-18T07:12:54.999999999Z", "step", "1h"},
		{"query", "a_total", "start", "2026-01-05T08:00:00Z", "end", "2026-01-05T08:10:00+00:00", "step", "1m"}, {"query", "a_total", "start", "1767590000", "end", "1767610000", "step", "1h"},
		{"query", "a_total", "start", "1767600000.0001", "end", "1767600060.0009", "step", "0.0001"}, {"query", "a_total", "start", first, "end", last, "step", "1y"},
		whole("a_total", "limit", "1"), whole("a_total", "limit", "0"), whole("a_total", "limit", "100"), whole("a_total", "limit", "-2"), whole("a_total", "limit", ""), whole("1", "limit", "1"),
		whole("a_total", "stats", "all"), whole("rate(a_total[5m])", "stats", "true"), whole("a_total", "stats", "1"), whole("sum(native)", "stats", "all"),
		whole("a_total", "timeout", "1m"), whole("a_total", "timeout", "1e-9"), whole("a_total", "timeout", ""), whole("a_total", "timeout", "-1s"),
		whole("a_total", "lookback_delta", "16s"), whole("a_total", "lookback_delta", "1s"), whole("ends", "lookback_delta", "1h"), whole("a_total", "lookback_delta", "Inf"),
		whole("sort(a_total)"), whole("topk(1, a_total)"), whole("a_total or b_total"),
	} {
		list = append(list, question{path: "query_range", params: params}, question{path: "query_range", params: params, method: http.MethodPost, body: true})
	}
	return list
}

// seriesQuestions are about series, names and values. Spans hold all samples or
// begin after them: between, Prometheus looks at chunks or at nothing.
func seriesQuestions() []question {
	const all, withJob = `{__name__=~".+"}`, `{job!=""}`
	var list []question
	for _, params := range [][]string{
		{}, {"match[]", ""}, {"match[]", "a_total"}, {"match[]", "a_total", "match[]", "b_total"}, {"match[]", "a_total", "match[]", `{job="x"}`}, {"match[]", "missing"},
		{"match[]", "a_total{"}, {"match[]", "{}"}, {"match[]", `{job=""}`}, {"match[]", `{job=~".*"}`}, {"match[]", "a_total", "match[]", "{}"}, {"match[]", "rate(a_total[5m])"}, {"match[]", "1"},
		{"match[]", all}, {"match[]", withJob}, {"match[]", `{job="x",pod!="1"}`}, {"match[]", `{"a metric"}`}, {"match[]", `{"http.status"="200"}`}, {"match[]", "a_total offset 5m"},
		{"match", "a_total"}, {"match[]", "a_total", "limit", "1"}, {"match[]", "a_total", "limit", "0"}, {"match[]", "a_total", "limit", "100"}, {"match[]", "a_total", "limit", "-1"}, {"match[]", "a_total", "limit", "x"},
		{"match[]", "a_total", "match[]", "b_total", "limit", "3"}, {"match[]", "a_total", "start", first, "end", last}, {"match[]", "a_total", "start", "x"}, {"match[]", "a_total", "end", "x"},
		{"match[]", "a_total", "start", "0"}, {"match[]", "a_total", "end", "1e10"}, {"match[]", "a_total", "end", "0"}, {"match[]", "a_total", "start", "-292273086-05-16T16:47:06Z", "end", "292277025-08-18T07:12:54.999999999Z"},
		{"match[]", "a_total", "start", "-292273086-05-16T16:47:07Z"}, {"match[]", "up", "start", "NaN"}, {"match[]", "{\"\x00window\"=\"x\"}"},
	} {
		// Alerts of one rule come in random order.
		ordered := !slices.Contains(params, all) && !slices.Contains(params, withJob)
		list = append(list,
			question{path: "series", params: params, ordered: ordered}, question{path: "series", params: params, method: http.MethodPost, body: true},
			question{path: "labels", params: params, ordered: true}, question{path: "labels", params: params, method: http.MethodPost, body: true},
			question{path: "label/job/values", params: params, ordered: true}, question{path: "label/__name__/values", params: params, ordered: true},
		)
	}
	for _, name := range []string{"pod", "le", "missing", "a%20label", "http.status", "U__http_2e_status", "U__a_20_label", "U__", "U__x", "U___20", "U__http_2e", "%FF", "", "a/b", "a%2Fb", "alertname", "%22"} {
		list = append(list, question{path: "label/" + name + "/values"})
	}
	return list
}

// expressionQuestions are about expressions alone.
func expressionQuestions() []question {
	var list []question
	for _, query := range append(expressions(), "") {
		for _, path := range []string{"format_query", "parse_query", "query_exemplars"} {
			list = append(list, question{path: path, params: []string{"query", query}})
		}
	}
	for _, params := range [][]string{{}, {"query", "a_total", "start", "x"}, {"query", "a_total", "end", "x"}, {"query", "a_total", "start", last, "end", first}, {"query", "1"}} {
		list = append(list, question{path: "query_exemplars", params: params}, question{path: "query_exemplars", params: params, method: http.MethodPost, body: true})
	}
	return append(list, question{path: "format_query", params: []string{"query", "sum(a_total) by(job)"}, method: http.MethodPost, body: true},
		question{path: "parse_query", params: []string{"query", "sum(a_total) by(job)"}, method: http.MethodPost, body: true})
}

// ruleQuestions are about rules and alerts.
func ruleQuestions() []question {
	list := []question{{path: "alerts"}, {path: "alerts", params: []string{"x", "y"}}}
	token := "a3b0" // of no group
	for _, params := range [][]string{
		{}, {"type", "alert"}, {"type", "record"}, {"type", "ALERT"}, {"type", "x"}, {"type", ""}, {"rule_name[]", "Busy"}, {"rule_name[]", "Busy", "rule_name[]", "bad"}, {"rule_name[]", "missing"},
		{"rule_group[]", "first"}, {"rule_group[]", "first", "rule_group[]", "second"}, {"rule_group[]", "x"}, {"file[]", "testdata/api/one.yml"}, {"file[]", "x"}, {"rule_name", "Busy"},
		{"file[]", "testdata/api/one.yml", "rule_group[]", "first"}, {"exclude_alerts", "true"}, {"exclude_alerts", "false"}, {"exclude_alerts", "x"}, {"exclude_alerts", "1", "type", "alert"},
		{"match[]", `{severity="page"}`}, {"match[]", `{team="shop"}`, "match[]", `{severity="page"}`}, {"match[]", `{severity="page",team="shop"}`}, {"match[]", "{}"}, {"match[]", "x{"}, {"match[]", `{severity=""}`},
		{"group_limit", "1"}, {"group_limit", "2"}, {"group_limit", "3"}, {"group_limit", "0"}, {"group_limit", "-1"}, {"group_limit", "x"}, {"group_limit", "99999999999"}, {"group_next_token", token},
		{"group_limit", "1", "group_next_token", token}, {"group_limit", "1", "group_next_token", groupToken("testdata/api/one.yml", "second")},
		{"group_limit", "5", "group_next_token", groupToken("testdata/api/two.yml", "first")}, {"group_limit", "1", "type", "record"}, {"group_limit", "1", "rule_group[]", "first"},
		{"group_limit", "1", "rule_group[]", "first", "group_next_token", groupToken("testdata/api/one.yml", "second")},
	} {
		list = append(list, question{path: "rules", params: params, ordered: true})
	}
	return list
}

// targetQuestions are about targets and their metrics.
func targetQuestions() []question {
	var list []question
	for _, params := range [][]string{
		{}, {"state", "active"}, {"state", "dropped"}, {"state", "any"}, {"state", "ANY"}, {"state", "x"}, {"scrapePool", pool}, {"scrapePool", "x"}, {"scrapePool", "x", "state", "active"},
	} {
		list = append(list, question{path: "targets", params: params})
	}
	for _, params := range [][]string{
		{}, {"metric", "http_requests_total"}, {"metric", "x"}, {"limit", "0"}, {"limit", "1", "metric", "http_requests_total"}, {"limit", "x"}, {"limit", "-1"}, {"limit_per_metric", "1"}, {"limit_per_metric", "x"},
		{"limit_per_metric", "0"},
	} {
		list = append(list, question{path: "metadata", params: params})
	}
	for _, params := range [][]string{
		{}, {"metric", "http_requests_total"}, {"metric", "x"}, {"limit", "0"}, {"limit", "1"}, {"limit", "x"}, {"match_target", `{pod="a"}`}, {"match_target", `{pod="b"}`}, {"match_target", "{"}, {"match_target", "{}"},
	} {
		list = append(list, question{path: "targets/metadata", params: params})
	}
	return append(list, question{path: "scrape_pools"}, question{path: "alertmanagers"})
}

// statusQuestions are about the server.
func statusQuestions() []question {
	list := []question{{path: "status/buildinfo"}, {path: "status/flags"}}
	for _, limit := range []string{"10000", "10001", "0", "-1", "x", "1.5"} {
		list = append(list, question{path: "status/tsdb", params: []string{"limit", limit}})
	}
	return list
}

// methodQuestions are with methods and paths that there are not.
func methodQuestions() []question {
	var list []question
	for _, path := range []string{"query", "query_range", "series", "labels", "label/job/values", "rules", "alerts", "targets", "metadata", "format_query", "status/config"} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodHead, http.MethodPatch, http.MethodOptions} {
			if path == "status/config" && method == http.MethodGet {
				continue // the configurations are two
			}
			list = append(list, question{path: path, method: method})
		}
	}
	return append(list, question{path: "x"}, question{path: "label/job"}, question{path: "queries"})
}

// TestAPIRandom asks both random queries over random series.
func TestAPIRandom(t *testing.T) {
	const queries = 40
	for seed := *firstSeed; seed < *firstSeed+min(*seeds, 5); seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			b := newBoth(t, seed, "testdata/api/two.yml") // in which no rule has several alerts, whose order is random
			g := &generator{Rand: rand.New(rand.NewPCG(seed, 3)), names: []string{"native:sum"}}
			defer func() { t.Logf("answers by status: %v", b.answers) }()
			for range queries {
				query := g.vector(3)
				b.ask(t, question{path: "query", params: []string{"query", query, "time", g.time(), "lookback_delta", g.pick("", "20s", "5m")}})
				b.ask(t, question{path: "query_range", params: []string{"query", query, "start", first, "end", last, "step", g.pick("15", "30", "47.3", "600"), "stats", g.pick("", "all")}, chance: true})
			}
		})
	}
}

// time returns a time at which there are samples, in seconds.
func (g *generator) time() string {
	return fmt.Sprintf("%.3f", float64(morning.UnixMilli()+g.Int64N(scrapes*15_000))/1000)
}
