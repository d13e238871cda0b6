package oracle_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/config"

	"github.com/firedrill/firedrill/alerts/promconfig"
)

// TestConfigKeys: a prometheus.yml may have the keys that Prometheus knows, at
// the top and under global.
func TestConfigKeys(t *testing.T) {
	for _, c := range []struct {
		of    any
		known []string
	}{
		{config.Config{}, promconfig.Keys()}, {config.GlobalConfig{}, promconfig.GlobalKeys()},
	} {
		var want []string
		for _, field := range reflect.VisibleFields(reflect.TypeOf(c.of)) {
			if name, _, _ := strings.Cut(field.Tag.Get("yaml"), ","); name != "" {
				want = append(want, name)
			}
		}
		if got := slices.Sorted(slices.Values(c.known)); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("%T has the keys %q, ours are %q", c.of, want, got)
		}
	}
}
