//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"
)

// process is a program that runs beside the test.
type process struct {
	name   string
	cmd    *exec.Cmd
	output buffer
	ended  chan error
}

// start starts a program; when the test ends it is killed, and its output is
// shown where the test has failed.
func start(t *testing.T, name string, args ...string) *process {
	t.Helper()
	p := &process{name: filepath.Base(name), cmd: exec.Command(name, args...), ended: make(chan error, 1)}
	p.cmd.Stdout, p.cmd.Stderr = &p.output, &p.output
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		p.ended <- p.cmd.Wait()
		close(done)
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // it may have ended
		<-done
		if t.Failed() {
			t.Logf("output of %s:\n%s", p.name, p.output.String())
		}
	})
	return p
}

// interrupt sends the signal of Ctrl-C and expects a clean end.
func (p *process) interrupt(ctx context.Context, t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-p.ended:
		if err != nil {
			t.Errorf("%s after an interrupt: %v, want exit code 0", p.name, err)
		}
	case <-ctx.Done():
		t.Errorf("%s is still running after an interrupt", p.name)
	}
}

// hasEnded returns an error where the program runs no more.
func (p *process) hasEnded() error {
	select {
	case err := <-p.ended:
		p.ended <- err
		return fmt.Errorf("%s has ended: %s", p.name, p.cmd.ProcessState)
	default:
		return nil
	}
}

// buffer is a bytes.Buffer for several goroutines.
type buffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// run runs a program to its end and returns what it prints; a failure ends the
// test.
func run(ctx context.Context, t *testing.T, stdin []byte, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdin = bytes.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", filepath.Base(name), args, err, out)
	}
	return string(out)
}

// freeAddress returns an address of this machine at which nobody listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(listener.Addr().(*net.TCPAddr).Port))
}

// eventually calls check until it returns no error, and ends the test with the
// last error when a minute, or the context, is over.
func eventually(ctx context.Context, t *testing.T, what string, check func() error) {
	t.Helper()
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		err := check()
		if err == nil {
			t.Logf("%s: after %.1f s", what, time.Since(began).Seconds())
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("%s: not seen in %.0f s: %v", what, time.Since(began).Seconds(), err)
		}
	}
}
