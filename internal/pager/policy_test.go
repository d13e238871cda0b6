package pager

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/alerts"
)

// alertmanagerConfig is what an alertmanager.yml says about pages.
type alertmanagerConfig struct {
	Global struct {
		ResolveTimeout time.Duration `yaml:"resolve_timeout"`
	}
	Route struct {
		Receiver       string
		GroupBy        []string      `yaml:"group_by"`
		GroupWait      time.Duration `yaml:"group_wait"`
		GroupInterval  time.Duration `yaml:"group_interval"`
		RepeatInterval time.Duration `yaml:"repeat_interval"`
		Routes         []struct {
			Receiver string
			Matchers []string
		}
	}
	InhibitRules []struct {
		Source []string `yaml:"source_matchers"`
		Target []string `yaml:"target_matchers"`
		Equal  []string
	} `yaml:"inhibit_rules"`
}

// The committed configurations of Alertmanager say what the pager is told.
func TestPolicyIsAlertmanagers(t *testing.T) {
	for _, speed := range []float64{1, 60} {
		text, err := os.ReadFile(fmt.Sprintf("../../alerts/gen/speed-%g/alertmanager.yml", speed))
		if err != nil {
			t.Fatal(err)
		}
		var c alertmanagerConfig
		if err := yaml.Unmarshal(text, &c); err != nil {
			t.Fatal(err)
		}
		got := alerts.Policy{
			GroupBy: c.Route.GroupBy, GroupWait: c.Route.GroupWait, GroupInterval: c.Route.GroupInterval,
			RepeatInterval: c.Route.RepeatInterval, ResolveTimeout: c.Global.ResolveTimeout,
		}
		for _, r := range c.Route.Routes {
			got.Severities = append(got.Severities, severity(t, r.Matchers))
			if r.Receiver == c.Route.Receiver {
				t.Errorf("speed %g: %v goes to %s, as everything else does", speed, r.Matchers, r.Receiver)
			}
		}
		for _, i := range c.InhibitRules {
			got.Inhibitions = append(got.Inhibitions, alerts.Inhibition{Source: severity(t, i.Source), Target: severity(t, i.Target), Equal: i.Equal})
		}
		if diff := cmp.Diff(alerts.DefaultOptions(speed).Policy(), got); diff != "" {
			t.Errorf("speed %g: alertmanager.yml has another policy than the pager (-pager +file):\n%s", speed, diff)
		}
	}
	if diff := cmp.Diff(alerts.PagerPolicy(), alerts.DefaultOptions(1).Policy()); diff != "" {
		t.Errorf("at speed 1 the policy is another one:\n%s", diff)
	}
}

// severity reads the one matcher of a severity.
func severity(t *testing.T, matchers []string) (s alerts.Severity) {
	t.Helper()
	var name string
	if len(matchers) != 1 {
		t.Fatalf("matchers %q", matchers)
	}
	if _, err := fmt.Sscanf(matchers[0], "severity=%q", &name); err != nil {
		t.Fatalf("matcher %s: %v", matchers[0], err)
	}
	return alerts.Severity(name)
}
