package webhook

import (
	"encoding/json"
	"time"

	"github.com/firedrill/firedrill/internal/pager"
)

// version is the version of the JSON.
const version = "4"

// Message is a notification as Alertmanager writes it.
type Message struct {
	Version           string       `json:"version" enum:"4" doc:"of this format"`
	GroupKey          string       `json:"groupKey" doc:"names the group of alerts" example:"{}/{severity=\"page\"}:{service=\"shop\", slo=\"availability\"}"`
	TruncatedAlerts   int          `json:"truncatedAlerts" required:"false" doc:"alerts of the group that were left out"`
	Status            pager.Status `json:"status" enum:"firing,resolved" doc:"firing where any of the alerts is"`
	Receiver          string       `json:"receiver" required:"false"`
	GroupLabels       pager.Labels `json:"groupLabels" required:"false"`
	CommonLabels      pager.Labels `json:"commonLabels" required:"false"`
	CommonAnnotations pager.Labels `json:"commonAnnotations" required:"false"`
	ExternalURL       string       `json:"externalURL" required:"false"`
	Alerts            []Alert      `json:"alerts" nullable:"false"`
	_                 struct{}     `additionalProperties:"true"`
}

// Alert is an alert of a Message.
type Alert struct {
	Status       pager.Status `json:"status" enum:"firing,resolved"`
	Labels       pager.Labels `json:"labels" doc:"with alertname and severity"`
	Annotations  pager.Labels `json:"annotations" required:"false" doc:"summary and runbook_url are shown"`
	StartsAt     time.Time    `json:"startsAt" doc:"wall time"`
	EndsAt       time.Time    `json:"endsAt" required:"false" doc:"wall time; the year 1 while it fires"`
	GeneratorURL string       `json:"generatorURL" required:"false"`
	Fingerprint  string       `json:"fingerprint" required:"false" doc:"is worked out from the labels"`
	_            struct{}     `additionalProperties:"true"`
}

// Sender is what a message says about who sends it.
type Sender struct {
	Receiver    string
	ExternalURL string
}

// Write writes a notification as Alertmanager does.
func Write(n pager.Notification, from Sender) ([]byte, error) {
	m := Message{
		Version: version, GroupKey: n.GroupKey, TruncatedAlerts: n.Truncated, Status: n.Status(), Receiver: from.Receiver,
		GroupLabels: given(n.GroupLabels), CommonLabels: n.CommonLabels(), CommonAnnotations: n.CommonAnnotations(),
		ExternalURL: from.ExternalURL, Alerts: make([]Alert, len(n.Alerts)),
	}
	for i, a := range n.Alerts {
		m.Alerts[i] = Alert{
			Status: a.Status, Labels: given(a.Labels), Annotations: given(a.Annotations), StartsAt: a.Starts.Wall,
			GeneratorURL: a.GeneratorURL, Fingerprint: a.Fingerprint(),
		}
		if a.Status == pager.Resolved {
			m.Alerts[i].EndsAt = a.Ends.Wall
		}
	}
	return json.Marshal(m)
}

// given returns labels that are an object even where there are none.
func given(l pager.Labels) pager.Labels {
	if l == nil {
		return pager.Labels{}
	}
	return l
}
