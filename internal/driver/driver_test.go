package driver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

func TestPace(t *testing.T) {
	for _, speed := range []float64{1, 1.5, 60, 3600} {
		t.Run(fmt.Sprint(speed), func(t *testing.T) {
			inBubble(t, Config{Speed: speed}, func(b *bench) {
				b.pass(10 * time.Second)
				if got, want := b.status(), (Status{Run: 1, Tick: simulator.Tick(10 * speed), Start: newYear, Speed: speed}); got != want {
					t.Errorf("after 10 s the status is %+v, want %+v", got, want)
				}
			})
		})
	}
}

func TestDefaults(t *testing.T) {
	inBubble(t, Config{}, func(b *bench) {
		b.pass(time.Second)
		b.wantTick(60)
	})
}

// It wakes up for each second that is due, but at most a hundred times a
// second, and not at all while it is paused.
func TestWakeUps(t *testing.T) {
	for speed, want := range map[float64]int{1: 10, 60: 600, 3600: 1000} {
		inBubble(t, Config{Speed: speed}, func(b *bench) {
			b.pass(10 * time.Second)
			b.cancel()
			synctest.Wait()
			moments := slices.CompactFunc(b.run.steps, time.Time.Equal)
			if len(moments) > want || len(moments) < want-want/20 {
				t.Errorf("speed %v: %d wake-ups in 10 s, want %d", speed, len(moments), want)
			}
		})
	}
}

func TestPauseAndResume(t *testing.T) {
	inBubble(t, Config{Speed: 60}, func(b *bench) {
		b.pass(time.Second + 10*time.Millisecond) // 60.6 ticks
		if s := must(t)(b.Pause(b.ctx)); !s.Paused || s.Tick != 60 {
			t.Errorf("pause answered %+v", s)
		}
		b.pass(time.Hour)
		b.wantTick(60)
		if s := must(t)(b.Resume(b.ctx)); s.Paused || s.Tick != 60 {
			t.Errorf("resume answered %+v", s)
		}
		b.pass(6 * time.Millisecond) // a pause keeps the fraction of a tick: 60.96
		if s := b.status(); s.Tick != 60 {
			t.Errorf("6 ms after the pause tick %d is reached, want 60", s.Tick)
		}
		b.pass(time.Millisecond)
		if s := b.status(); s.Tick != 61 {
			t.Errorf("7 ms after the pause tick %d is reached, want 61", s.Tick)
		}
	})
}

func TestSetSpeedWhileRunning(t *testing.T) {
	inBubble(t, Config{Speed: 1}, func(b *bench) {
		b.pass(10 * time.Second)
		must(t)(b.SetSpeed(b.ctx, 3600))
		b.pass(time.Second)
		must(t)(b.SetSpeed(b.ctx, 60))
		b.pass(time.Second)
		b.wantTick(10 + 3600 + 60)
	})
}

func TestSpeedOutsideItsRange(t *testing.T) {
	const want = `speed: "0.5" is too small; allowed: a number from 1 to 3600 simulated seconds per second`
	if _, err := New(newRun(t), Config{Speed: 0.5}); err == nil || err.Error() != want {
		t.Errorf("New says %v, want %s", err, want)
	}
	inBubble(t, Config{}, func(b *bench) {
		if _, err := b.SetSpeed(b.ctx, 3601); err == nil || !strings.Contains(err.Error(), "too large") {
			t.Errorf("SetSpeed(3601) says %v", err)
		}
		if _, err := b.load(newRun(t), -1, false); err == nil || !strings.Contains(err.Error(), "too small") {
			t.Errorf("Load at speed -1 says %v", err)
		}
		if s := b.status(); s.Speed != DefaultSpeed || s.Run != 1 {
			t.Errorf("a refused speed changed the status to %+v", s)
		}
	})
}

func TestUnknownStartMode(t *testing.T) {
	if _, err := New(newRun(t), Config{Start: "later"}); err == nil || !strings.Contains(err.Error(), `"later"`) {
		t.Errorf("New says %v", err)
	}
}

