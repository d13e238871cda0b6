package series_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/exporter/series"
	"github.com/firedrill/firedrill/simulator"
)

// seen is what a reader sees of a target's identity.
type seen struct {
	Pod        string
	Slot       int
	Generation uint32
	Epoch      uint64
	Born       simulator.Tick
}

func look(f *series.Frame) []seen {
	var all []seen
	for t := range f.Targets() {
		all = append(all, seen{t.Labels().Pod, t.Slot(), t.Generation(), t.Epoch(), t.Born()})
	}
	return all
}

// TestSlots follows targets that come, stay, change and go.
func TestSlots(t *testing.T) {
	var table series.Table
	steps := []struct {
		what string
		pods []string
		late string // the pod that has one series more
		want []seen
	}{
		{"two come", []string{"a", "b"}, "", []seen{{"a", 0, 1, 1, 0}, {"b", 1, 1, 2, 0}}},
		{"they stay", []string{"a", "b"}, "", []seen{{"a", 0, 1, 1, 0}, {"b", 1, 1, 2, 0}}},
		{"one goes", []string{"b"}, "", []seen{{"b", 1, 1, 2, 0}}},
		{"its slot is used again", []string{"b", "c"}, "", []seen{{"b", 1, 1, 2, 0}, {"c", 0, 2, 3, 3}}},
		{"one gets a series", []string{"b", "c"}, "b", []seen{{"b", 1, 1, 4, 0}, {"c", 0, 2, 3, 3}}},
		{"and loses it", []string{"b", "c"}, "", []seen{{"b", 1, 1, 5, 0}, {"c", 0, 2, 3, 3}}},
		{"the order changes", []string{"c", "b"}, "", []seen{{"c", 0, 2, 3, 3}, {"b", 1, 1, 5, 0}}},
		{"one comes between", []string{"c", "d", "b"}, "", []seen{{"c", 0, 2, 3, 3}, {"d", 2, 1, 6, 7}, {"b", 1, 1, 5, 0}}},
		{"all go", nil, "", nil},
	}
	for tick, step := range steps {
		u := table.Begin(moment(simulator.Tick(tick)))
		for _, pod := range step.pods {
			writePod(u, pod, up, 1)
			if pod == step.late {
				u.Set(&metric.HTTPRequests, 1, "v1", "high", "500")
			}
		}
		u.Commit()
		f := table.Current()
		if diff := cmp.Diff(step.want, look(f)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.what, diff)
		}
		if got, want := string(f.AppendText(nil)), asText(t, f.Gather()); got != want {
			t.Errorf("%s: text and messages differ:\n%s", step.what, cmp.Diff(want, got))
		}
		f.Release()
	}
}

// TestHistoryDoesNotMatter writes any targets and series one after another and
// compares the table with one that has seen only the last of them.
func TestHistoryDoesNotMatter(t *testing.T) {
	pods := rapid.SliceOfNDistinct(rapid.StringMatching("[a-e]"), 0, 5, rapid.ID)
	codes := rapid.SliceOfNDistinct(rapid.StringMatching("[2-5]00"), 0, 4, rapid.ID)
	rapid.Check(t, func(t *rapid.T) {
		var table series.Table
		for tick := range simulator.Tick(rapid.IntRange(1, 8).Draw(t, "updates")) {
			var fresh series.Table
			both := []*series.Update{table.Begin(moment(tick)), fresh.Begin(moment(tick))}
			for _, pod := range pods.Draw(t, "pods") {
				wanted, infoFirst := codes.Draw(t, "codes"), rapid.Bool().Draw(t, "info first")
				for _, u := range both {
					writeCodes(u, pod, wanted, infoFirst)
				}
			}
			for _, u := range both {
				u.Commit()
			}
			got, want := table.Current(), fresh.Current()
			compareText(t, "the table with a history", got.AppendText(nil), string(want.AppendText(nil)))
			compareText(t, "the table with a history", got.AppendText(nil), asText(t, got.Gather()))
			distinctSlots(t, got)
			got.Release()
			want.Release()
		}
	})
}

func writeCodes(u *series.Update, pod string, codes []string, infoFirst bool) {
	u.Target(podLabels(pod), up)
	if infoFirst {
		u.Set(&metric.PodInfo, 1, "v1")
	}
	for i, code := range codes {
		u.Set(&metric.HTTPRequests, float64(i), "v1", "high", code)
	}
	u.SetHistogram(&metric.HTTPRequestDuration, observed(0.1))
	if !infoFirst {
		u.Set(&metric.PodInfo, 1, "v2")
	}
}

func distinctSlots(t failer, f *series.Frame) {
	t.Helper()
	taken := map[int]string{}
	for target := range f.Targets() {
		if other, ok := taken[target.Slot()]; ok {
			t.Fatalf("%s and %s have the slot %d", other, target.Labels().Pod, target.Slot())
		}
		taken[target.Slot()] = target.Labels().Pod
	}
}

