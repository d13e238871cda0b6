package exporter_test

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/firedrill/firedrill/exporter/series"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
	"github.com/firedrill/firedrill/simulator/web"
)

// TestOneUpdateForATick lets forty readers ask for each of three ticks at once.
func TestOneUpdateForATick(t *testing.T) {
	s := newStage()
	e := s.exporter()
	for tick := range simulator.Tick(3) {
		s.put(handMade(tick, web.Pod{Name: "shop-a", State: web.Serving}))
		var group sync.WaitGroup
		for range 40 {
			group.Go(func() { get(e, "/metrics", "") })
		}
		group.Wait()
		if want := int(tick) + 1; s.reads != want {
			t.Errorf("after tick %d there were %d updates, want %d", tick, s.reads, want)
		}
	}
}

// TestWhatIsAnUpdate shows which changes within a tick are shown at once.
func TestWhatIsAnUpdate(t *testing.T) {
	s := newStage()
	e := s.exporter()
	snapshots := map[simulator.Tick]*simulator.Snapshot{}
	for _, step := range []struct {
		what    string
		change  func()
		tick    simulator.Tick
		updates int
		shows   simulator.Tick
	}{
		{"the first reader", func() {}, 100, 1, 100},
		{"the same tick", func() {}, 100, 1, 100},
		{"another lag", func() { s.clock.Lag = 3 }, 100, 1, 100},
		{"paused", func() { s.clock.Paused = true }, 100, 2, 100},
		{"another speed", func() { s.clock.Speed = 1 }, 100, 3, 100},
		{"a new tick", func() {}, 101, 4, 101},
		{"a reader that was overtaken", func() {}, 100, 4, 101},
		{"another run", func() { s.clock.Run++ }, 5, 5, 5},
		{"a reader of the run before", func() { s.clock.Run-- }, 102, 5, 5},
	} {
		step.change()
		if snapshots[step.tick] == nil {
			snapshots[step.tick] = handMade(step.tick)
		}
		s.put(snapshots[step.tick])
		f, err := e.Frame(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if s.reads != step.updates || f.Moment().Tick != step.shows {
			t.Errorf("%s: %d updates, showing tick %d; want %d and %d", step.what, s.reads, f.Moment().Tick, step.updates, step.shows)
		}
		f.Release()
	}
}

// slowClient takes nothing until it is let go.
type slowClient struct {
	*httptest.ResponseRecorder
	letGo chan struct{}
}

func (c slowClient) Write(b []byte) (int, error) {
	<-c.letGo
	return c.ResponseRecorder.Write(b)
}

// TestSlowClient lets a client stall in the middle of a response while ticks
// pass and others read; it gets the tick that it asked for, whole.
func TestSlowClient(t *testing.T) {
	for _, accept := range []string{acceptText, acceptOpenMetrics, acceptProtobuf} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage()
			engine := newEngine(t, map[string]schema.Args{"shop": small()}, "shop")
			s.put(engine.Snapshot())
			e := s.exporter()
			want := get(e, "/metrics", accept).Body.String()
			slow := slowClient{httptest.NewRecorder(), make(chan struct{})}
			done := make(chan struct{})
			go func() {
				defer close(done)
				r := httptest.NewRequest(http.MethodGet, "/metrics", nil)
				r.Header.Set("Accept", accept)
				e.ServeHTTP(slow, r)
			}()
			synctest.Wait()
			last := want
			for range 100 {
				engine.Step()
				s.put(engine.Snapshot())
				next := get(e, "/metrics", accept).Body.String()
				if next == last {
					t.Fatal("the page stands still while ticks pass")
				}
				last = next
			}
			close(slow.letGo)
			<-done
			if got := slow.Body.String(); got != want {
				t.Errorf("%s: the slow client gets %d bytes of another page", accept, len(got))
			}
		})
	}
}

// TestReadersAndWriter lets all kinds of readers run while ticks pass.
func TestReadersAndWriter(t *testing.T) {
	const ticks = 120
	s := newStage()
	engine := newEngine(t, map[string]schema.Args{"shop": small()}, "shop")
	order(t, engine, "shop", "kill_instances", schema.Args{"count": 2})
	s.put(engine.Snapshot())
	e := s.exporter()
	done := make(chan struct{})
	var group sync.WaitGroup
	for _, read := range []func(){
		func() { get(e, "/metrics", acceptText) },
		func() { get(e, "/metrics", acceptProtobuf) },
		func() { get(e, "/targets/shop/metrics", acceptOpenMetrics) },
		func() { get(e, "/sd", "") },
		func() {
			f, err := e.Frame(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			defer f.Release()
			requestsAgree(t, f)
		},
	} {
		group.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					read()
				}
			}
		})
	}
	for range ticks {
		engine.Step()
		s.put(engine.Snapshot())
		get(e, "/metrics", "")
	}
	close(done)
	group.Wait()
}

// requestsAgree fails where a pod's requests are not those of its histogram.
func requestsAgree(t *testing.T, f *series.Frame) {
	for target := range f.Targets() {
		if target.Labels().Pod == "" {
			continue
		}
		requests, times := 0.0, int64(0)
		for sample := range target.Samples() {
			switch sample.Series.Desc.Name {
			case "http_requests_total":
				requests += sample.Value
			case "http_request_duration_seconds":
				times = sample.Histogram.Total()
			}
		}
		if requests != float64(times) {
			t.Errorf("tick %d: %s has %v requests and %d times", f.Moment().Tick, target.Labels().Pod, requests, times)
		}
	}
}
