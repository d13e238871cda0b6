package web_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
	"github.com/firedrill/firedrill/simulator/web"
	"gopkg.in/yaml.v3"
)

func TestTmpVectors(t *testing.T) {
	for _, name := range []string{"opening", "bad-deploy", "cache-flush", "surge", "exact-flush", "kills", "corners"} {
		t.Run(name, func(t *testing.T) {
			b, _ := os.ReadFile("../../../shared/vectors/web-" + name + ".yaml")
			var f struct {
				Start    string
				Services []struct{ Config map[string]any }
				Events   []struct {
					At   string
					Do   string
					Args map[string]any
				}
			}
			if err := yaml.Unmarshal(b, &f); err != nil {
				t.Fatal(err)
			}
			st, _ := time.Parse("15:04", f.Start)
			kind := web.Kind()
			values, problems := kind.Config.Parse("k", f.Services[0].Config)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			model, err := kind.New(simulator.Setup{Name: "shop", Seed: 1, Start: st}, values)
			if err != nil {
				t.Fatal(err)
			}
			var sched []simulator.Command
			for _, e := range f.Events {
				s, _ := schema.ParseSeconds(e.At)
				sched = append(sched, simulator.Command{At: simulator.Tick(s), Service: "shop", Do: e.Do, Args: e.Args})
			}
			e, err := simulator.New(simulator.Config{Start: st, Services: []simulator.Service{{Name: "shop", Kind: kind, Model: model}}, Schedule: sched})
			if err != nil {
				t.Fatal(err)
			}
			v, _ := os.Open("../../../shared/vectors/web-" + name + ".jsonl")
			sc := bufio.NewScanner(v)
			bad := 0
			for sc.Scan() {
				var want map[string]float64
				json.NewDecoder(strings.NewReader(sc.Text())).Decode(&want)
				e.Step()
				row := model.AppendRow(nil)
				for i, c := range kind.Columns {
					w, g := want[c.Key], row[i]
					d := math.Abs(w - g)
					if d > 1e-9*math.Abs(w) && !(math.Abs(w) < 1e-200 && math.Abs(g) < 1e-200) && !(strings.HasPrefix(c.Key, "burn") || c.Key == "error_ratio") || d > 1e-9*math.Abs(w) && d > 1e-12 {
						bad++
						if bad < 12 {
							t.Errorf("minute %v %s: want %.12g got %.12g", row[0], c.Key, w, g)
						}
					}
				}
				for range 59 {
					e.Step()
				}
			}
		})
	}
}
