package alerts

import (
	"bytes"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/exporter/metric"
)

// field is an entry of a mapping; one without a value is left out.
type field struct {
	key   string
	value *yaml.Node
}

// mapping makes a mapping of the fields that have a value, in their order.
func mapping(fields ...field) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, f := range fields {
		if f.value != nil {
			n.Content = append(n.Content, text(f.key), f.value)
		}
	}
	return n
}

// text makes a string, nil where it is empty.
func text(s string) *yaml.Node {
	if s == "" {
		return nil
	}
	n := &yaml.Node{}
	n.SetString(s)
	return n
}

func boolean(b bool) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: fmt.Sprint(b)}
}

// list makes a sequence, nil where it is empty.
func list(items ...*yaml.Node) *yaml.Node {
	if len(items) == 0 {
		return nil
	}
	return &yaml.Node{Kind: yaml.SequenceNode, Content: items}
}

// row makes a sequence of strings on one line.
func row(items ...string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, item := range items {
		n.Content = append(n.Content, text(item))
	}
	return n
}

// pairs makes a mapping of labels or annotations.
func pairs(all []pair) *yaml.Node {
	if len(all) == 0 {
		return nil
	}
	fields := make([]field, len(all))
	for i, p := range all {
		fields[i] = field{p.name, text(p.value)}
	}
	return mapping(fields...)
}

// span writes a span on the clock of Prometheus, with what it is in simulated
// time beside it where that differs.
func (m maker) span(s span) *yaml.Node {
	if s == (span{}) {
		return nil
	}
	n := text(metric.Span(m.of(s)))
	if s.canonical > 0 && m.Speed != 1 {
		n.LineComment = metric.Span(s.canonical)
	}
	return n
}

// ruleFile writes rule groups.
func (m maker) ruleFile(header string, groups ...group) ([]byte, error) {
	var nodes []*yaml.Node
	for _, g := range groups {
		var rules []*yaml.Node
		for _, r := range g.rules {
			rules = append(rules, m.rule(r))
		}
		nodes = append(nodes, mapping(
			field{"name", text(g.name)},
			field{"interval", m.span(span{canonical: EvaluationInterval})},
			field{"rules", list(rules...)},
		))
	}
	return document(header, mapping(field{"groups", list(nodes...)}))
}

func (m maker) rule(r rule) *yaml.Node {
	n := mapping(
		field{"record", text(r.record)},
		field{"alert", text(r.alert)},
		field{"expr", text(r.expr)},
		field{"for", m.span(r.hold)},
		field{"keep_firing_for", m.span(r.keepFiring)},
		field{"labels", pairs(r.labels)},
		field{"annotations", pairs(r.annotations)},
	)
	n.HeadComment = r.comment
	return n
}

// document writes a file: comment lines, then the mapping.
func document(header string, root *yaml.Node) ([]byte, error) {
	var b bytes.Buffer
	for line := range strings.SplitSeq(strings.TrimSuffix(header, "\n"), "\n") {
		b.WriteString(strings.TrimRight("# "+line, " ") + "\n")
	}
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(root); err != nil {
		return nil, fmt.Errorf("write YAML: %w", err)
	}
	return b.Bytes(), e.Close()
}
