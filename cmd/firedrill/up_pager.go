package main

import (
	"log/slog"
	"net/url"
	"time"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/internal/pager"
	"github.com/firedrill/firedrill/internal/pager/notify"
	"github.com/firedrill/firedrill/internal/pager/webhook"
	"github.com/firedrill/firedrill/simulator/scenario"
	"github.com/firedrill/firedrill/simulator/schema"
)

// newPager makes the pager for the first run. It keeps the policy of the rules in
// the process, where there are any.
func (c *upCmd) newPager(run *scenario.Run, m *monitoring) *pager.Pager {
	config := pager.Config{Policy: alerts.PagerPolicy(), Page: c.Prometheus.Page.matches}
	if m != nil {
		config.Policy, config.Wall = m.policy, m.wall
	}
	p := pager.New(config)
	p.Reset(1, run.Start(), time.Now())
	return p
}

// matches reports whether an alert with these labels calls somebody. Without
// matchers none does for its labels.
func (f pageFlag) matches(l pager.Labels) bool {
	for _, m := range f.matchers {
		if !m.Matches(l[m.Name]) {
			return false
		}
	}
	return len(f.matchers) > 0
}

// webhookFlag is a URL that notifications are sent to.
type webhookFlag struct{ at *url.URL }

// UnmarshalText reads a URL.
func (f *webhookFlag) UnmarshalText(text []byte) error {
	at, err := url.Parse(string(text))
	if err != nil || at.Host == "" || (at.Scheme != "http" && at.Scheme != "https") {
		return schema.Problem{Value: string(text), Message: "is no URL of a webhook", Allowed: "http://HOST/PATH or https://HOST/PATH; with a password https://USER:PASSWORD@HOST/PATH"}
	}
	f.at = at
	return nil
}

// receiver is what notifications call the one who receives them.
const receiver = "pager"

// newSender makes what sends the pager's notifications to webhooks. home is the
// URL of the API, for whoever wants to look.
func newSender(webhooks []webhookFlag, home string, log *slog.Logger) *notify.Sender {
	o := notify.Options{From: webhook.Sender{Receiver: receiver, ExternalURL: home}, UserAgent: "firedrill/" + build().Version, Log: log}
	for _, f := range webhooks {
		o.URLs = append(o.URLs, f.at)
	}
	return notify.New(o)
}
