package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// live is a firedrill up in this process.
type live struct {
	t      *testing.T
	output string // until it was ready
	errs   *buffer
	stop   context.CancelFunc
	lines  chan string // of the output after that, closed when it has ended
	code   chan int
}

// startUp starts firedrill up on free ports and waits until it is ready.
func startUp(t *testing.T, args ...string) *live {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	read, write := io.Pipe()
	l := &live{t: t, errs: new(buffer), stop: cancel, lines: make(chan string, 100), code: make(chan int, 1)}
	args = append([]string{"up", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"}, args...)
	go func() {
		l.code <- run(ctx, args, streams{in: strings.NewReader(""), out: write, err: l.errs})
		_ = write.Close()
	}()
	lines := bufio.NewReader(read)
	for !strings.Contains(l.output, "\nready") {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("firedrill up ended with %d: %s", <-l.code, *l.errs)
		}
		l.output += line
	}
	go func() {
		defer close(l.lines)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			l.lines <- line
		}
	}()
	t.Cleanup(cancel)
	return l
}

// end stops it and returns what it printed and its exit code.
func (l *live) end() (string, int) {
	l.stop()
	code := <-l.code
	var rest strings.Builder
	for line := range l.lines {
		rest.WriteString(line)
	}
	return rest.String(), code
}

// url returns the URL that the output shows under a name.
func (l *live) url(name string) string {
	l.t.Helper()
	found := regexp.MustCompile(`(?m)^  ` + name + ` +(https?://[^/ ]+)`).FindStringSubmatch(l.output)
	if found == nil {
		l.t.Fatalf("no %s in\n%s", name, l.output)
	}
	return found[1]
}

// do runs a client of it.
func (l *live) do(args ...string) result {
	l.t.Helper()
	return runFiredrill(l.t, append(args, "--url", l.url("API"))...)
}

func (l *live) get(path string) string {
	l.t.Helper()
	return get(l.t, http.DefaultClient, l.url("metrics")+path)
}

// get returns a page that must be there.
func get(t *testing.T, client *http.Client, url string) string {
	t.Helper()
	response, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s, %v", url, response.Status, err)
	}
	return string(body)
}

// What a newcomer sees.
func TestUpSaysWhereWhatIs(t *testing.T) {
	for name, args := range map[string][]string{
		"up":        nil,
		"up-drill":  {"--scenario", "testdata/up.yaml", "--speed", "1", "--start", "manual", "--seed", "4294967295"},
		"up-scrape": {"--scenario", "testdata/up.yaml", "--start", "on-first-scrape"},
	} {
		l := startUp(t, args...)
		got := strings.NewReplacer(l.url("metrics"), "http://METRICS", l.url("API"), "http://API", program(), "firedrill").Replace(l.output)
		file := filepath.Join("testdata", name+".golden")
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("firedrill %q prints otherwise (-want +got; -update rewrites %s):\n%s", args, file, diff)
		}
		rest, code := l.end()
		if !regexp.MustCompile(`^stopped at Monday \d\d:\d\d:\d\d\n$`).MatchString(rest) || code != codeOK || len(*l.errs) > 0 {
			t.Errorf("stopped, it says %q and %q and exits with %d", rest, *l.errs, code)
		}
	}
}

// The main job: something is alive, an operator changes it, a drill starts.
func TestUp(t *testing.T) {
	l := startUp(t, "--scenario", "testdata/up.yaml", "--start", "manual", "--set", "shop.floor=5")
	if page := l.get("/metrics"); strings.Count(page, `http_requests_total{`) < 5 || !strings.Contains(page, "go_goroutines") {
		t.Errorf("the metrics are\n%.2000s", page)
	}
	if sd := l.get("/sd"); strings.Count(sd, `"pod"`)+strings.Count(sd, `__meta`) == 0 && !strings.Contains(sd, "shop") {
		t.Errorf("the targets are %s", sd)
	}
	for _, step := range []struct {
		args []string
		says string
	}{
		{[]string{"do", "shop", "set", "floor=8"}, "shop: set floor=8 applies now, at 09:00:00\n"},
		{[]string{"clock", "advance", "5m"}, "Monday 09:05:00; simulated time stands still\n"},
	} {
		if got := l.do(step.args...); got.code != codeOK || got.out != step.says {
			t.Errorf("%q says %q, %q and exits with %d", step.args, got.out, got.err, got.code)
		}
	}
	if page := l.get("/metrics"); !strings.Contains(page, `fleet_instances{service="shop",state="serving"} 8`) {
		t.Errorf("after scaling out the metrics are\n%.2000s", page)
	}
	if got := l.do("scenario", "start", "bad-deploy", "--paused"); got.code != codeOK || !strings.HasPrefix(got.out, "bad-deploy: ") {
		t.Errorf("a drill starts with %+v", got)
	}
	if page := l.get("/metrics"); !strings.Contains(page, `firedrill_scenario_info{scenario="bad-deploy",seed="1"} 1`) {
		t.Errorf("during a drill the metrics are\n%.2000s", page)
	}
	if rest, code := l.end(); rest != "stopped at Monday 09:00:00\n" || code != codeOK {
		t.Errorf("stopped, it says %q and exits with %d", rest, code)
	}
}

