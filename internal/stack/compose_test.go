package stack

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

// root is the folder of the repository.
const root = "../.."

// load reads the compose file as docker compose does, with these variables set.
func load(t *testing.T, env ...string) *types.Project {
	t.Helper()
	project, err := tryLoad(filepath.Join(root, "docker-compose.yml"), env...)
	if err != nil {
		t.Fatal(err)
	}
	return project
}

func tryLoad(file string, env ...string) (*types.Project, error) {
	options, err := cli.NewProjectOptions([]string{file}, cli.WithEnv(env))
	if err != nil {
		return nil, err
	}
	return options.LoadProject(context.Background())
}

// names lists the services in order.
func names(p *types.Project) []string { return slices.Sorted(maps.Keys(p.Services)) }

// generates reports whether a service writes configuration and ends.
func generates(name string) bool { return name == "rules" || name == "dashboards" }

// TestLoader: the loader that the tests trust finds mistakes of the kinds that
// people make here.
func TestLoader(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docker-compose.yml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, mistake := range []struct{ right, wrong string }{
		{"healthcheck:", "health_check:"},
		{"rules: {condition", "rulez: {condition"},
		{"service_completed_successfully", "service_completed"},
		{"configuration:/etc/firedrill:ro", "config:/etc/firedrill:ro"},
		{":-9464}:9464", ":-9464}:94640"},
	} {
		file := filepath.Join(t.TempDir(), "docker-compose.yml")
		wrong := strings.Replace(string(text), mistake.right, mistake.wrong, 1)
		if wrong == string(text) {
			t.Errorf("the compose file does not say %q", mistake.right)
		}
		if err := os.WriteFile(file, []byte(wrong), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := tryLoad(file); err == nil {
			t.Errorf("%q in place of %q: no error", mistake.wrong, mistake.right)
		}
	}
}

// TestServices: which there are. What is added here needs a look at each of the
// tests below.
func TestServices(t *testing.T) {
	want := []string{"alertmanager", "dashboards", "firedrill", "grafana", "prometheus", "rules"}
	if got := names(load(t)); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestPorts: only this machine reaches the servers, and each at the same port as
// inside, unless somebody says otherwise.
func TestPorts(t *testing.T) {
	standard, moved := load(t), load(t, "FIREDRILL_METRICS_PORT=19464", "FIREDRILL_API_PORT=18080", "PROMETHEUS_PORT=19090",
		"ALERTMANAGER_PORT=19093", "GRAFANA_PORT=13000")
	taken := map[string]string{}
	for _, name := range names(standard) {
		for i, port := range standard.Services[name].Ports {
			other := moved.Services[name].Ports[i]
			inside := strconv.Itoa(int(port.Target))
			if port.HostIP != "127.0.0.1" || port.Published != inside {
				t.Errorf("%s: port %d is published at %s:%s", name, port.Target, port.HostIP, port.Published)
			}
			if other.HostIP != "127.0.0.1" || !strings.HasPrefix(other.Published, "1") || other.Published == port.Published || other.Target != port.Target {
				t.Errorf("%s: port %d cannot be moved: %+v", name, port.Target, other)
			}
			if by := taken[port.Published]; by != "" {
				t.Errorf("%s and %s have the same port %s", by, name, port.Published)
			}
			taken[port.Published] = name
		}
	}
	if len(taken) != 5 {
		t.Errorf("%d ports are published, want 5: %v", len(taken), taken)
	}
}

// release is a tag that names one release and its patch level.
var release = regexp.MustCompile(`^[a-z]+/[a-z]+:v?\d+\.\d+\.\d+$`)

// TestImages: every image but our own names one release.
func TestImages(t *testing.T) {
	built := 0
	for name, s := range load(t).Services {
		switch {
		case s.Image == "firedrill:local":
			if s.Build != nil {
				built++
			} else if s.PullPolicy != types.PullPolicyNever {
				t.Errorf("%s: pull policy %q: somebody else's image of that name could be pulled", name, s.PullPolicy)
			}
		case !release.MatchString(s.Image):
			t.Errorf("%s: image %q names no release", name, s.Image)
		}
	}
	if built != 1 {
		t.Errorf("%d services build the image, want 1", built)
	}
}

// TestHealth: what serves has a health check and is started anew when it fails;
// what makes configuration runs once. Whoever waits for another waits for its
// health or its end, and nobody waits in vain for one that is not asked.
func TestHealth(t *testing.T) {
	project := load(t)
	for name, s := range project.Services {
		once := generates(name)
		if (s.HealthCheck == nil) != once {
			t.Errorf("%s: health check %v", name, s.HealthCheck)
		}
		if want := map[bool]string{true: "no", false: "on-failure:3"}[once]; s.Restart != want {
			t.Errorf("%s: restart %q, want %q", name, s.Restart, want)
		}
		for other, on := range s.DependsOn {
			want := types.ServiceConditionHealthy
			if project.Services[other].HealthCheck == nil {
				want = types.ServiceConditionCompletedSuccessfully
			}
			if on.Condition != want || !on.Required {
				t.Errorf("%s waits for %s: %s, want %s", name, other, on.Condition, want)
			}
		}
	}
}

// TestOrder: nothing starts before what it needs at once.
func TestOrder(t *testing.T) {
	project := load(t)
	for name, needs := range map[string][]string{
		"rules": nil, "dashboards": {"rules"}, "firedrill": {"rules"}, "alertmanager": {"rules"},
		"prometheus": {"alertmanager", "firedrill", "rules"}, "grafana": {"alertmanager", "dashboards", "prometheus"},
	} {
		if got := slices.Sorted(maps.Keys(project.Services[name].DependsOn)); !slices.Equal(got, needs) {
			t.Errorf("%s waits for %v, want %v", name, got, needs)
		}
	}
}

// TestPrivileges: containers have none that they do not need; only Grafana,
// which unpacks things, may write outside of its volume.
func TestPrivileges(t *testing.T) {
	for name, s := range load(t).Services {
		if s.Privileged || s.User == "root" || !slices.Equal(s.CapDrop, []string{"ALL"}) || len(s.CapAdd) > 0 ||
			!slices.Equal(s.SecurityOpt, []string{"no-new-privileges:true"}) || s.NetworkMode == "host" || s.Pid != "" {
			t.Errorf("%s may do more than it needs: %+v", name, s)
		}
		if s.ReadOnly != (name != "grafana") {
			t.Errorf("%s: read-only root file system %v", name, s.ReadOnly)
		}
		if s.Logging == nil || s.Logging.Options["max-size"] == "" {
			t.Errorf("%s may fill the disk with its log", name)
		}
	}
}

// TestVolumes: what is mounted from the repository is there and cannot be
// changed from inside, and nobody but the generators writes the configuration.
func TestVolumes(t *testing.T) {
	project := load(t)
	used := map[string]bool{}
	for name, s := range project.Services {
		targets := map[string]bool{}
		for _, v := range s.Volumes {
			if targets[v.Target] {
				t.Errorf("%s: two volumes at %s", name, v.Target)
			}
			targets[v.Target] = true
			switch v.Type {
			case types.VolumeTypeBind:
				if _, err := os.Stat(v.Source); err != nil || !v.ReadOnly {
					t.Errorf("%s: %s, read-only %v: %v", name, v.Source, v.ReadOnly, err)
				}
			case types.VolumeTypeVolume:
				used[v.Source] = true
				if v.Source == "configuration" && v.ReadOnly == generates(name) {
					t.Errorf("%s: the configuration is read-only: %v", name, v.ReadOnly)
				}
			default:
				t.Errorf("%s: a volume of type %s", name, v.Type)
			}
		}
	}
	for name := range project.Volumes {
		if !used[name] {
			t.Errorf("nobody uses the volume %s", name)
		}
	}
}

// TestNewSpeed: what reads its configuration only when it starts is started anew
// when the speed is another one.
func TestNewSpeed(t *testing.T) {
	before, after := load(t), load(t, "FIREDRILL_SPEED=30")
	for _, name := range names(before) {
		a, b := before.Services[name], after.Services[name]
		same := slices.Equal(a.Command, b.Command) && maps.Equal(a.Labels, b.Labels)
		if same != (name == "grafana") {
			t.Errorf("%s with another speed is the same: %v", name, same)
		}
	}
}

// TestScenario: the stack starts calm; a scenario that somebody names stands
// still until he starts it.
func TestScenario(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want string
	}{
		{nil, "--speed|60|--scenario|calm"},
		{[]string{"FIREDRILL_SCENARIO=", "FIREDRILL_SPEED="}, "--speed|60|--scenario|calm"},
		{[]string{"FIREDRILL_SCENARIO=bad-deploy", "FIREDRILL_SPEED=12"}, "--speed|12|--scenario|bad-deploy|--start|manual"},
		{[]string{"FIREDRILL_SCENARIO=/scenarios/my own.yaml"}, "--speed|60|--scenario|/scenarios/my own.yaml|--start|manual"},
	} {
		got := strings.Join(load(t, c.env...).Services["firedrill"].Command, "|")
		if want := "up|--listen|:9464|--admin|:8080|--host|firedrill|--no-prometheus|" + c.want; got != want {
			t.Errorf("%v: %s, want %s", c.env, got, want)
		}
	}
}
