package series_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/exporter/series"
	"github.com/firedrill/firedrill/simulator"
)

// writeTick writes a tick whose every value is the tick, with a pod that comes
// and goes.
func writeTick(table *series.Table, tick simulator.Tick) {
	u := table.Begin(moment(tick))
	for i := range 3 + int(tick)%2 {
		u.Target(podLabels(fmt.Sprint("pod-", i)), up)
		u.Set(&metric.HTTPRequests, float64(tick), "v1", "high", "200")
		u.Set(&metric.PodStartTime, float64(tick))
	}
	u.Commit()
}

// whole fails where a frame mixes ticks.
func whole(t *testing.T, f *series.Frame) {
	t.Helper()
	tick, n := f.Moment().Tick, 0
	for target := range f.Targets() {
		n++
		for s := range target.Samples() {
			if s.Value != float64(tick) {
				t.Errorf("the frame of tick %d shows %v", tick, s.Value)
			}
		}
	}
	if want := 3 + int(tick)%2; n != want {
		t.Errorf("the frame of tick %d has %d targets, want %d", tick, n, want)
	}
}

// TestReaders lets readers and a writer run at once while one reader stalls:
// each sees whole ticks that never go back, and nobody waits for the stalled
// one, whose frame stays as it is.
func TestReaders(t *testing.T) {
	const ticks, readers = 2000, 4
	var table series.Table
	writeTick(&table, 1)
	stalled := table.Current()
	before := string(stalled.AppendText(nil))
	var group sync.WaitGroup
	for range readers {
		group.Go(func() {
			for last := simulator.Tick(0); last < ticks; {
				f := table.Current()
				if now := f.Moment().Tick; now < last {
					t.Errorf("tick %d follows tick %d", now, last)
				}
				last = f.Moment().Tick
				whole(t, f)
				f.Release()
			}
		})
	}
	for tick := simulator.Tick(2); tick <= ticks; tick++ {
		writeTick(&table, tick)
	}
	group.Wait()
	if after := string(stalled.AppendText(nil)); after != before || stalled.Moment().Tick != 1 {
		t.Errorf("the stalled reader's frame has become\n%s", after)
	}
	stalled.Release()
}

// TestManyStalledReaders holds more frames than the table keeps.
func TestManyStalledReaders(t *testing.T) {
	var table series.Table
	var held []*series.Frame
	for tick := range simulator.Tick(20) {
		writeTick(&table, tick)
		held = append(held, table.Current())
	}
	for tick, f := range held {
		if f.Moment().Tick != simulator.Tick(tick) {
			t.Errorf("the frame of tick %d has become that of %d", tick, f.Moment().Tick)
		}
		whole(t, f)
		f.Release()
	}
	writeTick(&table, 20)
	whole(t, current(t, &table))
}
