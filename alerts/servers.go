package alerts

import (
	"time"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/exporter/metric"
)

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

// alertmanager writes the configuration of Alertmanager: the pager's policy.
func (m maker) alertmanager() ([]byte, error) {
	policy := PagerPolicy()
	var routes, inhibitions []*yaml.Node
	for _, severity := range policy.Severities {
		routes = append(routes, route(pager, severity))
	}
	for _, i := range policy.Inhibitions {
		inhibitions = append(inhibitions, mapping(
			field{"source_matchers", row(i.Source.matcher())},
			field{"target_matchers", row(i.Target.matcher())},
			field{"equal", row(i.Equal...)},
		))
	}
	root := mapping(
		field{"global", mapping(field{"resolve_timeout", m.span(span{canonical: policy.ResolveTimeout})})},
		field{"route", mapping(
			field{"receiver", text(nobody)},
			field{"group_by", row(policy.GroupBy...)},
			field{"group_wait", m.span(span{canonical: policy.GroupWait})},
			field{"group_interval", m.span(span{canonical: policy.GroupInterval})},
			field{"repeat_interval", m.span(span{canonical: policy.RepeatInterval})},
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
