package main

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/firedrill/firedrill/simulator"
)

// patience is how long a run may take before a bar shows how far it is.
const patience = 500 * time.Millisecond

// progress shows on a terminal how far a simulation is. The zero pointer shows
// nothing.
type progress struct {
	bar   *progressbar.ProgressBar
	after time.Time
}

// newProgress returns nil where the standard error is no terminal, or where
// the rows go to one as well.
func newProgress(s streams, name string, minutes simulator.Tick) *progress {
	if !isTerminal(s.err) || isTerminal(s.out) {
		return nil
	}
	bar := progressbar.NewOptions64(int64(minutes),
		progressbar.OptionSetWriter(s.err),
		progressbar.OptionSetDescription(name),
		progressbar.OptionSetItsString("min"),
		progressbar.OptionSetWidth(20),
		progressbar.OptionShowIts(),
		progressbar.OptionShowCount(),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetRenderBlankState(false),
		progressbar.OptionClearOnFinish(),
	)
	return &progress{bar: bar, after: time.Now().Add(patience)}
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// at shows that the simulation has come to a minute.
func (p *progress) at(now simulator.Tick) {
	if p != nil && time.Now().After(p.after) {
		_ = p.bar.Set64(int64(now / simulator.Minute)) // a terminal that is gone spoils no result
	}
}

// close removes the bar.
func (p *progress) close() {
	if p != nil {
		_ = p.bar.Clear()
	}
}
