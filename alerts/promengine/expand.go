package promengine

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/template"
)

// site is what templates know of the server.
type site struct {
	labels map[string]string
	text   string
	url    *url.URL
}

func newSite(o Options) (site, error) {
	u, err := url.Parse(o.ExternalURL)
	if err != nil {
		return site{}, fmt.Errorf("external URL %q: %w", o.ExternalURL, err)
	}
	return site{labels: o.ExternalLabels.Map(), text: o.ExternalURL, url: u}, nil
}

// expansion says what the templates of a rule depend on, as far as their text
// shows.
type expansion struct {
	labelsVary bool // labels depend on more than the labels of the result
	eager      bool // annotations depend on the store, so they cannot wait
	queries    bool // labels or annotations query
}

func newExpansion(ruleLabels, annotations labels.Labels) expansion {
	var x expansion
	ruleLabels.Range(func(l labels.Label) {
		if isTemplate(l.Value) && !onlyLabels(l.Value) {
			x.labelsVary = true
		}
		x.queries = x.queries || queries(l.Value)
	})
	annotations.Range(func(l labels.Label) { x.eager = x.eager || queries(l.Value) })
	x.queries = x.queries || x.eager
	return x
}

func isTemplate(text string) bool { return strings.Contains(text, "{{") }

// templateAction is an action of a template: braces inside of its strings do not
// end it.
var templateAction = regexp.MustCompile("\\{\\{(?:\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`|[^\"`])*?\\}\\}")

// queries reports whether an action of the template may query. What stands
// around actions does not matter; where it cannot be told apart, it does.
func queries(text string) bool {
	if !isTemplate(text) || !strings.Contains(text, "query") {
		return false
	}
	around := templateAction.ReplaceAllString(text, "")
	if strings.Contains(around, "{{") || strings.Contains(around, "}}") {
		return true
	}
	return slices.ContainsFunc(templateAction.FindAllString(text, -1), func(action string) bool { return strings.Contains(action, "query") })
}

// onlyLabels reports whether each action of the template is a label of the
// result and nothing else.
func onlyLabels(text string) bool {
	for {
		_, rest, found := strings.Cut(text, "{{")
		if !found {
			return true
		}
		action, after, closed := strings.Cut(rest, "}}")
		name, isLabel := strings.CutPrefix(strings.TrimSpace(action), "$labels.")
		if !closed || !isLabel || !model.LegacyValidation.IsValidLabelName(name) {
			return false
		}
		text = after
	}
}

// labelsOf returns the labels of the alert that a sample stands for.
func (e *Engine) labelsOf(ctx context.Context, r *rule, s result, ts time.Time) alertLabels {
	if s.source.alert != nil {
		return *s.source.alert
	}
	b := labels.NewBuilder(s.source.metric)
	b.Del(model.MetricNameLabel)
	expand := e.expander(ctx, r, promql.Sample{Metric: s.source.metric, F: s.f, H: s.h}, ts)
	r.labels.Range(func(l labels.Label) { b.Set(l.Name, expand(l.Value)) })
	b.Set(labels.AlertName, r.name)
	l := b.Labels()
	found := alertLabels{l, l.Hash()}
	if !r.alerts.expand.labelsVary {
		s.source.alert = &found
	}
	return found
}

// annotations returns the annotations of an alert as it was seen.
func (e *Engine) annotations(ctx context.Context, r *rule, s sighting) labels.Labels {
	expand := e.expander(ctx, r, s.sample, s.at)
	b := labels.NewScratchBuilder(r.alerts.annotations.Len())
	r.alerts.annotations.Range(func(l labels.Label) { b.Add(l.Name, expand(l.Value)) })
	return b.Labels()
}

// definitions stand before each template, as in Prometheus.
const definitions = "{{$labels := .Labels}}{{$externalLabels := .ExternalLabels}}{{$externalURL := .ExternalURL}}{{$value := .Value}}"

// expander returns a function that expands the templates of a rule for one
// sample.
func (e *Engine) expander(ctx context.Context, r *rule, s promql.Sample, ts time.Time) func(string) string {
	var data any
	return func(text string) string {
		if !isTemplate(text) {
			return text
		}
		if data == nil {
			data = template.AlertTemplateData(s.Metric.Map(), e.site.labels, e.site.text, s)
		}
		query := func(ctx context.Context, expr string, at time.Time) (promql.Vector, error) {
			return e.vector(ctx, expr, at, ts)
		}
		x := template.NewTemplateExpander(ctx, definitions+text, "__alert_"+r.name, data, model.Time(ts.UnixMilli()), query, e.site.url, nil)
		result, err := x.Expand()
		if err != nil {
			return fmt.Sprintf("<error expanding template: %s>", err)
		}
		return result
	}
}