// TestAnotherRun shows that nothing of a target goes on in another run.
func TestAnotherRun(t *testing.T) {
	var table series.Table
	for run := range 2 {
		m := moment(10)
		m.Run = run
		u := table.Begin(m)
		if known := u.Known(podLabels("a")); known {
			t.Errorf("run %d knows the target before it is written", run)
		}
		writePod(u, "a", up, 1)
		u.Commit()
	}
	got := look(current(t, &table))
	if want := []seen{{"a", 0, 2, 2, 10}}; !slices.Equal(got, want) {
		t.Errorf("the second run shows %v, want %v", got, want)
	}
}

func TestFind(t *testing.T) {
	var table series.Table
	if table.Current() != nil {
		t.Error("an empty table has a frame")
	}
	u := table.Begin(moment(1))
	writePod(u, "a", up, 1)
	writePod(u, "b", series.Status{Ended: 1}, 2)
	u.Commit()
	f := current(t, &table)
	target, known := f.Find(podLabels("b"))
	if !known || target.Labels().Pod != "b" || target.Status().Ended != 1 {
		t.Errorf("b is found as %v, known %v", target.Labels(), known)
	}
	if _, known := f.Find(podLabels("c")); known {
		t.Error("c is found, which nobody wrote")
	}
}

// TestCreated follows the created timestamp of a target over its restarts.
func TestCreated(t *testing.T) {
	type step struct {
		m     series.Moment
		since simulator.Tick
		want  time.Duration // after epoch
	}
	at := func(run int, tick simulator.Tick, wall time.Duration, speed float64) series.Moment {
		return series.Moment{Run: run, Tick: tick, Wall: epoch.Add(wall), Speed: speed}
	}
	var table series.Table
	for i, s := range []step{
		{at(0, 600, 0, 60), 0, -10 * time.Second},             // first seen: as long ago as it took
		{at(0, 660, time.Second, 60), 0, -10 * time.Second},   // the same process
		{at(0, 720, 2*time.Second, 1), 0, -10 * time.Second},  // whatever the speed
		{at(0, 780, 3*time.Second, 60), 720, 2 * time.Second}, // restarted a second ago
		{at(0, 840, 9*time.Second, 1), 838, 7 * time.Second},  // two ticks ago
		{at(0, 841, 10*time.Second, 1), 780, 9 * time.Second}, // not before the last frame
		{at(0, 841, 10*time.Second, 1), 780, 9 * time.Second}, // the same tick again
		{at(1, 60, 11*time.Second, 1), 0, 10 * time.Second},   // nor before the last run's
		{at(1, 60, 12*time.Second, 0), 61, 12 * time.Second},  // nor in the future
		{at(1, 120, 13*time.Second, 0), 90, 13 * time.Second}, // no speed says nothing
	} {
		u := table.Begin(s.m)
		writePod(u, "a", series.Status{Since: s.since, Listed: true, Answers: true}, 1)
		u.Commit()
		f := table.Current()
		for target := range f.Targets() {
			if got := target.Created().Sub(epoch); got != s.want {
				t.Errorf("step %d: created %v after the epoch, want %v", i, got, s.want)
			}
		}
		f.Release()
	}
}

// TestSamples reads the table sample by sample.
func TestSamples(t *testing.T) {
	var table series.Table
	u := table.Begin(moment(1))
	writePod(u, "a", up, 7)
	u.Commit()
	type sample struct {
		Name   string
		Labels []series.Label
		Value  float64
		Count  int64
	}
	var got []sample
	for target := range current(t, &table).Targets() {
		if target.Len() != 4 {
			t.Errorf("the target has %d samples, want 4", target.Len())
		}
		for s := range target.Samples() {
			got = append(got, sample{s.Series.Desc.Name, s.Series.Labels, s.Value, s.Histogram.Total()})
		}
	}
	labels := func(priority string) []series.Label {
		return []series.Label{{"code", "200"}, {"priority", priority}, {"version", "v1"}}
	}
	want := []sample{
		{"http_request_duration_seconds", nil, 0, 4},
		{"http_requests_total", labels("high"), 7, 0},
		{"http_requests_total", labels("low"), 0, 0},
		{"pod_start_time_seconds", nil, 7, 0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("samples (-want +got):\n%s", diff)
	}
}

// TestMistakes shows that a writer's mistakes do not go unnoticed.
func TestMistakes(t *testing.T) {
	mistakes := map[string]func(*series.Table){
		"wrong number of labels": func(table *series.Table) {
			u := table.Begin(moment(1))
			u.Target(podLabels("a"), up)
			u.Set(&metric.HTTPRequests, 1, "v1")
		},
		"a target twice": func(table *series.Table) {
			u := table.Begin(moment(1))
			writePod(u, "a", up, 1)
			writePod(u, "a", up, 1)
			u.Commit()
		},
		"released twice": func(table *series.Table) {
			table.Begin(moment(1)).Commit()
			f := table.Current()
			f.Release()
			f.Release()
			f.Release()
		},
	}
	for what, make := range mistakes {
		t.Run(what, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("nothing happens")
				}
			}()
			make(new(series.Table))
		})
	}
}
