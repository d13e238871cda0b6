package main

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/firedrill/firedrill/internal/admin"
	"github.com/firedrill/firedrill/internal/driver"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// TestLiveScripts runs the clients of the API against one that this process
// serves. "serve FILE" starts a scenario whose time stands still, and "get
// PATH" prints what stands at a path of the API; "post PATH FILE" sends a file
// there and prints the answer.
func TestLiveScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/live",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", "atexit_sleep_ms=0") // the race detector would make every program last a second
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"serve": serveScript, "get": getScript, "post": postScript},
	})
}

// serveScript serves the scenario of a file for the rest of a script, and
// tells the program where.
func serveScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: serve FILE")
	}
	what, err := scenario.Parse(args[0], []byte(ts.ReadFile(args[0])))
	ts.Check(err)
	run, err := what.NewRun(scenario.Options{})
	ts.Check(err)
	d, err := driver.New(run, driver.Config{Start: driver.StartManual})
	ts.Check(err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	api := admin.New(admin.Config{
		Driver: d, Pager: (&upCmd{}).newPager(run, nil), Loopback: true, Logger: slog.New(slog.NewTextHandler(os.Stderr, nil)),
		Scenarios: (&upCmd{}).playable(what),
	})
	server := httptest.NewServer(api.Handler())
	ts.Setenv("FIREDRILL_URL", server.URL)
	ts.Defer(func() {
		server.Close()
		cancel()
		ts.Check(<-ended)
	})
}

// getScript prints what stands at a path of the API.
func getScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: get PATH")
	}
	response, err := http.Get(ts.Getenv("FIREDRILL_URL") + args[0])
	ts.Check(err)
	defer response.Body.Close()
	_, err = io.Copy(ts.Stdout(), response.Body)
	ts.Check(err)
}

// postScript sends a file to a path of the API and prints the answer.
func postScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: post PATH FILE")
	}
	response, err := http.Post(ts.Getenv("FIREDRILL_URL")+args[0], "application/json", strings.NewReader(ts.ReadFile(args[1])))
	ts.Check(err)
	defer response.Body.Close()
	_, err = io.Copy(ts.Stdout(), response.Body)
	ts.Check(err)
}
