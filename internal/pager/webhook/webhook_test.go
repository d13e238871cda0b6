package webhook

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prometheus/common/model"

	"github.com/firedrill/firedrill/internal/pager"
	"github.com/firedrill/firedrill/simulator/schema"
)

var since = time.Date(2026, 1, 5, 9, 10, 0, 123e6, time.UTC)

func sample() pager.Notification {
	moment := func(t time.Time) pager.Moment { return pager.Moment{Wall: t} }
	return pager.Notification{
		Origin: pager.Alertmanager, GroupKey: `{}/{severity="page"}:{service="shop"}`, GroupLabels: pager.Labels{"service": "shop"}, Truncated: 2,
		Alerts: []pager.Alert{
			{Labels: pager.Labels{"alertname": "A", "service": "shop", "severity": "page"}, Annotations: pager.Labels{"summary": "it's <bad> & more"},
				Status: pager.Firing, Starts: moment(since), GeneratorURL: "http://localhost/graph"},
			{Labels: pager.Labels{"alertname": "B", "service": "shop", "severity": "page"}, Annotations: pager.Labels{},
				Status: pager.Resolved, Starts: moment(since), Ends: moment(since.Add(time.Minute))},
		},
	}
}

// What is written is read as it was.
func TestRoundTrip(t *testing.T) {
	text, err := Write(sample(), Sender{Receiver: "pager", ExternalURL: "http://localhost:8080"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sample(), got, cmpopts.IgnoreFields(pager.Alert{}, "Value")); diff != "" {
		t.Errorf("read otherwise than written (-written +read):\n%s", diff)
	}
}

// The members have the names that Alertmanager's have, and times that are none
// are the year 1.
func TestWrite(t *testing.T) {
	text, err := Write(sample(), Sender{Receiver: "pager", ExternalURL: "http://localhost:8080"})
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	alert := func(name, status, ends, url string, annotations map[string]any) map[string]any {
		labels := map[string]any{"alertname": name, "service": "shop", "severity": "page"}
		set := model.LabelSet{"alertname": model.LabelValue(name), "service": "shop", "severity": "page"}
		return map[string]any{
			"status": status, "labels": labels, "annotations": annotations, "startsAt": "2026-01-05T09:10:00.123Z", "endsAt": ends,
			"generatorURL": url, "fingerprint": set.Fingerprint().String(),
		}
	}
	want := map[string]any{
		"version": "4", "groupKey": `{}/{severity="page"}:{service="shop"}`, "truncatedAlerts": 2.0, "status": "firing", "receiver": "pager",
		"groupLabels": map[string]any{"service": "shop"}, "commonLabels": map[string]any{"service": "shop", "severity": "page"},
		"commonAnnotations": map[string]any{}, "externalURL": "http://localhost:8080",
		"alerts": []any{
			alert("A", "firing", "0001-01-01T00:00:00Z", "http://localhost/graph", map[string]any{"summary": "it's <bad> & more"}),
			alert("B", "resolved", "2026-01-05T09:11:00.123Z", "", map[string]any{}),
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("written otherwise than Alertmanager does (-want +got):\n%s", diff)
	}
}

// notification makes a notification of alerts that are given as JSON.
func notification(alerts ...string) string {
	return `{"version": "4", "status": "firing", "groupKey": "g", "alerts": [` + strings.Join(alerts, ", ") + `]}`
}

const simple = `{"status": "firing", "labels": {"a": "b"}, "startsAt": "2026-01-05T09:10:00+01:00"}`

func TestParseAccepts(t *testing.T) {
	for name, text := range map[string]string{
		"as little as may be":       notification(simple),
		"members that we know not":  strings.Replace(notification(simple), "{", `{"new": [{"deep": {}}], "notification_reason": "x", `, 1),
		"null where nothing is":     notification(strings.Replace(simple, "{", `{"annotations": null, "endsAt": null, "generatorURL": null, "fingerprint": null, `, 1)),
		"as many as may be":         notification(strings.Split(strings.Repeat(simple+"\n", MaxAlerts-1)+simple, "\n")...),
		"the same alert once again": notification(simple, simple),
	} {
		n, err := Parse([]byte(text))
		if err != nil || n.Origin != pager.Alertmanager || n.GroupKey != "g" || len(n.Alerts) == 0 {
			t.Errorf("%s: %+v, %v", name, n, err)
			continue
		}
		if a := n.Alerts[0]; a.Status != pager.Firing || a.Labels["a"] != "b" || !a.Starts.Wall.Equal(time.Date(2026, 1, 5, 8, 10, 0, 0, time.UTC)) || !a.Ends.IsZero() {
			t.Errorf("%s: the alert is %+v", name, a)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	long := strings.Repeat("x", maxText)
	many := make([]string, maxLabels+1)
	for i := range many {
		many[i] = fmt.Sprintf(`"l%d": ""`, i)
	}
	for name, test := range map[string]struct{ text, says string }{
		"too many alerts":      {notification(strings.Split(strings.Repeat(simple+"\n", MaxAlerts)+simple, "\n")...), `alerts: "1001" are too many; allowed: 1 to 1000 alerts; max_alerts in Alertmanager's webhook_configs limits them`},
		"no alert":             {notification(), "alerts: are none; allowed: 1 to 1000 alerts"},
		"no list":              {`{"version": "4", "status": "firing", "groupKey": "g", "alerts": {}}`, `alerts: "{}" is no list of alerts; allowed: 1 to 1000 alerts`},
		"a long label":         {notification(strings.Replace(simple, `"b"`, `"`+long+`"`, 1)), "alerts[0]: has labels, annotations and a URL of 16385 bytes; allowed: at most 16384 bytes"},
		"a long key":           {strings.Replace(notification(simple), `"g"`, `"`+long+`x"`, 1), `groupKey: "` + strings.Repeat("x", 100) + `…" is too long; allowed: at most 16384 bytes`},
		"many labels":          {notification(strings.Replace(simple, `"a": "b"`, strings.Join(many, ", "), 1)), `alerts[0].labels: "101" are too many; allowed: at most 100`},
		"a number of another":  {strings.Replace(notification(simple), "{", `{"truncatedAlerts": 1.5, `, 1), `truncatedAlerts: "1.5" is no number of alerts; allowed: a whole number from 0 to 2147483647`},
		"a number beyond":      {strings.Replace(notification(simple), "{", `{"truncatedAlerts": 1e99, `, 1), `truncatedAlerts: "1e99" is no number of alerts; allowed: a whole number from 0 to 2147483647`},
		"another version":      {strings.Replace(notification(simple), `"4"`, `5`, 1), `version: "5" is none of the options; allowed: 4`},
		"a year beyond":        {notification(strings.Replace(simple, "2026-01-05T09:10:00+01:00", "9999-12-31T23:59:59-01:00", 1)), `alerts[0].startsAt: "9999-12-31T23:59:59-01:00" is no time; allowed: a time as 2026-01-05T09:10:00Z`},
		"a time without clock": {notification(strings.Replace(simple, "T09:10:00+01:00", "", 1)), `alerts[0].startsAt: "2026-01-05" is no time; allowed: a time as 2026-01-05T09:10:00Z`},
	} {
		_, err := Parse([]byte(test.text))
		if err == nil || err.Error() != test.says {
			t.Errorf("%s: %v\nwant %s", name, err, test.says)
		}
	}
	for _, text := range []string{"", "{", "[]", "4", "{} {}", strings.Repeat("[", 1e6)} {
		if _, err := Parse([]byte(text)); !errors.As(err, new(SyntaxError)) {
			t.Errorf("%.10s: %v, want a SyntaxError", text, err)
		}
	}
}

// What is wrong a thousand times is told some times.
func TestParseTellsAFew(t *testing.T) {
	_, err := Parse([]byte(notification(strings.Split(strings.Repeat("1 ", MaxAlerts-1)+"1", " ")...)))
	var problems schema.Problems
	if !errors.As(err, &problems) || len(problems) != maxProblems+1 || problems[maxProblems].Message != fmt.Sprintf("and %d more problems", MaxAlerts-maxProblems) {
		t.Errorf("%d problems, the last of them %v", len(problems), problems[len(problems)-1])
	}
}

// FuzzParse reads anything: what is accepted can be written and is read the
// same.
func FuzzParse(f *testing.F) {
	f.Add([]byte(notification(simple)))
	f.Add([]byte(notification(simple, `{"status": "resolved", "labels": {"a": "\ud800"}, "annotations": {"": ""}, "startsAt": "0001-01-01T00:00:00Z", "endsAt": "9999-12-31T23:59:59.999999999-23:59"}`)))
	f.Add([]byte(`{"version": "4", "status": "", "groupKey": null, "alerts": [null, 1e999, {"labels": []}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := Parse(data)
		if err != nil {
			return
		}
		text, err := Write(n, Sender{})
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(text)
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if diff := cmp.Diff(n, again, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(pager.Alert{}, "Value")); diff != "" {
			t.Errorf("read otherwise than written (-first +second):\n%s", diff)
		}
	})
}
