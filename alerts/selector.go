package alerts

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Selector selects series of one metric.
type Selector struct {
	Metric   string
	Matchers []Matcher
}

// Matcher says what a label of a selected series must be.
type Matcher struct {
	Label string
	Op    string // =, !=, =~ or !~
	Value string
}

// Equal matches one value.
func Equal(label, value string) Matcher { return Matcher{label, "=", value} }

// NotEqual matches all but one value.
func NotEqual(label, value string) Matcher { return Matcher{label, "!=", value} }

// Matches matches a regular expression, which is anchored at both ends.
func Matches(label, pattern string) Matcher { return Matcher{label, "=~", pattern} }

// String writes the matcher as PromQL and Alertmanager read it.
func (m Matcher) String() string { return m.Label + m.Op + strconv.Quote(m.Value) }

// String writes the selector in PromQL.
func (s Selector) String() string {
	if len(s.Matchers) == 0 {
		return s.Metric
	}
	parts := make([]string, len(s.Matchers))
	for i, m := range s.Matchers {
		parts[i] = m.String()
	}
	return s.Metric + "{" + strings.Join(parts, ",") + "}"
}

// Empty reports whether nothing is selected.
func (s Selector) Empty() bool { return s.Metric == "" }

// with returns the selector of another metric, or with more matchers.
func (s Selector) with(name string, matchers ...Matcher) Selector {
	return Selector{Metric: name, Matchers: slices.Concat(s.Matchers, matchers)}
}

var (
	selectorPattern = regexp.MustCompile(`^\s*([a-zA-Z_:][a-zA-Z0-9_:]*)\s*(?:\{(.*)\}\s*)?$`)
	matcherPattern  = regexp.MustCompile("^\\s*([a-zA-Z_][a-zA-Z0-9_]*)\\s*(=~|!~|!=|=)\\s*(\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`)\\s*(?:,\\s*|$)")
)

// ParseSelector reads a selector such as http_requests_total{code=~"5.."}.
// Calls, ranges and arithmetic are refused: the rules put them around it.
func ParseSelector(text string) (Selector, error) {
	parts := selectorPattern.FindStringSubmatch(text)
	if parts == nil {
		return Selector{}, fmt.Errorf("is not the name of a metric with matchers in braces")
	}
	s := Selector{Metric: parts[1]}
	for rest := parts[2]; strings.TrimSpace(rest) != ""; {
		found := matcherPattern.FindStringSubmatch(rest)
		if found == nil {
			return Selector{}, fmt.Errorf("has no matcher at %q", strings.TrimSpace(rest))
		}
		m, err := newMatcher(found[1], found[2], found[3])
		if err != nil {
			return Selector{}, err
		}
		s.Matchers = append(s.Matchers, m)
		rest = rest[len(found[0]):]
	}
	return s, nil
}

func newMatcher(label, op, quoted string) (Matcher, error) {
	value, err := strconv.Unquote(quoted)
	if err != nil {
		return Matcher{}, fmt.Errorf("has a badly quoted value %s", quoted)
	}
	if op == "=~" || op == "!~" {
		if _, err := regexp.Compile("^(?:" + value + ")$"); err != nil {
			return Matcher{}, fmt.Errorf("has a bad regular expression: %w", err)
		}
	}
	return Matcher{label, op, value}, nil
}
