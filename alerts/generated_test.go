package alerts

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGenerated: the committed files are what is generated, and there are no
// others.
func TestGenerated(t *testing.T) {
	want := map[string]string{}
	for _, speed := range []float64{1, 60} {
		files, err := Stack(DefaultOptions(speed))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			want[path.Join("speed-"+number(speed), f.Path)] = string(f.Data)
		}
	}
	got := map[string]string{}
	err := fs.WalkDir(os.DirFS("gen"), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path.Join("gen", name))
		got[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); diff != "" {
		t.Errorf("files in alerts/gen (-want +got):\n%s", diff)
	}
	for name := range want {
		if diff := cmp.Diff(want[name], got[name]); diff != "" {
			t.Errorf("alerts/gen/%s: run go run ./cmd/firedrill generate rules (-want +got):\n%s", name, diff)
		}
	}
}

// TestAddresses: the configurations name the addresses that are given, and
// nothing else does.
func TestAddresses(t *testing.T) {
	o := DefaultOptions(60)
	o.Addresses = Addresses{Discovery: "http://a.test/sd", Alertmanager: "b.test:1", Webhook: "http://c.test/hook"}
	files, err := Stack(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if path.Ext(f.Path) != ".yml" {
			continue
		}
		var c struct {
			Alerting struct {
				Alertmanagers []struct {
					Static []struct{ Targets []string } `yaml:"static_configs"`
				}
			}
			Scrape []struct {
				SD []struct{ URL string } `yaml:"http_sd_configs"`
			} `yaml:"scrape_configs"`
			Receivers []struct {
				Webhooks []struct{ URL string } `yaml:"webhook_configs"`
			}
		}
		decode(t, f, &c)
		switch f.Path {
		case "prometheus.yml":
			if c.Scrape[0].SD[0].URL != o.Addresses.Discovery || c.Alerting.Alertmanagers[0].Static[0].Targets[0] != o.Addresses.Alertmanager {
				t.Errorf("%s: %+v", f.Path, c)
			}
		case "alertmanager.yml":
			if c.Receivers[0].Webhooks[0].URL != o.Addresses.Webhook {
				t.Errorf("%s: %+v", f.Path, c)
			}
		}
	}
}
