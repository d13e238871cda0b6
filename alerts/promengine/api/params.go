package api

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
)

// optionalTime returns the time of a parameter on the clock of the samples, or
// otherwise where it is missing.
func (r *request) optionalTime(name string, otherwise time.Time) (time.Time, error) {
	text := r.FormValue(name)
	if text == "" {
		return otherwise, nil
	}
	t, err := parseTime(text)
	if err != nil {
		return time.Time{}, fmt.Errorf("invalid time value for '%s': %w", name, err)
	}
	return r.shift.in(t), nil
}

// requiredTime returns the time of a parameter on the clock of the samples.
func (r *request) requiredTime(name string) (time.Time, error) {
	t, err := parseTime(r.FormValue(name))
	return r.shift.in(t), err
}

// parseTime returns a time that is written as seconds since 1970, to the
// millisecond, or as RFC 3339 has it. The ends of time have years that only
// they may have.
func parseTime(text string) (time.Time, error) {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		whole, rest := math.Modf(seconds)
		millis := math.Round(rest*1000) / 1000
		return time.Unix(int64(whole), int64(millis*float64(time.Second))).UTC(), nil
	}
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t, nil
	}
	for _, end := range [...]time.Time{minTime, maxTime} {
		if text == end.Format(time.RFC3339Nano) {
			return end, nil
		}
	}
	return time.Time{}, fmt.Errorf("cannot parse %q to a valid timestamp", text)
}

// parseDuration returns a span that is written as seconds or as Prometheus
// writes spans.
func parseDuration(text string) (time.Duration, error) {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		nanos := seconds * float64(time.Second)
		if !(nanos >= math.MinInt64 && nanos < math.MaxInt64) {
			return 0, fmt.Errorf("cannot parse %q to a valid duration. It overflows int64", text)
		}
		return time.Duration(nanos), nil
	}
	d, err := model.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("cannot parse %q to a valid duration", text)
	}
	return time.Duration(d), nil
}

// limit returns how many results are wanted at most; 0 is any number.
func (r *request) limit() (int, error) {
	text := r.FormValue("limit")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, err
	}
	if n < 0 {
		return 0, errors.New("limit must be non-negative")
	}
	return n, nil
}

// oneMore returns what to ask for so that it shows that there is more than the
// limit.
func oneMore(limit int) int {
	if limit > 0 && limit < math.MaxInt {
		return limit + 1
	}
	return limit
}

var errTruncated = errors.New("results truncated due to limit")

// selectors returns what the parameters match[] select. A selector that matches
// everything is refused.
func (r *request) selectors() ([][]*labels.Matcher, error) {
	sets, err := r.api.parser.ParseMetricSelectors(r.Form["match[]"])
	if err != nil {
		return nil, err
	}
	for _, matchers := range sets {
		if !isSelective(matchers) {
			return nil, errors.New("match[] must contain at least one non-empty matcher")
		}
	}
	return sets, nil
}

func isSelective(matchers []*labels.Matcher) bool {
	for _, m := range matchers {
		if !m.Matches("") {
			return true
		}
	}
	return false
}

func matches(l labels.Labels, matchers []*labels.Matcher) bool {
	for _, m := range matchers {
		if !m.Matches(l.Get(m.Name)) {
			return false
		}
	}
	return true
}