// Steps that take 10 ms cannot keep up with speed 3600: nothing is skipped,
// the lag is told, and whoever asks is served after one batch.
func TestLag(t *testing.T) {
	inBubble(t, Config{Speed: 3600}, func(b *bench) {
		b.setCost(10 * time.Millisecond)
		b.pass(time.Second)
		asked := time.Now()
		s := b.status()
		if took := time.Since(asked); took > batch+20*time.Millisecond {
			t.Errorf("an answer took %v", took)
		}
		if want := simulator.Tick(3600*time.Since(newBubble).Seconds()) - s.Tick; s.Lag < want-100 || s.Lag > want || s.Tick < 95 {
			t.Errorf("after a second it tells tick %d and a lag of %d, want about %d", s.Tick, s.Lag, want)
		}
		b.setCost(0)
		b.pass(time.Second)
		if s := b.status(); s.Lag != 0 || s.Tick < 7200 {
			t.Errorf("a driver that can catch up stands at %+v", s)
		}
		must(t)(b.Pause(b.ctx))
		if n := simulator.Tick(len(b.run.trace)); n < 7200 || n != b.run.Now() {
			t.Errorf("%d steps led to tick %d", n, b.run.Now())
		}
	})
}

// newBubble is the time at which a bubble begins.
var newBubble = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// A change of speed and a pause take effect at once, whatever the lag was.
func TestLagIsNotCarriedOver(t *testing.T) {
	inBubble(t, Config{Speed: 3600}, func(b *bench) {
		b.setCost(10 * time.Millisecond)
		b.pass(time.Second)
		s := must(t)(b.Pause(b.ctx))
		b.pass(time.Hour)
		b.wantTick(s.Tick)
		must(t)(b.Resume(b.ctx))
		b.pass(time.Second)
		s = must(t)(b.SetSpeed(b.ctx, 1))
		b.setCost(0)
		b.pass(10 * time.Second)
		b.wantTick(s.Tick + 10)
	})
}

func TestStartOnFirstScrape(t *testing.T) {
	inBubble(t, Config{Start: StartOnFirstScrape}, func(b *bench) {
		b.pass(time.Hour)
		if snapshot, err := b.Snapshot(b.ctx); err != nil || snapshot.Tick != 0 {
			t.Errorf("a reader gets %+v, %v", snapshot, err)
		}
		if s := b.status(); !s.Waiting || !s.Paused || s.Tick != 0 {
			t.Errorf("before the first scrape the status is %+v", s)
		}
		if s := b.scrape(); s.Waiting || s.Paused {
			t.Errorf("the first scrape leaves the status %+v", s)
		}
		b.pass(time.Second)
		b.wantTick(60)
		must(t)(b.Pause(b.ctx))
		if s := b.scrape(); !s.Paused {
			t.Errorf("a later scrape leaves the status %+v", s)
		}
	})
}

func TestStartManually(t *testing.T) {
	inBubble(t, Config{Start: StartManual}, func(b *bench) {
		b.pass(time.Hour)
		if s := b.scrape(); s.Tick != 0 || !s.Paused || s.Waiting {
			t.Errorf("before it is resumed a scrape gets %+v", s)
		}
		must(t)(b.Resume(b.ctx))
		b.pass(time.Second)
		b.wantTick(60)
	})
}

func TestAdvance(t *testing.T) {
	inBubble(t, Config{Start: StartManual}, func(b *bench) {
		b.setCost(time.Millisecond)
		if s := must(t)(b.Advance(b.ctx, 1)); s.Tick != 1 {
			t.Errorf("a step leads to tick %d", s.Tick)
		}
		if s := must(t)(b.Advance(b.ctx, 600)); s.Tick != 601 || !s.Paused || s.Lag != 0 {
			t.Errorf("an advance leads to %+v", s)
		}
		must(t)(b.Resume(b.ctx))
		_, err := b.Advance(b.ctx, 1)
		wantErr(t, err, ErrRunning)
	})
}

func TestAdvanceThatIsInterrupted(t *testing.T) {
	inBubble(t, Config{Start: StartManual}, func(b *bench) {
		b.setCost(time.Millisecond)
		for name, change := range map[string]func() (Status, error){
			"pause":  func() (Status, error) { return b.Pause(b.ctx) },
			"resume": func() (Status, error) { return b.Resume(b.ctx) },
			"speed":  func() (Status, error) { return b.SetSpeed(b.ctx, 2) },
		} {
			advanced := make(chan error, 1)
			go func() {
				_, err := b.Advance(b.ctx, 100_000)
				advanced <- err
			}()
			b.pass(time.Second)
			must(t)(change())
			if err := <-advanced; !errors.Is(err, ErrChanged) {
				t.Errorf("%s: the advance returned %v, want %v", name, err, ErrChanged)
			}
			must(t)(b.Pause(b.ctx))
		}
	})
}

