package alerts

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestRefusedSpeeds says why, with the arithmetic and what would do.
func TestRefusedSpeeds(t *testing.T) {
	for _, c := range []struct {
		speed  float64
		scrape time.Duration
		want   string
	}{
		{1, 15 * time.Second, ""},
		{1, 75 * time.Second, ""},
		{75, time.Second, ""},
		{3600, 20 * time.Millisecond, ""},
		{76, time.Second, "at speed 76 the shortest window, 5m, lasts 5m / 76 = 3s947ms and holds 3s947ms / 1s = 3.95 of the scrapes; it needs 4: use a speed of at most 75, or a scrape interval of at most 986ms"},
		{3600, time.Second, "at speed 3600 the shortest window, 5m, lasts 5m / 3600 = 83ms and holds 83ms / 1s = 0.08 of the scrapes; it needs 4: use a speed of at most 75, or a scrape interval of at most 20ms"},
		{1, 2 * time.Minute, "at speed 1 the shortest window, 5m, lasts 5m / 1 = 5m and holds 5m / 2m = 2.5 of the scrapes; it needs 4: use a scrape interval of at most 1m15s"},
		{0.5, time.Second, "speed 0.5 is out of range; allowed: 1 to 3600"},
		{3601, time.Second, "speed 3601 is out of range; allowed: 1 to 3600"},
		{1, 0, "scrape interval 0s is not a whole number of milliseconds"},
		{1, 1500 * time.Microsecond, "scrape interval 1.5ms is not a whole number of milliseconds"},
	} {
		o := DefaultOptions(c.speed)
		o.ScrapeInterval = c.scrape
		got := ""
		if err := o.Validate(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("speed %g, scrapes every %v:\n%s\nwant\n%s", c.speed, c.scrape, got, c.want)
		}
		if _, err := Stack(o); (err == nil) != (c.want == "") {
			t.Errorf("speed %g, scrapes every %v: Stack returns %v", c.speed, c.scrape, err)
		}
	}
}

// TestScale: at any accepted speed every span is its simulated length over the
// speed, to half a millisecond, and the shortest window holds four scrapes.
func TestScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := DefaultOptions(rapid.Float64Range(MinSpeed, MaxSpeed).Draw(t, "speed"))
		o.ScrapeInterval = time.Duration(rapid.IntRange(1, 100).Draw(t, "ms")) * time.Millisecond
		if o.Validate() != nil {
			return
		}
		for _, w := range windows() {
			if off := o.clock(w).Seconds() - w.Seconds()/o.Speed; off < -0.000501 || off > 0.000501 {
				t.Errorf("%v at speed %g is %v", w, o.Speed, o.clock(w))
			}
		}
		if held := float64(o.clock(windows()[0])) / float64(o.ScrapeInterval); held < scrapesNeeded-0.5 {
			t.Errorf("at speed %g the shortest window holds %g scrapes of %v", o.Speed, held, o.ScrapeInterval)
		}
	})
}

// TestRemediesHelp: what a refusal proposes is accepted.
func TestRemediesHelp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := DefaultOptions(rapid.Float64Range(MinSpeed, MaxSpeed).Draw(t, "speed"))
		o.ScrapeInterval = time.Duration(rapid.IntRange(1, 300_000).Draw(t, "ms")) * time.Millisecond
		if o.Validate() == nil {
			return
		}
		faster := o
		faster.ScrapeInterval = o.clock(windows()[0]) / scrapesNeeded
		faster.ScrapeInterval = faster.ScrapeInterval.Truncate(time.Millisecond) - time.Millisecond
		if err := faster.Validate(); faster.ScrapeInterval > 0 && err != nil {
			t.Error(err)
		}
	})
}

// TestFlags: what the servers need at speed 60, and that at speed 1 it is what
// they have by default.
func TestFlags(t *testing.T) {
	for speed, want := range map[float64]string{
		60: "--query.lookback-delta=5s --rules.alert.resend-delay=1s --rules.alert.for-grace-period=10s --rules.alert.for-outage-tolerance=1m --cluster.listen-address=",
		1:  "--query.lookback-delta=5m --rules.alert.resend-delay=1m --rules.alert.for-grace-period=10m --rules.alert.for-outage-tolerance=1h --cluster.listen-address=",
	} {
		var got []string
		for _, f := range DefaultOptions(speed).Flags() {
			got = append(got, f.String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("speed %g: %s\nwant %s", speed, got, want)
		}
	}
}

// TestFlagFiles: read as all versions of the servers read them, comments passed
// over and nothing else, the files of flags hold those of their server.
func TestFlagFiles(t *testing.T) {
	for _, speed := range []float64{1, 7.5, 60} {
		o := DefaultOptions(speed)
		files, err := Stack(o)
		if err != nil {
			t.Fatal(err)
		}
		got, want := map[string][]string{}, map[string][]string{}
		for _, f := range files {
			server, ok := strings.CutSuffix(f.Path, ".flags")
			for line := range strings.Lines(string(f.Data)) {
				if line = strings.TrimSuffix(line, "\n"); ok && !strings.HasPrefix(line, "#") {
					got[server] = append(got[server], line)
				}
			}
		}
		for _, f := range o.Flags() {
			want[f.Server] = append(want[f.Server], f.String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("speed %g (-want +got):\n%s", speed, diff)
		}
	}
}
