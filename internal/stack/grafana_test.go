package stack

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// sources are provisioned data sources, with the keys that we use.
type sources struct {
	APIVersion  int `yaml:"apiVersion"`
	Prune       bool
	Datasources []struct {
		Name, UID, Type, Access, URL string
		IsDefault                    bool `yaml:"isDefault"`
		Editable                     bool
		JSONData                     struct {
			HTTPMethod        string `yaml:"httpMethod"`
			PrometheusType    string `yaml:"prometheusType"`
			PrometheusVersion string `yaml:"prometheusVersion"`
			TimeInterval      string `yaml:"timeInterval"`
			ManageAlerts      bool   `yaml:"manageAlerts"`
			AlertmanagerUID   string `yaml:"alertmanagerUid"`
			Implementation    string
		} `yaml:"jsonData"`
	}
}

// providers are provisioned folders of dashboards, with the keys that we use.
type providers struct {
	APIVersion int `yaml:"apiVersion"`
	Providers  []struct {
		Name                  string
		OrgID                 int `yaml:"orgId"`
		Folder                string
		FolderUID             string `yaml:"folderUid"`
		Type                  string
		DisableDeletion       bool `yaml:"disableDeletion"`
		AllowUIUpdates        bool `yaml:"allowUiUpdates"`
		UpdateIntervalSeconds int  `yaml:"updateIntervalSeconds"`
		Options               struct {
			Path                      string
			FoldersFromFilesStructure bool `yaml:"foldersFromFilesStructure"`
		}
	}
}

// provisioned decodes the one file in a folder of the provisioning, strictly.
func provisioned(t *testing.T, folder string, into any) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "dashboards", "provisioning", folder, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: %v %v", folder, files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("%s: %v", files[0], err)
	}
}

func readSources(t *testing.T) sources {
	t.Helper()
	var s sources
	provisioned(t, "datasources", &s)
	return s
}

// TestDatasources: there is one Prometheus, the default, which knows how often
// it is scraped, of which version it is and which Alertmanager has its alerts.
func TestDatasources(t *testing.T) {
	project, s := load(t), readSources(t)
	if s.APIVersion != 1 || !s.Prune || len(s.Datasources) != 2 {
		t.Fatalf("%+v", s)
	}
	prometheus, alertmanager := s.Datasources[0], s.Datasources[1]
	if prometheus.Type != "prometheus" || !prometheus.IsDefault || prometheus.UID != "prometheus" || prometheus.Editable || prometheus.Access != "proxy" {
		t.Errorf("%+v", prometheus)
	}
	if prometheus.JSONData.AlertmanagerUID != alertmanager.UID || alertmanager.Type != "alertmanager" || alertmanager.JSONData.Implementation != "prometheus" {
		t.Errorf("%+v has its alerts in %+v", prometheus, alertmanager)
	}
	if want := "prom/prometheus:v" + prometheus.JSONData.PrometheusVersion; project.Services["prometheus"].Image != want {
		t.Errorf("image %s, data source %s", project.Services["prometheus"].Image, want)
	}
	variable, ok := strings.CutPrefix(prometheus.JSONData.TimeInterval, "$")
	if interval := project.Services["grafana"].Environment[variable]; !ok || interval == nil || *interval != "1s" {
		t.Errorf("interval %q is %v", prometheus.JSONData.TimeInterval, interval)
	}
}

// TestInterval: Prometheus scrapes as often as Grafana believes.
func TestInterval(t *testing.T) {
	for _, want := range []string{"1s", "250ms"} {
		project := load(t, "FIREDRILL_SCRAPE_INTERVAL="+want)
		command := strings.Join(project.Services["rules"].Command, " ")
		if got := *project.Services["grafana"].Environment["FIREDRILL_SCRAPE_INTERVAL"]; got != want || !strings.Contains(command, "--scrape-interval "+want+" ") {
			t.Errorf("grafana: %s, %s", got, command)
		}
	}
}

// TestProvider: Grafana reads the dashboards from where they are written, and
// nobody can change there what the next start would change back.
func TestProvider(t *testing.T) {
	var p providers
	provisioned(t, "dashboards", &p)
	if p.APIVersion != 1 || len(p.Providers) != 1 {
		t.Fatalf("%+v", p)
	}
	only := p.Providers[0]
	if only.Type != "file" || only.AllowUIUpdates || !only.DisableDeletion || only.Options.Path != "/etc/firedrill/dashboards" {
		t.Errorf("%+v", only)
	}
}

// TestProvisioning: both folders of the provisioning are where Grafana looks.
func TestProvisioning(t *testing.T) {
	mounted := map[string]string{}
	for _, v := range load(t).Services["grafana"].Volumes {
		mounted[v.Target] = v.Source
	}
	for _, folder := range []string{"datasources", "dashboards"} {
		want, err := filepath.Abs(filepath.Join(root, "dashboards", "provisioning", folder))
		if err != nil {
			t.Fatal(err)
		}
		if got := mounted["/etc/grafana/provisioning/"+folder]; got != want {
			t.Errorf("%s: %s, want %s", folder, got, want)
		}
	}
}

// TestAnonymous: whoever opens Grafana sees everything and changes nothing, each
// second if he likes, and Grafana talks to nobody outside.
func TestAnonymous(t *testing.T) {
	environment := load(t).Services["grafana"].Environment
	for name, want := range map[string]string{
		"AUTH_ANONYMOUS_ENABLED": "true", "AUTH_ANONYMOUS_ORG_ROLE": "Viewer", "DASHBOARDS_MIN_REFRESH_INTERVAL": "1s",
		"ANALYTICS_REPORTING_ENABLED": "false", "ANALYTICS_CHECK_FOR_UPDATES": "false", "ANALYTICS_CHECK_FOR_PLUGIN_UPDATES": "false",
		"ANALYTICS_FEEDBACK_LINKS_ENABLED": "false", "NEWS_NEWS_FEED_ENABLED": "false", "SNAPSHOTS_EXTERNAL_ENABLED": "false",
		"SECURITY_DISABLE_GRAVATAR": "true", "PLUGINS_PREINSTALL_DISABLED": "true", "PLUGINS_PREINSTALL_AUTO_UPDATE": "false",
		"PLUGINS_PLUGIN_ADMIN_ENABLED": "false", "PLUGINS_PUBLIC_KEY_RETRIEVAL_DISABLED": "true",
	} {
		if got := environment["GF_"+name]; got == nil || *got != want {
			t.Errorf("GF_%s is not %s", name, want)
		}
	}
}
