//go:build e2e

package stack

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/types"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/dashboards"
)

// TestImage takes the steps of the Dockerfile as they stand, and uses the image
// as the compose file does: shut into its folder, which holds nothing but the
// program, as its user, who can write nowhere but into the volume.
func TestImage(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can shut a program into a folder and make it run as another user")
	}
	i := build(t)
	t.Run("contents", i.testContents)
	t.Run("static", i.testStatic)
	t.Run("generate", i.testGenerate)
	t.Run("refuse", i.testRefuse)
	t.Run("up", i.testUp)
	t.Run("servers", i.testServers)
}

// start prepares a command in a container of the image.
func (i image) start(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOSTNAME=firedrill", "HOME=/"}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Chroot: i.folder, Credential: &syscall.Credential{Uid: uint32(i.uid), Gid: uint32(i.gid)},
	}
	return cmd
}

// run runs the command of a service to its end.
func (i image) run(t *testing.T, s types.ServiceConfig) (string, error) {
	t.Helper()
	out, err := i.start(t.Context(), slices.Concat(i.entrypoint, s.Command)...).CombinedOutput()
	return string(out), err
}

// testContents: there is nothing in the image but the program and the folder
// that the volume is mounted on.
func (i image) testContents(t *testing.T) {
	var got []string
	err := fs.WalkDir(os.DirFS(i.folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && (!entry.IsDir() || name == "etc/firedrill") {
			got = append(got, name)
		}
		return err
	})
	if want := []string{"etc/firedrill", "usr/local/bin/firedrill"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, want %v: %v", got, want, err)
	}
}

// testStatic: the program needs no library of the image.
func (i image) testStatic(t *testing.T) {
	program := filepath.Join(i.folder, i.entrypoint[0])
	out, err := exec.Command("ldd", program).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "not a dynamic executable") {
		t.Errorf("ldd: %v %s", err, out)
	}
	file, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, p := range file.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("the program asks for a loader")
		}
	}
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the program has %.1f MB", float64(info.Size())/1e6)
}

// testGenerate: the generators fill the volume with what is generated from the
// source, for the speed that somebody asks for, over what was there before.
func (i image) testGenerate(t *testing.T) {
	for _, speed := range []float64{30, 1, 60} {
		project := load(t, fmt.Sprintf("FIREDRILL_SPEED=%g", speed))
		for _, name := range []string{"rules", "dashboards"} {
			if out, err := i.run(t, project.Services[name]); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, out)
			}
		}
		for name, want := range expected(t, speed) {
			file := filepath.Join(i.folder, "etc", "firedrill", filepath.FromSlash(name))
			got, err := os.ReadFile(file)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("speed %g: %s is not what is generated: %v", speed, name, err)
			}
			if info, err := os.Stat(file); err == nil && info.Mode().Perm()&0o004 == 0 {
				t.Errorf("%s: mode %v: other users cannot read it", name, info.Mode())
			}
		}
	}
}

// expected returns what the volume has to hold at a speed.
func expected(t *testing.T, speed float64) map[string][]byte {
	t.Helper()
	rules, boards := alerts.DefaultOptions(speed), dashboards.DefaultOptions(speed)
	rules.ScrapeInterval, boards.ScrapeInterval = time.Second, time.Second
	all := map[string][]byte{}
	files, err := alerts.Stack(rules)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		all[f.Path] = f.Data
	}
	made, err := dashboards.All(boards)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range made {
		all["dashboards/"+f.Name] = f.Data
	}
	home := *load(t).Services["grafana"].Environment["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
	if name, ok := strings.CutPrefix(home, "/etc/firedrill/"); !ok || all[name] == nil {
		t.Errorf("the first page of Grafana is %s, which nobody writes", home)
	}
	return all
}

