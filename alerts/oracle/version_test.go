package oracle_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/rules"

	"github.com/firedrill/firedrill/alerts/promengine"
)

// TestSameVersion holds that both modules use the same version of Prometheus.
func TestSameVersion(t *testing.T) {
	if own, product := moduleVersion(t, "go.mod"), moduleVersion(t, "../../go.mod"); own != product {
		t.Errorf("the oracle has Prometheus %s, the product %s", own, product)
	}
}

// moduleVersion returns the version of Prometheus that a go.mod requires.
func moduleVersion(t *testing.T, file string) string {
	t.Helper()
	for line := range strings.Lines(readFile(t, file)) {
		if _, rest, found := strings.Cut(line, "github.com/prometheus/prometheus "); found {
			return strings.Fields(rest)[0]
		}
	}
	t.Fatalf("%s does not require Prometheus", file)
	return ""
}

// TestStagger compares the times at which groups are due.
func TestStagger(t *testing.T) {
	for i := range 20 {
		file, name, interval := fmt.Sprintf("rules%d.yml", i), fmt.Sprintf("group-%d", i), time.Duration(7+5*i)*time.Second
		engine, err := promengine.New(new(promengine.Store), promengine.Options{Stagger: true})
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("groups: [{name: %s, interval: %s, rules: []}]", name, interval)
		if err := engine.LoadText(promengine.Source{Name: file, Text: []byte(text)}); err != nil {
			t.Fatal(err)
		}
		group := rules.NewGroup(rules.GroupOptions{Name: name, File: file, Interval: interval})
		want := group.EvalTimestamp(morning.UnixNano()).Add(interval)
		if got, _ := engine.Next(morning); !got.Equal(want) {
			t.Errorf("%s is due at %v, want %v", name, got, want)
		}
	}
}
