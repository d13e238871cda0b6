package dashboards_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/heatmap"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/stat"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"

	"github.com/firedrill/firedrill/dashboards"
)

// classic is a dashboard of the schema that Grafana provisions from files.
type classic = dashboard.Dashboard //nolint:staticcheck // SA1019: see above

// decoded is a dashboard as the SDK reads it.
type decoded struct {
	file string
	data []byte
	classic
}

// panels returns the panels that show something.
func (d decoded) panels() []*dashboard.Panel {
	var all []*dashboard.Panel
	for _, p := range d.Panels {
		if p.Panel != nil {
			all = append(all, p.Panel)
		}
	}
	return all
}

// decode reads the dashboards for a speed, strictly.
func decode(t *testing.T, speed float64) []decoded {
	t.Helper()
	plugins.RegisterDefaultPlugins()
	files, err := dashboards.All(dashboards.DefaultOptions(speed))
	if err != nil {
		t.Fatal(err)
	}
	var all []decoded
	for _, f := range files {
		var strict classic
		// Where all is well it returns an error without text.
		if err := strict.UnmarshalJSONStrict(f.Data); err != nil && err.Error() != "" {
			t.Errorf("%s: %v", f.Name, err)
		}
		d := decoded{file: f.Name, data: f.Data}
		if err := json.Unmarshal(f.Data, &d.classic); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		all = append(all, d)
	}
	return all
}

// TestStrictDecodeFindsErrors: the check of decode can fail.
func TestStrictDecodeFindsErrors(t *testing.T) {
	plugins.RegisterDefaultPlugins()
	for _, d := range decode(t, 60) {
		var strict classic
		wrong := strings.Replace(string(d.data), `"legendFormat"`, `"legendFromat"`, 1)
		if err := strict.UnmarshalJSONStrict([]byte(wrong)); err == nil || !strings.Contains(err.Error(), "legendFromat") {
			t.Errorf("%s: a misspelt option gives %v", d.file, err)
		}
	}
}

// TestBoards: who looks for a dashboard finds it, at any time, by any link.
func TestBoards(t *testing.T) {
	uids := map[string]bool{}
	for _, d := range decode(t, 60) {
		if want := "firedrill-" + strings.TrimSuffix(d.file, ".json"); *d.Uid != want {
			t.Errorf("%s has the uid %s, want %s", d.file, *d.Uid, want)
		}
		uids[*d.Uid] = true
		if !sentence(*d.Description) || !strings.HasPrefix(*d.Title, "firedrill / ") {
			t.Errorf("%s: %q, %q", d.file, *d.Title, *d.Description)
		}
		if len(d.Links) != 1 || !d.Links[0].KeepTime || !d.Links[0].IncludeVars || !slices.Equal(d.Links[0].Tags, d.Tags) {
			t.Errorf("%s: the links %+v do not keep time and variables", d.file, d.Links)
		}
		if d.Time.To != "now" || *d.Refresh != "1s" || d.Time.From != "now-5m" {
			t.Errorf("%s shows %s to %s, anew every %s", d.file, d.Time.From, d.Time.To, *d.Refresh)
		}
	}
	if len(uids) != len(decode(t, 60)) {
		t.Errorf("uids are %v", slices.Sorted(maps.Keys(uids)))
	}
}

// TestGrid: panels fill their lines and do not overlap; each has an id.
func TestGrid(t *testing.T) {
	for _, d := range decode(t, 60) {
		ids := map[uint32]bool{}
		taken := map[[2]uint32]string{}
		width := map[uint32]uint32{}
		for i, p := range d.Panels {
			id, title, pos := place(p)
			if ids[id] || id == 0 {
				t.Errorf("%s: panel %d, %q, has the id %d", d.file, i, title, id)
			}
			ids[id] = true
			for x := pos.X; x < pos.X+pos.W; x++ {
				for y := pos.Y; y < pos.Y+pos.H; y++ {
					if other, ok := taken[[2]uint32{x, y}]; ok {
						t.Fatalf("%s: %q overlaps %q", d.file, title, other)
					}
					taken[[2]uint32{x, y}] = title
					width[y]++
				}
			}
			if pos.W < 4 || pos.W < 6 && p.Panel != nil && p.Panel.Type != "stat" || pos.X+pos.W > 24 {
				t.Errorf("%s: %q is %d columns wide at %d", d.file, title, pos.W, pos.X)
			}
		}
		for y, w := range width {
			if w != 24 {
				t.Errorf("%s: line %d is %d columns wide", d.file, y, w)
			}
		}
	}
}