// A drill that ends by itself is told of where up runs, one that is stopped
// only where it was stopped.
func TestUpTellsTheEndOfADrill(t *testing.T) {
	l := startUp(t, "--no-prometheus", "--scenario", "testdata/up.yaml", "--start", "manual")
	l.do("clock", "advance", "29m")
	l.do("scenario", "stop")
	l.do("scenario", "restart")
	l.do("clock", "advance", "40m")
	want := "09:30 the drill has ended: 1 of 2 goals met; " + program() + " scenario stop shows them\n"
	select {
	case got := <-l.lines:
		if got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	case <-time.After(10 * time.Second):
		t.Error("it does not tell that the drill has ended")
	}
	if rest, code := l.end(); rest != "stopped at Monday 09:40:00\n" || code != codeOK {
		t.Errorf("stopped, it says %q and exits with %d", rest, code)
	}
}

// Who is called reads it where up runs, and what to do about it; nobody is
// called for a ticket. No text from outside commands the terminal.
func TestUpTellsOfPages(t *testing.T) {
	l := startUp(t, "--no-prometheus", "--scenario", "testdata/up.yaml", "--start", "manual")
	notify := func(status string) {
		t.Helper()
		alert := `{"status": "` + status + `", "labels": {"alertname": "A", "severity": "%s"}, "annotations": {"summary": "all is\u001b[2J lost"}, "startsAt": "2999-01-01T00:00:00Z"}`
		body := `{"version": "4", "status": "` + status + `", "groupKey": "g", "alerts": [` + fmt.Sprintf(alert, "ticket") + "," + fmt.Sprintf(alert, "page") + "]}"
		response, err := http.Post(l.url("API")+"/api/v1/alertmanager", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if response.Body.Close(); response.StatusCode != http.StatusOK {
			t.Fatalf("the notification is answered with %s", response.Status)
		}
	}
	l.do("clock", "advance", "5m")
	notify("firing")
	notify("resolved")
	for _, want := range []string{"09:05 page 1: all is [2J lost; " + program() + " page ack 1\n", "09:05 page 1 is resolved\n"} {
		select {
		case got := <-l.lines:
			if got != want {
				t.Errorf("it says %q, want %q", got, want)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("it does not say %q", want)
		}
	}
	l.end()
}

// Looking for targets is no scrape.
func TestUpWaitsForTheFirstScrape(t *testing.T) {
	l := startUp(t, "--start", "on-first-scrape", "--speed", "1")
	for _, step := range []struct{ path, clock string }{
		{"/sd", "simulated time waits for the first scrape"},
		{"/", "simulated time waits for the first scrape"},
		{"/simulator/metrics", "simulated time passes as fast as yours"},
	} {
		l.get(step.path)
		if got := l.do("clock"); !strings.Contains(got.out, step.clock) {
			t.Errorf("after %s the clock says %q, want %q", step.path, got.out, step.clock)
		}
	}
	l.end()
}

func TestUpRefusesWhatCannotBe(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	address := taken.Addr().String()
	free := []string{"up", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"}
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"up", "--listen", address}, codeFailed, "address " + address + " is in use, perhaps by another firedrill: choose another one with --listen"},
		{[]string{"up", "--listen", "127.0.0.1:0", "--admin", address}, codeFailed, "address " + address + " is in use, perhaps by another firedrill: choose another one with --admin"},
		{append(free, "--speed", "0"), codeUsage, `--speed: "0" is too small; allowed: a number from 1 to 3600 simulated seconds per second`},
		{append(free, "--speed", "3601"), codeUsage, `--speed: "3601" is too large; allowed: a number from 1 to 3600 simulated seconds per second`},
		{append(free, "--start", "on-scrape"), codeUsage, `--start: "on-scrape" is none of the options; allowed: now, on-first-scrape, manual`},
		{append(free, "--scenario", "cache-flsh"), codeUsage, `"cache-flsh" is no built-in scenario, nor a file; allowed: `},
		{append(free, "--scenario", "missing.yaml"), codeFailed, "read scenario: open missing.yaml: no such file or directory"},
		{append(free, "--set", "shop.flor=3"), codeUsage, `shop: "flor" is no configuration key of a web service; allowed: `},
		{append(free, "--seed", "x"), codeUsage, `--seed: "x" is no number; allowed: a whole number from 0 to 4294967295`},
		{append(free, "--web-config", "missing.yml"), codeFailed, "web configuration missing.yml: open missing.yml: no such file or directory"},
		{append(free, "--webhook", "example.org/hook"), codeUsage, `--webhook: "example.org/hook" is no URL of a webhook; allowed: http://HOST/PATH or https://HOST/PATH`},
		{append(free, "--webhook", "http://127.0.0.1:1", "--no-prometheus"), codeUsage, `--webhook: there is nothing to send with --no-prometheus`},
		{[]string{"up", "--listen", "9464"}, codeUsage, `--listen: "9464" is no address; allowed: host:port, for example 127.0.0.1:9464, or :9464 for every address of this machine`},
		{append(free, "--host", "firedrill:8080"), codeUsage, `--host: "firedrill:8080" is no name of a host; allowed: a name or an address without a port`},
		{append(free, "--host", "http://firedrill"), codeUsage, `--host: "http://firedrill" is no name of a host`},
		{append(free, "--host", ""), codeUsage, `--host: is no name of a host`},
		{[]string{"up", "--admin", "127.0.0.1:99999"}, codeUsage, `--admin: "127.0.0.1:99999" has no valid port; allowed: host:port`},
		{[]string{"up", "--admni", "127.0.0.1:0"}, codeUsage, `"--admni" is no flag of firedrill up; allowed: `},
	} {
		if got := runFiredrill(t, test.args...); got.code != test.code || !strings.HasPrefix(got.err, "firedrill: "+test.says) || got.out != "" {
			t.Errorf("%q exits with %d and says %q, want %d and %q", test.args, got.code, got.err, test.code, test.says)
		}
	}
}

