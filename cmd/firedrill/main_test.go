package main

import (
	"context"
	"flag"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output of the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"firedrill": main})
}

// TestScripts runs the program as a person does and compares what it prints.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// result is what a run of the program left.
type result struct {
	code     int
	out, err string
}

// runFiredrill runs the program in this process.
func runFiredrill(t testing.TB, args ...string) result {
	t.Helper()
	var out, errs buffer
	code := run(context.Background(), args, streams{in: os.Stdin, out: &out, err: &errs})
	return result{code: code, out: string(out), err: string(errs)}
}

// buffer is an in-memory stream.
type buffer []byte

func (b *buffer) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}
