package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/firedrill/firedrill/internal/pager"
	"github.com/firedrill/firedrill/internal/pager/webhook"
)

// A page of the Prometheus in the process goes out to whoever is to hear of it,
// as Alertmanager sends it and with times of the wall clock, and so does its end.
func TestUpSendsNotifications(t *testing.T) {
	received := make(chan webhook.Message, 100)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var m webhook.Message
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			t.Error(err)
		}
		if strings.Contains(m.GroupKey, `severity="page"`) {
			received <- m
		}
	}))
	defer server.Close()
	next := func() (m webhook.Message) {
		t.Helper()
		select {
		case m = <-received:
		case <-time.After(20 * time.Second):
			t.Fatal("nothing is received")
		}
		return m
	}
	began := time.Now()
	l := startUp(t, "--scenario", "bad-deploy", "--start", "manual", "--webhook", server.URL+"/hook")
	l.do("clock", "advance", "30m")
	m := next()
	if m.Version != "4" || m.Status != pager.Firing || m.Receiver != "pager" || m.ExternalURL != l.url("API") || m.GroupLabels["service"] != "shop" {
		t.Errorf("the notification is %+v", m)
	}
	a := m.Alerts[0]
	if a.Labels["alertname"] != "AvailabilityBudgetBurn" || a.StartsAt.Before(began) || a.StartsAt.After(time.Now()) || !a.EndsAt.IsZero() {
		t.Errorf("its alert is %+v, at a wall time since %v", a, began)
	}
	if body := get(t, http.DefaultClient, a.GeneratorURL); !strings.HasPrefix(body, `{"status":"success"`) {
		t.Errorf("at %s stands %.200s", a.GeneratorURL, body)
	}
	l.do("do", "shop", "rollback")
	l.do("clock", "advance", "2h")
	for m.Status != pager.Resolved {
		m = next()
	}
	if a := m.Alerts[0]; a.EndsAt.Before(a.StartsAt) || a.EndsAt.After(time.Now()) {
		t.Errorf("it has ended as %+v", a)
	}
	l.end()
}
