package stack

import (
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/types"
	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/alerts"
)

// configured is what the generated configurations say about the other servers.
type configured struct {
	Alerting struct {
		Alertmanagers []struct {
			Static []struct{ Targets []string } `yaml:"static_configs"`
		}
	}
	RuleFiles []string `yaml:"rule_files"`
	Scrape    []struct {
		SD []struct{ URL string } `yaml:"http_sd_configs"`
	} `yaml:"scrape_configs"`
	Receivers []struct {
		Webhooks []struct{ URL string } `yaml:"webhook_configs"`
	}
}

// generated returns the files that the service rules writes, by their name in
// its folder.
func generated(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := alerts.Stack(alerts.DefaultOptions(60))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for _, f := range files {
		all[f.Path] = f.Data
	}
	return all
}

func decode(t *testing.T, data []byte) configured {
	t.Helper()
	var c configured
	if err := yaml.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// listens reports whether a service of that name listens at that port, as the
// ports that it publishes tell.
func listens(p *types.Project, address string) bool {
	name, port, _ := strings.Cut(address, ":")
	return slices.ContainsFunc(p.Services[name].Ports, func(c types.ServicePortConfig) bool { return port == strconv.Itoa(int(c.Target)) })
}

// TestAddresses: each address in the generated configurations and in the data
// sources of Grafana is a service and a port of the stack.
func TestAddresses(t *testing.T) {
	project, files := load(t), generated(t)
	prometheus, alertmanager := decode(t, files["prometheus.yml"]), decode(t, files["alertmanager.yml"])
	urls := map[string]string{
		"firedrill:9464":    prometheus.Scrape[0].SD[0].URL,
		"firedrill:8080":    alertmanager.Receivers[0].Webhooks[0].URL,
		"alertmanager:9093": "http://" + prometheus.Alerting.Alertmanagers[0].Static[0].Targets[0],
	}
	for _, s := range readSources(t).Datasources {
		urls[s.Type+map[string]string{"prometheus": ":9090", "alertmanager": ":9093"}[s.Type]] = s.URL
	}
	if len(urls) != 4 {
		t.Errorf("addresses: %v", urls)
	}
	for want, text := range urls {
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "http" || u.Host != want || !listens(project, u.Host) {
			t.Errorf("%s: want %s, where a service listens: %v", text, want, err)
		}
	}
	if project.Services["alertmanager"].NetworkMode != "" || len(project.Networks) != 1 {
		t.Errorf("the services are not in one network: %v", project.Networks)
	}
}

// TestListen: firedrill listens at its ports for the other containers too, and
// answers under the name that they know.
func TestListen(t *testing.T) {
	project := load(t)
	command := strings.Join(project.Services["firedrill"].Command, " ")
	for flag, port := range map[string]string{"--listen ": ":9464", "--admin ": ":8080"} {
		if !strings.Contains(command, flag+port+" ") || !listens(project, "firedrill"+port) {
			t.Errorf("%s%s: %s", flag, port, command)
		}
	}
	if !strings.Contains(command, "--host firedrill ") {
		t.Errorf("as firedrill it does not answer: %s", command)
	}
}

// TestFiles: each file that a server is told to read is one that the generator
// writes, where the volume is mounted.
func TestFiles(t *testing.T) {
	project, files := load(t), generated(t)
	for _, name := range []string{"prometheus", "alertmanager"} {
		var read []string
		for _, arg := range project.Services[name].Command {
			if file, ok := strings.CutPrefix(arg, "--config.file="); ok {
				read = append(read, file)
			}
			if file, ok := strings.CutPrefix(arg, "@"); ok {
				read = append(read, file)
			}
		}
		if want := []string{"/etc/firedrill/" + name + ".yml", "/etc/firedrill/" + name + ".flags"}; !slices.Equal(read, want) {
			t.Errorf("%s reads %v, want %v", name, read, want)
		}
		for _, file := range read {
			if files[strings.TrimPrefix(file, "/etc/firedrill/")] == nil {
				t.Errorf("%s reads %s, which nobody writes", name, file)
			}
		}
	}
	pattern := decode(t, files["prometheus.yml"]).RuleFiles[0]
	rules := 0
	for name := range files {
		if ok, err := path.Match(pattern, name); ok && err == nil {
			rules++
		}
	}
	if rules != 3 {
		t.Errorf("%s matches %d files", pattern, rules)
	}
}

// TestMounted: the configuration is at the same place in every service that
// writes or reads it.
func TestMounted(t *testing.T) {
	at := map[string]string{}
	for name, s := range load(t).Services {
		for _, v := range s.Volumes {
			if v.Source == "configuration" {
				at[name] = v.Target
			}
		}
	}
	for _, name := range []string{"alertmanager", "dashboards", "grafana", "prometheus", "rules"} {
		if at[name] != "/etc/firedrill" {
			t.Errorf("%s has the configuration at %q", name, at[name])
		}
	}
}

// TestStores: servers keep what they know in a volume of their own.
func TestStores(t *testing.T) {
	project := load(t)
	for name, want := range map[string]string{
		"prometheus": "--storage.tsdb.path=/prometheus", "alertmanager": "--storage.path=/alertmanager",
	} {
		s := project.Services[name]
		folder := want[strings.Index(want, "=")+1:]
		mounted := slices.ContainsFunc(s.Volumes, func(v types.ServiceVolumeConfig) bool {
			return v.Source == name && v.Target == folder && !v.ReadOnly
		})
		if !slices.Contains(s.Command, want) || !mounted {
			t.Errorf("%s: %v %+v", name, s.Command, s.Volumes)
		}
	}
}

// TestLinks: links from alerts and in Grafana lead to where a browser on this
// machine finds the servers, at the port that somebody chose.
func TestLinks(t *testing.T) {
	project := load(t, "PROMETHEUS_PORT=19090", "ALERTMANAGER_PORT=19093", "GRAFANA_PORT=13000")
	for name, want := range map[string]string{
		"prometheus": "--web.external-url=http://localhost:19090", "alertmanager": "--web.external-url=http://localhost:19093",
	} {
		if !slices.Contains(project.Services[name].Command, want) {
			t.Errorf("%s: %v does not have %s", name, project.Services[name].Command, want)
		}
	}
	if got := project.Services["grafana"].Environment["GF_SERVER_ROOT_URL"]; *got != "http://localhost:13000/" {
		t.Errorf("grafana: %s", *got)
	}
}
