package driver

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/firedrill/firedrill/simulator"
)

// observer looks at every seventh and every tenth tick and notes what it sees.
type observer struct {
	saw  []string
	last simulator.Tick
}

var _ Observer[*run] = (*observer)(nil)

func (o *observer) Begin(v View[*run]) {
	o.saw = append(o.saw, fmt.Sprintf("run %d begins at %d", v.Status.Run, v.Status.Tick))
}

func (o *observer) Next(after simulator.Tick) simulator.Tick {
	for after++; after%7 != 0 && after%10 != 0; {
		after++
	}
	return after
}

func (o *observer) Observe(v View[*run]) []simulator.Event {
	o.last = v.Status.Tick
	o.saw = append(o.saw, fmt.Sprintf("run %d tick %d sum %v", v.Status.Run, v.Snapshot().Tick, v.Snapshot().Services[0].State))
	return []simulator.Event{{At: v.Status.Tick, Kind: "seen"}}
}

// wanted is what an observer of a run sees up to a tick.
func wanted(run int, to simulator.Tick) []string {
	all := []string{fmt.Sprintf("run %d begins at 0", run)}
	for at := simulator.Tick(0); at <= to; at++ {
		if at%7 == 0 || at%10 == 0 {
			all = append(all, fmt.Sprintf("run %d tick %d sum 0", run, at))
		}
	}
	return all
}

// attach lets it look at a driver's runs.
func (o *observer) attach(d *Driver[*run]) { d.Attach(o) }

// TestObserverSeesEachTick: an observer sees the same at any pace, and nothing
// of it is left out or done twice.
func TestObserverSeesEachTick(t *testing.T) {
	const ticks = 7200
	check := func(name string, o *observer) {
		t.Helper()
		if want := wanted(1, ticks); !slices.Equal(o.saw, want) {
			t.Errorf("%s: it saw %d things, want %d; the last are %q", name, len(o.saw), len(want), o.saw[max(0, len(o.saw)-3):])
		}
	}
	for _, speed := range []float64{1, 60, 3600} {
		o := new(observer)
		inBubble(t, Config{Speed: speed}, func(b *bench) {
			b.pass(time.Duration(ticks / speed * float64(time.Second)))
			must(t)(b.Pause(b.ctx))
			check(fmt.Sprint("speed ", speed), o)
		}, o.attach)
	}
	o := new(observer)
	inBubble(t, Config{Start: StartManual}, func(b *bench) {
		if want := wanted(1, 0); !slices.Equal(o.saw, want) {
			t.Errorf("before time passes it saw %q, want %q", o.saw, want)
		}
		must(t)(b.Advance(b.ctx, 13))
		must(t)(b.SetSpeed(b.ctx, 3600))
		must(t)(b.Resume(b.ctx))
		b.pass(time.Second)
		must(t)(b.Pause(b.ctx))
		b.pass(time.Hour)
		must(t)(b.SetSpeed(b.ctx, 1.5))
		must(t)(b.Resume(b.ctx))
		b.pass(100 * time.Second)
		s := must(t)(b.Pause(b.ctx))
		must(t)(b.Advance(b.ctx, ticks-s.Tick))
		check("across pauses, steps and changes of speed", o)
	}, o.attach)
}

// TestObserverOfAnotherRun: another run is looked at from its beginning, and
// the subscribers are told what the observer says.
func TestObserverOfAnotherRun(t *testing.T) {
	o := new(observer)
	inBubble(t, Config{Speed: 60}, func(b *bench) {
		events := b.Subscribe(100)
		defer events.Close()
		b.pass(time.Second)
		if _, err := b.load(newRun(t), 0, true); err != nil {
			t.Fatal(err)
		}
		want := append(wanted(1, 60), wanted(2, 0)...)
		if !slices.Equal(o.saw, want) {
			t.Errorf("it saw %q, want %q", o.saw, want)
		}
		var seen []simulator.Tick
		got, _, err := events.Next(b.ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, event := range got {
			if event.Kind == "seen" {
				seen = append(seen, event.At)
			}
		}
		if want := []simulator.Tick{7, 10, 14, 20, 21, 28, 30, 35, 40, 42, 49, 50, 56, 60, 0}; !slices.Equal(seen, want) {
			t.Errorf("subscribers were told of %d, want %d", seen, want)
		}
	}, o.attach)
}

// TestObserverSharesTheSnapshot: a reader of a tick that the observer has looked
// at gets the same picture.
func TestObserverSharesTheSnapshot(t *testing.T) {
	o := new(observer)
	inBubble(t, Config{Start: StartManual}, func(b *bench) {
		must(t)(b.Advance(b.ctx, 70))
		before := b.run.snapshots
		if s, err := b.Snapshot(b.ctx); err != nil || s.Tick != o.last || b.run.snapshots != before {
			t.Errorf("%v, snapshot %+v after %d more", err, s, b.run.snapshots-before)
		}
	}, o.attach)
}

// BenchmarkObserver is what an observer that does nothing costs a tick.
func BenchmarkObserver(b *testing.B) {
	d, err := New(newRun(b), Config{Start: StartManual})
	if err != nil {
		b.Fatal(err)
	}
	d.Attach(idle{})
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	go func() { _ = d.Run(ctx) }() // it ends with ctx, without an error
	b.ReportAllocs()
	b.ResetTimer()
	if _, err := d.Advance(ctx, simulator.Tick(b.N)); err != nil {
		b.Fatal(err)
	}
}

// idle looks at every fifteenth tick and does nothing.
type idle struct{}

func (idle) Begin(View[*run])                         {}
func (idle) Next(after simulator.Tick) simulator.Tick { return after - after%15 + 15 }
func (idle) Observe(View[*run]) []simulator.Event     { return nil }
