package admin

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/firedrill/firedrill/internal/driver"
	"github.com/firedrill/firedrill/internal/pager"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// Base is the path under which version 1 of the API stands.
const Base = "/api/v1"

// PrometheusBase is the path under which the API of the embedded Prometheus
// stands.
const PrometheusBase = "/prometheus"

// Driver is the driver that the API controls.
type Driver = driver.Driver[*scenario.Run]

// Playable is a scenario that can be started, and what a run of it replaces in
// its configuration.
type Playable struct {
	*scenario.Scenario
	Set []scenario.Override
}

// Config is what a Server is given.
type Config struct {
	Driver    *Driver
	Pager     *pager.Pager // owned by the goroutine of the driver, for the run that the driver has
	Scenarios []Playable   // in the order in which people read them
	Reveal    bool         // the truth is told during a drill
	Loopback  bool         // only names of this machine are accepted as Host, and Hosts
	Hosts     []string     // names that are accepted as Host; with some, no others but this machine's
	// Prometheus answers below PrometheusBase; nil where there is none.
	Prometheus http.Handler
	// Prepare, where it is set, makes ready for a run whatever looks at it, before
	// the driver has it. abandon undoes that, for a run that does not begin.
	Prepare   func(context.Context, *scenario.Run) (abandon func(), err error)
	Logger    *slog.Logger
	Heartbeat time.Duration // between two signs of life in the stream of events; 0 means 10 s
}

// Server is the API.
type Server struct {
	config  Config
	mux     *http.ServeMux
	api     huma.API
	closing context.Context
	close   context.CancelFunc
}

// New makes the API.
func New(config Config) *Server {
	if config.Heartbeat == 0 {
		config.Heartbeat = 10 * time.Second
	}
	s := &Server{config: config, mux: http.NewServeMux()}
	s.closing, s.close = context.WithCancel(context.Background())
	s.api = newAPI(s.mux)
	s.registerServices()
	s.registerActions()
	s.registerClock()
	s.registerScenarios()
	s.registerDrill()
	s.registerTruth()
	s.registerPages()
	s.registerAlertmanager()
	s.registerEvents()
	s.registerHealth()
	s.registerDocument()
	return s
}

// Handler returns the API as a handler that protects itself.
func (s *Server) Handler() http.Handler { return s.protect(s.mux) }

// Close ends the streams of events, so that an HTTP server that shuts down
// does not wait for them.
func (s *Server) Close() { s.close() }
