package webhook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/firedrill/firedrill/internal/pager"
	"github.com/firedrill/firedrill/simulator/schema"
)

// What a notification may be at most. An alert of a person's own rules has some
// hundred letters.
const (
	MaxBytes  = 2 << 20 // of a notification
	MaxAlerts = 1000    // of a notification
	maxText   = 16 << 10
	maxLabels = 100
)

// maxProblems is how many problems are told at once.
const maxProblems = 20

// SyntaxError refuses what is no JSON object.
type SyntaxError struct{ error }

// Parse reads a notification. Its times are of the wall clock, and the moment of
// its arrival is the caller's to say. The error is a SyntaxError, or
// schema.Problems with everything that is wrong.
func Parse(data []byte) (pager.Notification, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var root any
	if err := decoder.Decode(&root); err != nil {
		return pager.Notification{}, SyntaxError{errors.New(strings.TrimPrefix(err.Error(), "json: "))}
	}
	if _, end := decoder.Token(); !errors.Is(end, io.EOF) {
		return pager.Notification{}, SyntaxError{errors.New("something follows the first value")}
	}
	object, ok := root.(map[string]any)
	if !ok {
		return pager.Notification{}, SyntaxError{errors.New("it is no JSON object")}
	}
	var r reader
	n := r.notification(object)
	return n, r.err()
}

// reader reads values and collects what is wrong with them.
type reader struct {
	problems schema.Problems
	more     int // that are not told
}

func (r *reader) err() error {
	if r.more > 0 {
		r.problems = append(r.problems, schema.Problem{Message: fmt.Sprintf("and %d more problems", r.more)})
	}
	return r.problems.Err()
}

func (r *reader) wrong(field string, value any, message, allowed string) {
	if len(r.problems) == maxProblems {
		r.more++
		return
	}
	r.problems = append(r.problems, schema.Problem{Field: field, Value: show(value), Message: message, Allowed: allowed})
}

// show writes a value as it was given.
func show(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}

func (r *reader) notification(o map[string]any) pager.Notification {
	r.enum("version", o["version"], version)
	r.enum("status", o["status"], string(pager.Firing), string(pager.Resolved))
	return pager.Notification{
		Origin: pager.Alertmanager, GroupKey: r.groupKey(o["groupKey"]), GroupLabels: r.labels("groupLabels", o["groupLabels"], new(int)),
		Truncated: r.count("truncatedAlerts", o["truncatedAlerts"]), Alerts: r.alerts(o["alerts"]),
	}
}

func (r *reader) groupKey(value any) string {
	key := r.text("groupKey", value)
	switch {
	case value == nil || value == "":
		r.wrong("groupKey", nil, "is missing", "the name of the group of alerts")
	case len(key) > maxText:
		r.wrong("groupKey", clip(key), "is too long", fmt.Sprintf("at most %d bytes", maxText))
	}
	return key
}

func (r *reader) alerts(value any) []pager.Alert {
	list, ok := value.([]any)
	switch {
	case !ok:
		r.wrong("alerts", value, "is no list of alerts", fmt.Sprintf("1 to %d alerts", MaxAlerts))
	case len(list) == 0:
		r.wrong("alerts", nil, "are none", fmt.Sprintf("1 to %d alerts", MaxAlerts))
	case len(list) > MaxAlerts:
		r.wrong("alerts", len(list), "are too many", fmt.Sprintf("1 to %d alerts; max_alerts in Alertmanager's webhook_configs limits them", MaxAlerts))
		return nil
	}
	all := make([]pager.Alert, len(list))
	for i, item := range list {
		all[i] = r.alert(fmt.Sprintf("alerts[%d]", i), item)
	}
	return all
}

func (r *reader) alert(at string, value any) pager.Alert {
	o, ok := value.(map[string]any)
	if !ok {
		r.wrong(at, value, "is no alert", "a JSON object")
		return pager.Alert{}
	}
	size := 0
	a := pager.Alert{
		Labels:       r.labels(at+".labels", o["labels"], &size),
		Annotations:  r.labels(at+".annotations", o["annotations"], &size),
		Status:       pager.Status(r.enum(at+".status", o["status"], string(pager.Firing), string(pager.Resolved))),
		Value:        math.NaN(),
		GeneratorURL: r.text(at+".generatorURL", o["generatorURL"]),
	}
	a.Starts.Wall = r.time(at+".startsAt", o["startsAt"])
	if o["startsAt"] == nil {
		r.wrong(at+".startsAt", nil, "is missing", timeAllowed)
	}
	a.Ends.Wall = r.time(at+".endsAt", o["endsAt"])
	if a.Status == pager.Firing {
		a.Ends = pager.Moment{}
	}
	if given, ok := o["labels"].(map[string]any); o["labels"] == nil || ok && len(given) == 0 {
		r.wrong(at+".labels", nil, "are missing", "at least one label")
	}
	if size+len(a.GeneratorURL) > maxText {
		r.wrong(at, nil, fmt.Sprintf("has labels, annotations and a URL of %d bytes", size+len(a.GeneratorURL)), fmt.Sprintf("at most %d bytes", maxText))
	}
	return a
}

// labels reads an object of texts and adds up their sizes.
func (r *reader) labels(at string, value any, size *int) pager.Labels {
	if value == nil {
		return nil
	}
	o, ok := value.(map[string]any)
	switch {
	case !ok:
		r.wrong(at, value, "is no set of labels", "a JSON object of texts")
		return nil
	case len(o) > maxLabels:
		r.wrong(at, len(o), "are too many", fmt.Sprintf("at most %d", maxLabels))
		return nil
	}
	out := pager.Labels{}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		text, ok := o[name].(string)
		switch {
		case name == "":
			r.wrong(at, nil, "has a label without a name", "names of at least one letter")
		case !ok:
			r.wrong(at+"."+clip(name), o[name], "is no text", "a text")
		}
		out[name] = text
		*size += len(name) + len(text)
	}
	return out
}

func (r *reader) text(at string, value any) string {
	text, ok := value.(string)
	if !ok && value != nil {
		r.wrong(at, value, "is no text", "a text")
	}
	return text
}

func (r *reader) enum(at string, value any, options ...string) string {
	text, ok := value.(string)
	switch {
	case value == nil:
		r.wrong(at, nil, "is missing", strings.Join(options, ", "))
	case !ok || !slices.Contains(options, text):
		r.wrong(at, value, "is none of the options", strings.Join(options, ", "))
	}
	return text
}

// count reads a whole number that is not negative.
func (r *reader) count(at string, value any) int {
	if value == nil {
		return 0
	}
	number, ok := value.(json.Number)
	n, err := number.Int64()
	if !ok || err != nil || n < 0 || n > math.MaxInt32 {
		r.wrong(at, value, "is no number of alerts", fmt.Sprintf("a whole number from 0 to %d", math.MaxInt32))
		return 0
	}
	return int(n)
}

const timeAllowed = "a time as 2026-01-05T09:10:00Z"

func (r *reader) time(at string, value any) time.Time {
	if value == nil {
		return time.Time{}
	}
	text, ok := value.(string)
	t, err := time.Parse(time.RFC3339, text)
	t = t.UTC()
	if !ok || err != nil || t.Year() > 9999 {
		r.wrong(at, value, "is no time", timeAllowed)
	}
	return t
}

// clip shortens a name that is echoed.
func clip(text string) string {
	const most = 100
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
