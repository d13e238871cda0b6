package promconfig

import (
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/simulator/document"
	"github.com/firedrill/firedrill/simulator/schema"
)

// Config is what a configuration says.
type Config struct {
	ScrapeInterval     time.Duration // at least a millisecond
	EvaluationInterval time.Duration // likewise
	RuleQueryOffset    time.Duration
	ExternalLabels     labels.Labels
	RuleFiles          []Pattern
	Text               string // the file as it is

	file  string
	lines document.Lines
}

// Problem is what somebody has against the value of a field, for example
// global.scrape_interval.
func (c Config) Problem(field, value, message, allowed string) error {
	return schema.Problems{{File: c.file, Line: c.lines.Of(field), Field: field, Value: value, Message: message, Allowed: allowed}}
}

// Pattern is a pattern of names of rule files.
type Pattern struct {
	Glob string // from where the program runs: a relative one is in the folder of the configuration
	Line int
}

// unset is both intervals where a configuration does not say.
const unset = model.Duration(time.Minute)

// Keys that mean something.
const (
	keyGlobal      = "global"
	keyRuleFiles   = "rule_files"
	keyScrape      = "scrape_interval"
	keyEvaluation  = "evaluation_interval"
	keyQueryOffset = "rule_query_offset"
	keyLabels      = "external_labels"
)

// Keys returns the keys that Prometheus knows at the top of its configuration.
func Keys() []string {
	return []string{
		keyGlobal, "runtime", "alerting", keyRuleFiles, "scrape_config_files", "scrape_configs", "storage", "tracing",
		"remote_write", "remote_read", "otlp",
	}
}

// GlobalKeys returns those that it knows under global.
func GlobalKeys() []string {
	return []string{
		keyScrape, "scrape_timeout", "scrape_protocols", keyEvaluation, keyQueryOffset, "query_log_file", "query_max_series",
		"query_max_samples_read", "query_max_duration", "scrape_failure_log_file", keyLabels, "body_size_limit", "sample_limit",
		"target_limit", "label_limit", "label_name_length_limit", "label_value_length_limit", "keep_dropped_targets",
		"metric_name_validation_scheme", "metric_name_escaping_scheme", "scrape_native_histograms",
		"convert_classic_histograms_to_nhcb", "always_scrape_classic_histograms", "extra_scrape_metrics",
	}
}

// Parse reads a configuration. getenv gives the values of the environment, which
// external labels may name. The error is schema.Problems with everything that is
// wrong; file is the name that they carry, and relative rule files are beside it.
func Parse(file string, data []byte, getenv func(string) string) (Config, error) {
	p := parser{Decoder: document.New(file, "configuration"), file: file, getenv: getenv}
	p.out = Config{
		ScrapeInterval: time.Duration(unset), EvaluationInterval: time.Duration(unset), Text: string(data),
		file: file, lines: p.Lines(),
	}
	if root := p.Document(data); root != nil {
		p.root(root)
	}
	if p.Failed() {
		return Config{}, p.Sorted()
	}
	return p.out, nil
}

// parser fills a configuration from the nodes of a document.
type parser struct {
	*document.Decoder
	file   string
	getenv func(string) string
	out    Config
}

func (p *parser) root(n *yaml.Node) {
	o, ok := p.Object("", n, "key of a prometheus.yml", Keys())
	if !ok {
		return
	}
	if global := o.Get(keyGlobal); global != nil {
		p.global(global)
	}
	for i, item := range p.List(keyRuleFiles, o.Get(keyRuleFiles)) {
		p.ruleFile(document.Index(keyRuleFiles, i), item)
	}
}

func (p *parser) global(n *yaml.Node) {
	o, ok := p.Object(keyGlobal, n, "key of the section global", GlobalKeys())
	if !ok {
		return
	}
	p.span(o, keyScrape, time.Millisecond, &p.out.ScrapeInterval)
	p.span(o, keyEvaluation, time.Millisecond, &p.out.EvaluationInterval)
	p.span(o, keyQueryOffset, 0, &p.out.RuleQueryOffset)
	if n := o.Get(keyLabels); n != nil {
		p.labels(o.Field(keyLabels), n)
	}
}

// span reads a span of time. One of 0 is as good as none where it has to be
// longer.
func (p *parser) span(o document.Object, key string, least time.Duration, to *time.Duration) {
	const allowed = "a span of time as Prometheus has them, for example 15s or 1m30s"
	n := o.Get(key)
	if n == nil {
		return
	}
	if _, ok := p.Raw(o.Field(key), n, allowed); !ok {
		return
	}
	text := document.Resolve(n).Value
	d, err := model.ParseDuration(text)
	if err != nil {
		p.Report(o.Field(key), n, schema.Problem{Value: text, Message: "is no span of time", Allowed: allowed})
		return
	}
	if time.Duration(d) >= least {
		*to = time.Duration(d)
	}
}

// labels reads external labels, with the environment filled in.
func (p *parser) labels(path string, n *yaml.Node) {
	n = document.Resolve(n)
	if n.Kind != yaml.MappingNode {
		p.Report(path, n, schema.Problem{Value: n.Value, Message: "is no mapping", Allowed: "names of labels with their values"})
		return
	}
	found := map[string]string{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := document.Resolve(n.Content[i]), document.Resolve(n.Content[i+1])
		field := path + "." + key.Value
		if _, twice := found[key.Value]; twice {
			p.Report(field, key, schema.Problem{Message: "is given twice"})
			continue
		}
		if !model.UTF8Validation.IsValidLabelName(key.Value) || key.Value == model.MetricNameLabel {
			p.Report(path, key, schema.Problem{Value: key.Value, Message: "is no name of a label"})
			continue
		}
		if _, ok := p.Raw(field, value, "text"); ok {
			found[key.Value] = os.Expand(value.Value, p.variable)
		}
	}
	p.out.ExternalLabels = labels.FromMap(found)
}

// variable returns the value of a variable of the environment; two dollar signs
// are one.
func (p *parser) variable(name string) string {
	if name == "$" {
		return "$"
	}
	return p.getenv(name)
}

func (p *parser) ruleFile(path string, n *yaml.Node) {
	if _, ok := p.Raw(path, n, "a path or a pattern of paths"); !ok {
		return
	}
	glob := document.Resolve(n).Value
	if glob == "" {
		return
	}
	if _, err := filepath.Match(glob, ""); err != nil {
		p.Report(path, n, schema.Problem{Value: glob, Message: "is no pattern of paths", Allowed: "a path in which * and ? stand for letters"})
		return
	}
	if !filepath.IsAbs(glob) {
		glob = filepath.Join(filepath.Dir(p.file), glob)
	}
	if !slices.ContainsFunc(p.out.RuleFiles, func(other Pattern) bool { return other.Glob == glob }) {
		p.out.RuleFiles = append(p.out.RuleFiles, Pattern{Glob: glob, Line: n.Line})
	}
}
