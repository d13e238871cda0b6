package exporter_test

import (
	"testing"

	"github.com/firedrill/firedrill/exporter"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/cdn"
	"github.com/firedrill/firedrill/simulator/schema"
)

// newCDN returns an engine of one service of the kind cdn, called video.
func newCDN(t testing.TB, config schema.Args) *simulator.Engine {
	t.Helper()
	kind := cdn.Kind()
	values, problems := kind.Config.Parse("configuration key", config)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	model, err := kind.New(simulator.Setup{Name: "video", Seed: 7, Start: start}, values)
	if err != nil {
		t.Fatal(err)
	}
	engine, err := simulator.New(simulator.Config{Seed: 7, Start: start, Services: []simulator.Service{{Name: "video", Kind: kind, Model: model}}})
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

// withCDN returns the snapshot and a CDN in it.
func withCDN(t testing.TB, s *simulator.Snapshot) *simulator.Snapshot {
	e := newCDN(t, schema.Args{"demand": 180})
	run(e, s.Tick)
	s.Services = append(s.Services, e.Snapshot().Services...)
	return s
}

// TestCDNPage compares the text of a CDN in trouble with the committed one: too
// much demand, one link broken, the other with background traffic.
func TestCDNPage(t *testing.T) {
	e := newCDN(t, schema.Args{"demand": 110, "lesson_share": 0.1, "far_capacity": 20})
	run(e, 2*simulator.Minute)
	order(t, e, "video", "set_background", schema.Args{"link": "fra-alder-2", "rate": 20})
	order(t, e, "video", "break_link", schema.Args{"link": "fra-alder-1"})
	order(t, e, "video", "set", schema.Args{"algorithm": "damped"})
	run(e, simulator.Minute+45)
	s := newStage()
	s.put(e.Snapshot())
	golden(t, "cdn.prom", get(s.exporter(), "/targets/video/metrics", "").Body.Bytes())
}

// TestCDNAgrees: the bytes of all links are those of all kinds and of the
// background, and sessions add up, whichever way they are shown.
func TestCDNAgrees(t *testing.T) {
	e := newCDN(t, schema.Args{"demand": 150, "far_capacity": 0})
	run(e, 5*simulator.Minute)
	snapshot := e.Snapshot()
	state := snapshot.Services[0].State.(*cdn.Snapshot)
	s := newStage()
	s.put(snapshot)
	all, _ := ofMessages(scrape(t, s.exporter(), "/metrics", acceptText), nil)
	running := 0
	for _, k := range state.Kinds {
		running += k.Running
	}
	for name, want := range map[string]float64{
		"video_sessions": float64(running), "player_sessions": float64(running), "link_state": 2,
		"link_speed_bytes_per_second": 2 * 100e9 / 8, "far_site_sessions": float64(state.Far.Sessions),
	} {
		if got := all.sum(name); got < want-0.01 || got > want+0.01 {
			t.Errorf("%s adds up to %g, want %g", name, got, want)
		}
	}
	if got := all.sum("link_sessions") + all.sum("far_site_sessions"); got != float64(running) {
		t.Errorf("%g sessions on links and the far site, want %d", got, running)
	}
	if hits := all.sum("video_cache_bytes_total"); hits != all.sum("video_bytes_total") {
		t.Errorf("%g bytes of hits and misses, %g in all", hits, all.sum("video_bytes_total"))
	}
	background := 2 * 3e9 / 8 * 300.0
	if links, sites := all.sum("link_transmit_bytes_total"), all.sum("site_transmit_bytes_total"); links < sites+0.99*background || links > sites+1.01*background {
		t.Errorf("links have sent %g, sites %g and others %g", links, sites, background)
	}
}

// BenchmarkLargeCDN is a text scrape of all series of the large topology at its
// peak: taking over the snapshot, and writing the page.
func BenchmarkLargeCDN(b *testing.B) {
	e := newCDN(b, schema.Args{"topology": "large", "demand": 1500})
	run(e, 2*simulator.Minute)
	table := newTable(b, e.Snapshot())
	var page []byte
	b.Run("scrape", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := table.Update(e.Snapshot(), exporter.Clock{Speed: 60}, epoch); err != nil {
				b.Fatal(err)
			}
			f := table.Current()
			page = f.AppendText(page[:0])
			f.Release()
		}
		b.ReportMetric(float64(len(page)), "bytes/page")
	})
}
