package alerts

import (
	"time"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/exporter/metric"
)

// The pager's policy, which the configuration of Alertmanager has and the
// built-in pager keeps as well. All spans are in simulated time.
const (
	GroupWait      = 30 * time.Second // until the first page of a group goes out
	GroupInterval  = 2 * time.Minute  // until news of the group goes out; a page must be taken back soon
	RepeatInterval = 4 * time.Hour    // until it goes out again unchanged
	ResolveTimeout = 5 * time.Minute  // of an alert that is not heard of any more
)

// GroupBy are the labels of a page: there is one for each service and SLO, and
// alerts that come later join it.
func GroupBy() []string { return []string{metric.Service, metric.SLO} }

// Inhibition says that an alert of severity Source silences those of severity
// Target that agree with it in the labels Equal.
type Inhibition struct {
	Source, Target Severity
	Equal          []string
}

// Inhibitions returns which alerts silence which: a page its ticket, and the
// causes of its service.
func Inhibitions() []Inhibition {
	return []Inhibition{
		{Source: Page, Target: Ticket, Equal: GroupBy()},
		{Source: Page, Target: Warning, Equal: []string{metric.Service}},
	}
}

// ruleFolder is where the rules are, from the configuration of Prometheus.
const ruleFolder = "rules/"

// prometheus writes the configuration of Prometheus.
func (m maker) prometheus() ([]byte, error) {
	interval := text(metric.Span(m.ScrapeInterval))
	discovery := mapping(field{"url", text(m.Addresses.Discovery)}, field{"refresh_interval", text(metric.Span(max(m.ScrapeInterval, time.Second)))})
	discovery.HeadComment = "Discovery sets job, instance, service and pod."
	root := mapping(
		field{"global", mapping(
			field{"scrape_interval", interval},
			field{"scrape_timeout", interval},
			field{"scrape_native_histograms", boolean(true)},
			field{"always_scrape_classic_histograms", boolean(true)},
			field{"evaluation_interval", m.span(span{canonical: EvaluationInterval})},
		)},
		field{"rule_files", list(text(ruleFolder + "*.yml"))},
		field{"alerting", mapping(field{"alertmanagers", list(mapping(
			field{"static_configs", list(mapping(field{"targets", row(m.Addresses.Alertmanager)}))},
		))})},
		field{"scrape_configs", list(mapping(
			field{"job_name", text(metric.SimulatorJob)},
			field{"http_sd_configs", list(discovery)},
		))},
	)
	return document(m.header("Configuration of Prometheus 3.8 or later", prometheusServer), root)
}

// Receivers of Alertmanager.
const (
	pager  = "pager"
	nobody = "nobody"
)

// alertmanager writes the configuration of Alertmanager. Each severity has a
// route of its own, so that a page never waits for the group of a warning.
func (m maker) alertmanager() ([]byte, error) {
	routes := []*yaml.Node{route(pager, Page), route(pager, Ticket), route(pager, Warning)}
	var inhibitions []*yaml.Node
	for _, i := range Inhibitions() {
		inhibitions = append(inhibitions, mapping(
			field{"source_matchers", row(i.Source.matcher())},
			field{"target_matchers", row(i.Target.matcher())},
			field{"equal", row(i.Equal...)},
		))
	}
	root := mapping(
		field{"global", mapping(field{"resolve_timeout", m.span(span{canonical: ResolveTimeout})})},
		field{"route", mapping(
			field{"receiver", text(nobody)},
			field{"group_by", row(GroupBy()...)},
			field{"group_wait", m.span(span{canonical: GroupWait})},
			field{"group_interval", m.span(span{canonical: GroupInterval})},
			field{"repeat_interval", m.span(span{canonical: RepeatInterval})},
			field{"routes", list(routes...)},
		)},
		field{"inhibit_rules", list(inhibitions...)},
		field{"receivers", list(
			mapping(field{"name", text(pager)}, field{"webhook_configs", list(mapping(
				field{"url", text(m.Addresses.Webhook)}, field{"send_resolved", boolean(true)},
			))}),
			mapping(field{"name", text(nobody)}),
		)},
	)
	return document(m.header("Configuration of Alertmanager", alertmanagerServer), root)
}

func route(receiver string, of Severity) *yaml.Node {
	return mapping(field{"receiver", text(receiver)}, field{"matchers", row(of.matcher())})
}

// matcher matches the alerts of a severity, as Alertmanager reads it.
func (s Severity) matcher() string { return Equal(metric.Severity, string(s)).String() }
