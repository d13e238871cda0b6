package api

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/util/stats"
)

// query answers a query at one time.
func (r *request) query() result {
	limit, err := r.limit()
	if err != nil {
		return invalid("limit", err)
	}
	at, err := r.optionalTime("time", r.state.Now)
	if err != nil {
		return invalid("time", err)
	}
	return r.run(limit, func(ctx context.Context, opts promql.QueryOpts, text string) (promql.Query, error) {
		return r.api.engine.NewInstantQuery(ctx, r.state.Store, opts, text, at)
	})
}

// maxPoints is how many points a series of a range query may have.
const maxPoints = 11000

// queryRange answers a query at many times.
func (r *request) queryRange() result {
	limit, err := r.limit()
	if err != nil {
		return invalid("limit", err)
	}
	start, err := r.requiredTime("start")
	if err != nil {
		return invalid("start", err)
	}
	end, err := r.requiredTime("end")
	if err != nil {
		return invalid("end", err)
	}
	if end.Before(start) {
		return invalid("end", errors.New("end timestamp must not be before start time"))
	}
	step, err := parseDuration(r.FormValue("step"))
	if err != nil {
		return invalid("step", err)
	}
	if step <= 0 {
		return invalid("step", errors.New("zero or negative query resolution step widths are not accepted. Try a positive integer"))
	}
	if end.Sub(start)/step > maxPoints {
		return failed(badData, errors.New("exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)"))
	}
	return r.run(limit, func(ctx context.Context, opts promql.QueryOpts, text string) (promql.Query, error) {
		return r.api.engine.NewRangeQuery(ctx, r.state.Store, opts, text, start, end, step)
	})
}

// run runs the query that build makes of the request.
func (r *request) run(limit int, build func(context.Context, promql.QueryOpts, string) (promql.Query, error)) result {
	span, err := r.timeout()
	if err != nil {
		return invalid("timeout", err)
	}
	ctx := r.Context()
	if span > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, span)
		defer cancel()
	}
	opts, err := r.queryOptions()
	if err != nil {
		return failed(badData, err)
	}
	text := r.shift.query(r.api.parser, r.FormValue("query"))
	query, err := build(ctx, opts, text)
	if err != nil {
		return buildError(err)
	}
	answer := r.exec(ctx, query, limit)
	answer.query, answer.close = text, query.Close
	return answer
}

// exec runs a query and takes its result, which is the query's until it is
// closed.
func (r *request) exec(ctx context.Context, query promql.Query, limit int) result {
	out := query.Exec(ctx)
	if out.Err != nil {
		return failed(kindOf(out.Err), out.Err)
	}
	data := queryData{value: out.Value, shift: r.shift}
	warnings := out.Warnings
	if limit > 0 && data.truncate(limit) {
		warnings.Add(errTruncated)
	}
	if wanted := r.FormValue("stats"); wanted != "" {
		data.stats = stats.NewQueryStats(query.Stats())
		if wanted != statsBasic && wanted != statsAll {
			warnings.Add(fmt.Errorf("value %q for parameter \"stats\" is deprecated and will be rejected in the next major release, use %q or %q", wanted, statsBasic, statsAll))
		}
	}
	return result{data: data, warnings: warnings}
}

// Values of the parameter stats.
const (
	statsBasic = "true"
	statsAll   = "all"
)

// timeout returns how long the query may take; 0 is as long as the engine lets
// it.
func (r *request) timeout() (time.Duration, error) {
	text := r.FormValue("timeout")
	if text == "" {
		return 0, nil
	}
	span, err := parseDuration(text)
	if err == nil && span <= 0 {
		err = fmt.Errorf("timeout must be positive, got %s", span)
	}
	return span, err
}

const startTimestampsHeader = "X-Prometheus-Use-Start-Timestamps"

func (r *request) queryOptions() (promql.QueryOpts, error) {
	var lookback time.Duration
	if text := r.FormValue("lookback_delta"); text != "" {
		var err error
		if lookback, err = parseDuration(text); err != nil {
			return nil, fmt.Errorf("error parsing lookback delta duration: %w", err)
		}
	}
	var useStart *bool
	if text := r.Header.Get(startTimestampsHeader); text != "" {
		use, err := strconv.ParseBool(text)
		if err != nil {
			return nil, fmt.Errorf("error parsing %s header: %w", startTimestampsHeader, err)
		}
		useStart = &use
	}
	return promql.NewPrometheusQueryOpts(r.FormValue("stats") == statsAll, lookback, useStart), nil
}

// buildError returns the answer to a query that is wrong or has not come to
// its turn.
func buildError(err error) result {
	var timedOut promql.ErrQueryTimeout
	var gaveUp promql.ErrQueryCanceled
	if errors.As(err, &timedOut) || errors.As(err, &gaveUp) {
		return failed(kindOf(err), err)
	}
	return invalid("query", err)
}

// kindOf returns the kind of an error of a query.
func kindOf(err error) errorKind {
	var timedOut promql.ErrQueryTimeout
	var gaveUp promql.ErrQueryCanceled
	var storage promql.ErrStorage
	switch {
	case errors.As(err, &gaveUp):
		return canceled
	case errors.As(err, &timedOut):
		return timeout
	case errors.As(err, &storage):
		return internal
	case errors.Is(err, context.Canceled):
		return canceled
	}
	return execution
}
