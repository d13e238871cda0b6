package rehearsal

import (
	"errors"
	"fmt"
	"strings"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// DefaultPage says which alerts wake people where nobody says it.
const DefaultPage = `severity=~"page|critical"`

// ParsePage reads matchers of labels as a selector has them, with or without its
// braces.
func ParsePage(text string) ([]*labels.Matcher, error) {
	inner := strings.TrimSpace(text)
	if strings.HasPrefix(inner, "{") && strings.HasSuffix(inner, "}") {
		inner = inner[1 : len(inner)-1]
	}
	matchers, err := parser.NewParser(parser.Options{}).ParseMetricSelector("{" + inner + "}")
	if err == nil && len(matchers) == 0 {
		err = errors.New("it names no label")
	}
	if err != nil {
		return nil, fmt.Errorf("matcher of what pages %q: %w; an example is %s", text, err, DefaultPage)
	}
	return matchers, nil
}
