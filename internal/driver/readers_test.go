package driver

import (
	"sync"
	"testing"
	"time"

	"github.com/firedrill/firedrill/simulator"
)

// Forty readers at the highest speed, and one that takes a snapshot and a
// subscription and then does nothing with them, hold up nobody.
func TestReadersHoldUpNobody(t *testing.T) {
	inBubble(t, Config{Speed: MaxSpeed}, func(b *bench) {
		stalled := b.Subscribe(10)
		defer stalled.Close()
		held, err := b.Snapshot(b.ctx)
		if err != nil {
			t.Fatal(err)
		}
		var readers sync.WaitGroup
		for i := range 40 {
			readers.Go(func() { b.read(time.Duration(i) * 7 * time.Millisecond) })
		}
		readers.Wait()
		if s := b.status(); s.Lag != 0 || s.Tick < 10*MaxSpeed {
			t.Errorf("after ten seconds the status is %+v", s)
		}
		if held.Tick != 0 {
			t.Errorf("the stalled reader's snapshot has become one of tick %d", held.Tick)
		}
	})
}

// read takes a snapshot a second, ten times; each is of the tick that is due.
func (b *bench) read(offset time.Duration) {
	time.Sleep(offset)
	for i := range 11 {
		snapshot, err := b.Snapshot(b.ctx)
		if err != nil {
			b.t.Error(err)
			return
		}
		due := simulator.Tick((offset + time.Duration(i)*time.Second).Seconds() * MaxSpeed)
		if snapshot.Tick < due-1 || snapshot.Tick > due+1 {
			b.t.Errorf("a reader gets tick %d when %d is due", snapshot.Tick, due)
		}
		time.Sleep(time.Second)
	}
}