func TestUpWarnsWhereOthersMayCome(t *testing.T) {
	l := startUp(t, "--admin", "0.0.0.0:0")
	const want = "firedrill: warning: --admin 0.0.0.0:0: whoever reaches this address can act on the services and control the drill without a password; --web-config FILE asks for one\n"
	if string(*l.errs) != want {
		t.Errorf("it says %q, want %q", *l.errs, want)
	}
	l.end()
}

// Under the names that are given it answers, under others it does not, wherever
// it listens.
func TestUpIsReachedUnderItsNames(t *testing.T) {
	l := startUp(t, "--admin", "0.0.0.0:0", "--host", "firedrill", "--host", "[fd00::7]")
	for host, want := range map[string]int{"firedrill:8080": 200, "[fd00::7]:8080": 200, "localhost": 200, "evil.example:8080": http.StatusMisdirectedRequest} {
		request, err := http.NewRequest(http.MethodGet, l.url("API")+"/healthz", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = host
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("as %s it answers %d, want %d", host, response.StatusCode, want)
		}
	}
	l.end()
}

// A password protects both addresses, and TLS as well.
func TestUpWithPasswordAndTLS(t *testing.T) {
	folder := t.TempDir()
	roots := writeCertificate(t, folder)
	config := filepath.Join(folder, "web.yml")
	text := "tls_server_config: {cert_file: cert.pem, key_file: key.pem}\n" +
		"basic_auth_users: {ann: $2a$04$diktEpP49icVcsR7vGyCkuN82m5gmZXhdlZj4BcB.ruRbyN4n6Bre}\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	l := startUp(t, "--web-config", config)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}}
	for _, url := range []string{l.url("metrics") + "/metrics", l.url("API") + "/api/v1/clock"} {
		if !strings.HasPrefix(url, "https://") {
			t.Errorf("it shows %s", url)
		}
		response, err := client.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		if response.Body.Close(); response.StatusCode != http.StatusUnauthorized {
			t.Errorf("GET %s without a password answers %s", url, response.Status)
		}
		get(t, client, strings.Replace(url, "https://", "https://ann:secret@", 1))
	}
	client.CloseIdleConnections()
	l.end()
}

// A client names the password in the URL, and never shows it.
func TestClientWithPassword(t *testing.T) {
	config := filepath.Join(t.TempDir(), "web.yml")
	text := "basic_auth_users: {ann: $2a$04$diktEpP49icVcsR7vGyCkuN82m5gmZXhdlZj4BcB.ruRbyN4n6Bre}\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	l := startUp(t, "--web-config", config, "--start", "manual")
	url := l.url("API")
	host := strings.TrimPrefix(url, "http://")
	if got := runFiredrill(t, "clock", "--url", url); got.code != codeFailed || got.err != fmt.Sprintf("firedrill: %s wants a user and a password: --url http://USER:PASSWORD@%s\n", url, host) {
		t.Errorf("without a password: %+v", got)
	}
	if got := runFiredrill(t, "clock", "--url", "http://ann:wrong@"+host); got.code != codeFailed || strings.Contains(got.err, "wrong") {
		t.Errorf("with a wrong password: %+v", got)
	}
	if got := runFiredrill(t, "clock", "--url", "http://ann:secret@"+host); got.code != codeOK {
		t.Errorf("with the password: %+v", got)
	}
	l.end()
}

// writeCertificate writes a certificate of this machine and its key, and
// returns who vouches for it.
func writeCertificate(t *testing.T, folder string) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: certificate}, "key.pem": {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(filepath.Join(folder, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool := x509.NewCertPool()
	parsed, err := x509.ParseCertificate(certificate)
	if err != nil {
		t.Fatal(err)
	}
	pool.AddCert(parsed)
	return pool
}
