package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/exporter-toolkit/web"
	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/internal/admin"
	"github.com/firedrill/firedrill/internal/pager/notify"
	"github.com/firedrill/firedrill/simulator/schema"
)

// Time limits of the servers. A stalled client ends with them; the stream of
// events has limits of its own.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 10 * time.Second
	writeTimeout  = 30 * time.Second
	idleTimeout   = 2 * time.Minute
	stopTimeout   = 5 * time.Second // for requests to end when the program stops
	maxHeader     = 64 << 10        // bytes
)

// up is a running firedrill.
type up struct {
	driver    *admin.Driver
	api       *admin.Server
	embedded  embedded
	sender    *notify.Sender
	metrics   http.Handler
	listeners listeners
	web       webConfig
	log       *slog.Logger
}

// serve lets time pass and answers requests until ctx ends or something fails.
func (u *up) serve(ctx context.Context, s streams) error {
	metrics, api := u.server(u.metrics), u.server(u.api.Handler())
	api.RegisterOnShutdown(u.api.Close)
	driving, stop := context.WithCancel(context.Background())
	events := u.driver.Subscribe(eventQueue)
	defer events.Close()
	tasks := []func() error{
		func() error { return u.driver.Run(driving) },
		func() error { return u.tell(driving, s.out, events) },
		func() error { return u.web.serve(metrics, u.listeners.metrics) },
		func() error { return u.web.serve(api, u.listeners.admin) },
		func() error { return u.sender.Run(driving) },
	}
	if u.embedded.run != nil {
		tasks = append(tasks, func() error { return u.embedded.run(driving) })
	}
	ended := make(chan error, len(tasks))
	for _, task := range tasks {
		go func() { ended <- task() }()
	}
	var err error
	running := len(tasks)
	select {
	case <-ctx.Done():
		u.sayGoodbye(s)
	case err = <-ended:
		running--
	}
	err = errors.Join(err, shutDown(metrics, api))
	stop()
	for range running {
		err = errors.Join(err, <-ended)
	}
	return err
}

// server makes an HTTP server with its limits.
func (u *up) server(handler http.Handler) *http.Server {
	return &http.Server{
		Handler: handler, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(u.log.Handler(), slog.LevelWarn),
	}
}

// shutDown lets the requests of the servers end; those that do not are cut off.
func shutDown(servers ...*http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	var errs []error
	for _, server := range servers {
		if err := server.Shutdown(ctx); err != nil {
			errs = append(errs, server.Close())
		}
	}
	return errors.Join(errs...)
}

// listeners are the addresses at which the program listens.
type listeners struct{ metrics, admin net.Listener }

// listen opens both addresses.
func listen(metrics, api addressFlag) (listeners, error) {
	var l listeners
	var err error
	if l.metrics, err = listenAt("--listen", metrics); err != nil {
		return l, err
	}
	if l.admin, err = listenAt("--admin", api); err != nil {
		return l, errors.Join(err, l.metrics.Close())
	}
	return l, nil
}

func (l listeners) close() error { return errors.Join(l.metrics.Close(), l.admin.Close()) }

// listenAt opens an address; the error names the flag that changes it.
func listenAt(flag string, address addressFlag) (net.Listener, error) {
	listener, err := net.Listen("tcp", string(address))
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("address %s is in use, perhaps by another firedrill: choose another one with %s", address, flag)
	case err != nil:
		return nil, fmt.Errorf("listen at %s (%s): %w", address, flag, err)
	}
	return listener, nil
}

// isLoopback reports whether only this machine reaches an address.
func isLoopback(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// addressFlag is an address to listen at.
type addressFlag string

// UnmarshalText reads host:port.
func (f *addressFlag) UnmarshalText(text []byte) error {
	const allowed = "host:port, for example 127.0.0.1:9464, or :9464 for every address of this machine"
	_, port, err := net.SplitHostPort(string(text))
	if err != nil {
		return schema.Problem{Value: string(text), Message: "is no address", Allowed: allowed}
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return schema.Problem{Value: string(text), Message: "has no valid port", Allowed: allowed}
	}
	*f = addressFlag(text)
	return nil
}

// hostFlag is a name or an address under which the API is reached.
type hostFlag string

// UnmarshalText reads a name or an address, without a port.
func (f *hostFlag) UnmarshalText(text []byte) error {
	name := strings.Trim(string(text), "[]")
	if _, err := netip.ParseAddr(name); err != nil && (name == "" || strings.ContainsAny(name, ":/ ")) {
		return schema.Problem{Value: string(text), Message: "is no name of a host", Allowed: "a name or an address without a port, for example firedrill"}
	}
	*f = hostFlag(name)
	return nil
}

// hosts are the names of repeated --host flags.
func hosts(flags []hostFlag) []string {
	out := make([]string, len(flags))
	for i, f := range flags {
		out[i] = string(f)
	}
	return out
}

// webConfig is a web configuration of exporter-toolkit.
type webConfig struct {
	file     string // "" where there is none
	tls      bool
	password bool // nobody comes in without a password or a certificate
}

// readWebConfig checks a web configuration file.
func readWebConfig(file string) (webConfig, error) {
	if file == "" {
		return webConfig{}, nil
	}
	if err := web.Validate(file); err != nil {
		return webConfig{}, fmt.Errorf("web configuration %s: %w", file, err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return webConfig{}, fmt.Errorf("web configuration: %w", err)
	}
	var config struct {
		TLS struct {
			Cert     string `yaml:"cert"`
			CertFile string `yaml:"cert_file"`
			Clients  string `yaml:"client_auth_type"`
		} `yaml:"tls_server_config"`
		Users map[string]string `yaml:"basic_auth_users"`
	}
	if err := yaml.Unmarshal(text, &config); err != nil {
		return webConfig{}, fmt.Errorf("web configuration %s: %w", file, err)
	}
	return webConfig{
		file:     file,
		tls:      config.TLS.Cert+config.TLS.CertFile != "",
		password: len(config.Users) > 0 || config.TLS.Clients == "RequireAndVerifyClientCert",
	}, nil
}

// serve answers requests until the server is shut down, which is no error.
func (w webConfig) serve(server *http.Server, listener net.Listener) error {
	quiet := slog.New(slog.DiscardHandler) // it announces listeners, as we do
	err := web.Serve(listener, server, &web.FlagConfig{WebConfigFile: &w.file}, quiet)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("serve at %s: %w", listener.Addr(), err)
}

// url returns the URL of a listener as this machine reaches it.
func (w webConfig) url(addr net.Addr) string {
	scheme := "http"
	if w.tls {
		scheme = "https"
	}
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return scheme + "://" + addr.String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}