// testRefuse: a variable that makes no sense ends the start with the reason.
func (i image) testRefuse(t *testing.T) {
	for _, c := range []struct{ env, want string }{
		{"FIREDRILL_SPEED=fast", `--speed: "fast" is no number`},
		{"FIREDRILL_SPEED=300", "use a speed of at most 75, or a scrape interval of at most 250ms"},
		{"FIREDRILL_SCRAPE_INTERVAL=often", `--scrape-interval: "often" is no span of time`},
	} {
		out, err := i.run(t, load(t, c.env).Services["rules"])
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(out, c.want) {
			t.Errorf("%s: %v: %s", c.env, err, out)
		}
	}
}

// testUp: firedrill comes up, is healthy, is reached under the name that the
// other containers know, takes an operator's commands, and stops when it is
// told to.
func (i image) testUp(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	service := load(t).Services["firedrill"]
	if !slices.Equal(i.command[:5], service.Command[:5]) {
		t.Errorf("alone the image runs %v, in the stack %v", i.command, service.Command)
	}
	up := i.serve(ctx, t)
	i.act(ctx, t)
	for address, want := range map[string]string{
		"firedrill:9464/sd": `"targets":["firedrill:9464"]`, "firedrill:9464/metrics": "\nhttp_requests_total{",
		"localhost:8080/readyz": `"ok"`, "firedrill:8080/api/v1/drill": `"bad-deploy"`, "127.0.0.1:8080/api/v1/clock": `"speed":60`,
	} {
		if status, body := get(ctx, t, address); status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s answers %d, without %s: %.300s", address, status, want, body)
		}
	}
	if status, body := get(ctx, t, "rebound.example:8080/api/v1/clock"); status != http.StatusMisdirectedRequest {
		t.Errorf("a page that has its name resolve to this machine gets in: %d %s", status, body)
	}
	if err := up.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := up.Wait(); err != nil {
		t.Errorf("after a stop: %v", err)
	}
}

// serve starts firedrill as the compose file does and waits until it is healthy.
func (i image) serve(ctx context.Context, t *testing.T) *exec.Cmd {
	t.Helper()
	service := load(t).Services["firedrill"]
	up := i.start(ctx, slices.Concat(i.entrypoint, service.Command)...)
	began := time.Now()
	background(t, "firedrill", up)
	i.waitHealthy(ctx, t, service)
	t.Logf("healthy after %v", time.Since(began).Round(time.Millisecond))
	return up
}

// background starts a program, ends it with the test where it still runs, and
// shows what it printed where the test has failed.
func background(t *testing.T, name string, cmd *exec.Cmd) {
	t.Helper()
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill() // it may have ended
			_ = cmd.Wait()         // it was killed
		}
		if t.Failed() {
			t.Logf("output of %s:\n%s", name, output.String())
		}
	})
}

// waitHealthy asks as the health check of the compose file does.
func (i image) waitHealthy(ctx context.Context, t *testing.T, s types.ServiceConfig) {
	t.Helper()
	test := s.HealthCheck.Test
	if test[0] != "CMD" {
		t.Fatalf("the image has no shell for the health check %v", test)
	}
	eventually(ctx, t, "firedrill is healthy", func() error {
		out, err := i.start(ctx, test[1:]...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%v: %w: %s", test, err, out)
		}
		return nil
	})
}

// eventually calls check until it returns no error, and ends the test with the
// last one when ctx is over.
func eventually(ctx context.Context, t *testing.T, what string, check func() error) {
	t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		err := check()
		if err == nil {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("not seen in time: %s: %v", what, err)
		}
	}
}

// act does what the documents tell an operator to do: docker compose exec
// firedrill firedrill ….
func (i image) act(ctx context.Context, t *testing.T) {
	t.Helper()
	for _, command := range []string{"firedrill scenario start bad-deploy", "firedrill do shop", "firedrill page list", "firedrill clock"} {
		cmd := i.start(ctx, strings.Fields("/usr/local/bin/"+command)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
}

// get asks this machine for a page as if it had that name.
func get(ctx context.Context, t *testing.T, address string) (status int, body string) {
	t.Helper()
	host, path, _ := strings.Cut(address, "/")
	_, port, _ := strings.Cut(host, ":")
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1:"+port+"/"+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = host
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Errorf("%s: %v", address, err)
	}
	return response.StatusCode, string(text)
}