func TestLoad(t *testing.T) {
	inBubble(t, Config{Speed: 1}, func(b *bench) {
		b.pass(10 * time.Second)
		first, err := b.Snapshot(b.ctx)
		if err != nil {
			t.Fatal(err)
		}
		next := newRun(t)
		if s := must(t)(b.load(next, 0, false)); s != (Status{Run: 2, Start: newYear, Speed: 1}) {
			t.Errorf("load answered %+v", s)
		}
		b.pass(5 * time.Second)
		snapshot, err := b.Snapshot(b.ctx)
		if err != nil || snapshot.Tick != 5 || b.status().Run != 2 || first.Tick != 10 {
			t.Errorf("after the swap a reader gets tick %d, %v", snapshot.Tick, err)
		}
		if s := must(t)(b.load(newRun(t), 60, true)); !s.Paused || s.Speed != 60 {
			t.Errorf("load answered %+v", s)
		}
		b.pass(time.Hour)
		b.wantTick(0)
		if next.Now() != 5 {
			t.Errorf("a replaced run went on to tick %d", next.Now())
		}
	})
}

// A snapshot belongs to the tick that is due when it is asked for; readers of
// one tick share it.
func TestSnapshotsAreFreshAndShared(t *testing.T) {
	inBubble(t, Config{Speed: 1}, func(b *bench) {
		b.pass(999 * time.Millisecond)
		var last *simulator.Snapshot
		for i := range 5 {
			snapshot, err := b.Snapshot(b.ctx)
			if err != nil || snapshot.Tick != 0 || (i > 0 && snapshot != last) {
				t.Fatalf("reader %d gets tick %d, %v, the same snapshot: %t", i, snapshot.Tick, err, snapshot == last)
			}
			last = snapshot
		}
		b.pass(time.Millisecond)
		if snapshot, _ := b.Snapshot(b.ctx); snapshot.Tick != 1 {
			t.Errorf("when a tick is due a reader gets tick %d", snapshot.Tick)
		}
		if b.run.snapshots != 2 {
			t.Errorf("%d snapshots were made, want 2", b.run.snapshots)
		}
	})
}

// Nobody reads, so nothing is copied.
func TestNoSnapshotWithoutReader(t *testing.T) {
	inBubble(t, Config{}, func(b *bench) {
		b.pass(time.Minute)
		if b.run.snapshots != 0 {
			t.Errorf("%d snapshots were made", b.run.snapshots)
		}
	})
}

func TestSubmit(t *testing.T) {
	inBubble(t, Config{Speed: 1}, func(b *bench) {
		b.pass(10 * time.Second)
		receipt, s, err := b.Submit(b.ctx, add("sum", 1))
		if want := (simulator.Receipt{Accepted: 10, Applies: 10}); err != nil || receipt != want || s.Tick != 10 {
			t.Errorf("submit answered %+v at tick %d, %v; want %+v", receipt, s.Tick, err, want)
		}
		_, _, err = b.Submit(b.ctx, add("summ", 1))
		var problems schema.Problems
		if !errors.As(err, &problems) || problems[0].Nearest != "sum" {
			t.Errorf("a wrong service is refused with %v", err)
		}
		b.pass(time.Second)
		var log []simulator.Command
		if err := b.Inspect(b.ctx, func(v View[*run]) { log = v.Run.Log() }); err != nil {
			t.Fatal(err)
		}
		if b.run.model.sum != 1 || len(log) != 1 || log[0].At != 10 {
			t.Errorf("the sum is %d after %+v", b.run.model.sum, log)
		}
	})
}

// Commands apply in the order in which they came.
func TestSubmitsKeepTheirOrder(t *testing.T) {
	inBubble(t, Config{Start: StartManual}, func(b *bench) {
		for i := range 100 {
			if _, _, err := b.Submit(b.ctx, add("sum", i)); err != nil {
				t.Fatal(err)
			}
		}
		for i, cmd := range b.run.Log() {
			if cmd.Args["n"] != i {
				t.Fatalf("command %d of the log adds %v", i, cmd.Args["n"])
			}
		}
	})
}

// A call whose context has ended does nothing.
func TestCancelledCallDoesNothing(t *testing.T) {
	inBubble(t, Config{}, func(b *bench) {
		ctx, cancel := context.WithCancel(b.ctx)
		cancel()
		_, _, err := b.Submit(ctx, add("sum", 1))
		wantErr(t, err, context.Canceled)
		b.pass(time.Second)
		if b.run.model.sum != 0 {
			t.Error("a cancelled command was executed")
		}
	})
}

func TestCallBeforeRunWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, err := New(newRun(t), Config{})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = d.Status(ctx)
		wantErr(t, err, context.DeadlineExceeded)
	})
}

func TestCallsAfterTheStop(t *testing.T) {
	inBubble(t, Config{}, func(b *bench) {
		b.cancel()
		synctest.Wait()
		_, err := b.Status(b.ctx)
		wantErr(t, err, ErrStopped)
		_, _, err = b.Submit(b.ctx, add("sum", 1))
		wantErr(t, err, ErrStopped)
		_, err = b.Advance(b.ctx, 1)
		wantErr(t, err, ErrStopped)
	})
}

// The trace of a run with a log of commands does not show at which speeds,
// with which pauses and under how many readers it came about.
func TestTraceIsIndependentOfPace(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		moves := rapid.SliceOfN(rapid.Custom(drawMove), 1, 40).Draw(rt, "moves")
		var driven *run
		inBubble(t, Config{Speed: 3}, func(b *bench) {
			for _, m := range moves {
				m.do(b)
			}
			must(t)(b.Pause(b.ctx))
			driven = b.run
		})
		again := replay(t, driven)
		if !slices.Equal(again.trace, driven.trace) {
			rt.Fatalf("the traces of %d ticks differ", driven.Now())
		}
	})
}

// move is something that can happen to a driver.
type move struct {
	Do    string
	Pass  time.Duration
	Speed float64
	N     int
}

func drawMove(rt *rapid.T) move {
	return move{
		Do:    rapid.SampledFrom([]string{"pass", "pause", "resume", "speed", "add", "read", "advance"}).Draw(rt, "do"),
		Pass:  time.Duration(rapid.Int64Range(0, int64(3*time.Second)).Draw(rt, "pass")),
		Speed: rapid.Float64Range(MinSpeed, 200).Draw(rt, "speed"),
		N:     rapid.IntRange(0, 100).Draw(rt, "n"),
	}
}

func (m move) do(b *bench) {
	var err error
	switch m.Do {
	case "pass":
		b.pass(m.Pass)
	case "pause":
		_, err = b.Pause(b.ctx)
	case "resume":
		_, err = b.Resume(b.ctx)
	case "speed":
		_, err = b.SetSpeed(b.ctx, m.Speed)
	case "read":
		_, err = b.Snapshot(b.ctx)
	case "advance":
		_, err = b.Advance(b.ctx, simulator.Tick(m.N))
	case "add":
		_, _, err = b.Submit(b.ctx, add("sum", m.N))
	}
	if err != nil && !errors.Is(err, ErrRunning) {
		b.t.Error(err)
	}
}

// replay gives the log of r to a fresh run and steps it in a plain loop.
func replay(t testing.TB, r *run) *run {
	again := newRun(t)
	for _, cmd := range r.Log() {
		if _, err := again.Submit(cmd); err != nil {
			t.Fatal(err)
		}
	}
	for again.Now() < r.Now() {
		again.Step()
	}
	return again
}

// load swaps the run and returns the status as the swap itself saw it.
func (b *bench) load(next *run, speed float64, paused bool) (status Status, err error) {
	err = b.Load(b.ctx, next, speed, paused, func(v View[*run]) []simulator.Event {
		status = v.Status
		return []simulator.Event{{Kind: "begun"}}
	})
	return status, err
}

// What Load's function returns reaches the subscribers under the new run's
// number, before anything else of that run.
func TestLoadAnnouncesItsOwnRun(t *testing.T) {
	inBubble(t, Config{Speed: 60}, func(b *bench) {
		events := b.Subscribe(100)
		defer events.Close()
		for range 3 {
			if _, err := b.load(newRun(t), 0, false); err != nil {
				t.Fatal(err)
			}
		}
		b.pass(time.Second)
		all, _, err := events.Next(b.ctx)
		if err != nil {
			t.Fatal(err)
		}
		run := 1
		for _, event := range all {
			if event.Kind == "begun" {
				run++
			}
			if event.Run != run {
				t.Errorf("event %s is of run %d, want %d", event.Kind, event.Run, run)
			}
		}
		if run != 4 {
			t.Errorf("%d runs were announced, want 3", run-1)
		}
	})
}