// place returns the id, the title and the place of a panel or a row.
func place(p dashboard.PanelOrRowPanel) (uint32, string, dashboard.GridPos) {
	if p.Panel != nil {
		return *p.Panel.Id, *p.Panel.Title, *p.Panel.GridPos
	}
	return p.RowPanel.Id, *p.RowPanel.Title, *p.RowPanel.GridPos
}

// sentence reports whether a text explains something.
func sentence(text string) bool { return len(text) > 30 && strings.HasSuffix(text, ".") }

// TestPanels: each says what it is and what to make of it.
func TestPanels(t *testing.T) {
	known := []string{"stat", "timeseries", "heatmap", "state-timeline", "table"}
	for _, d := range decode(t, 60) {
		titles := map[string]string{}
		for _, p := range d.panels() {
			at := fmt.Sprintf("%s, %s %q", d.file, p.Type, *p.Title)
			if *p.Title == "" || !sentence(*p.Description) {
				t.Errorf("%s has the description %q", at, *p.Description)
			}
			if titles[*p.Title] == p.Type {
				t.Errorf("%s is there twice", at)
			}
			titles[*p.Title] = p.Type
			if !slices.Contains(known, p.Type) {
				t.Errorf("%s is of an unknown type", at)
			}
			if unit(p) == "" {
				t.Errorf("%s has no unit", at)
			}
			if *p.Datasource.Uid != "${datasource}" {
				t.Errorf("%s has the data source %s", at, *p.Datasource.Uid)
			}
			checkTargets(t, at, p)
			checkThresholds(t, at, p)
		}
	}
}

// unit returns the unit of a panel's values.
func unit(p *dashboard.Panel) string {
	if options, ok := p.Options.(*heatmap.Options); ok && options.YAxis.Unit != nil && options.CellValues.Unit != nil {
		return *options.YAxis.Unit
	}
	if p.FieldConfig == nil || p.FieldConfig.Defaults.Unit == nil {
		return ""
	}
	return *p.FieldConfig.Defaults.Unit
}

func checkTargets(t *testing.T, at string, p *dashboard.Panel) {
	t.Helper()
	if len(p.Targets) == 0 {
		t.Errorf("%s has no query", at)
	}
	if options, ok := p.Options.(*timeseries.Options); ok && !options.Legend.ShowLegend {
		t.Errorf("%s shows no legend", at)
	}
	for i, target := range p.Targets {
		q := target.(*prometheus.Dataquery)
		if want := string(rune('A' + i)); *q.RefId != want {
			t.Errorf("%s: query %d has the letter %s, want %s", at, i, *q.RefId, want)
		}
		if *q.Datasource.Uid != "${datasource}" || *q.LegendFormat == "" || *q.Interval == "" {
			t.Errorf("%s: query %s has the data source %s, legend %q, step %q", at, *q.RefId, *q.Datasource.Uid, *q.LegendFormat, *q.Interval)
		}
		options, figure := p.Options.(*stat.Options)
		if now := p.Type == "table" || figure && options.GraphMode == common.BigValueGraphModeNone; now != *q.Instant || now == *q.Range {
			t.Errorf("%s: query %s is instant: %t, range: %t", at, *q.RefId, *q.Instant, *q.Range)
		}
	}
}

func checkThresholds(t *testing.T, at string, p *dashboard.Panel) {
	t.Helper()
	if p.FieldConfig == nil || p.FieldConfig.Defaults.Thresholds == nil {
		return
	}
	steps := p.FieldConfig.Defaults.Thresholds.Steps
	for i, s := range steps {
		if (s.Value == nil) != (i == 0) || i > 1 && *s.Value <= *steps[i-1].Value {
			t.Errorf("%s: step %d of the thresholds is not above the one before", at, i)
		}
	}
}

// TestNothingIsUnset: the SDK writes options that nobody has set as "" or null,
// which Grafana takes for a choice. The first step of thresholds has no value.
func TestNothingIsUnset(t *testing.T) {
	for _, speed := range []float64{1, 60} {
		for _, d := range decode(t, speed) {
			var tree any
			if err := json.Unmarshal(d.data, &tree); err != nil {
				t.Fatal(err)
			}
			walk(tree, d.file, func(path string, value any) {
				if (value == nil || value == "") && !strings.HasSuffix(path, "/steps/0/value") {
					t.Errorf("%s is %#v", path, value)
				}
			})
		}
	}
}

// walk calls f for every value in a tree of JSON.
func walk(tree any, path string, f func(path string, value any)) {
	switch x := tree.(type) {
	case map[string]any:
		for key, value := range x {
			walk(value, path+"/"+key, f)
		}
	case []any:
		for i, value := range x {
			walk(value, fmt.Sprintf("%s/%d", path, i), f)
		}
	default:
		f(path, x)
	}
}
