package admin

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
)

// A service shows its levers and its last minute by name, in the order of its
// kind.
func TestService(t *testing.T) {
	s := newServer(t, nil)
	advance(t, s, 1)
	w := ask(s, stranger("GET", "/services/shop", nil))
	body := w.Body.String()
	for _, want := range []string{
		`"tick":1`, `"name":"shop","kind":"web"`,
		`"settings":{"floor":10,"autoscaler":true,"target_utilization":0.6,"ttl":"1m"`,
		`"minute":{"minute":0,"offered_rate":`, `"serving":10,`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the service is %s\nwithout %s", body, want)
		}
	}
	var one ServiceState
	var all Services
	if err := json.Unmarshal([]byte(body), &one); err != nil {
		t.Error(err)
	}
	if err := json.Unmarshal(ask(s, stranger("GET", "/services", nil)).Body.Bytes(), &all); err != nil {
		t.Error(err)
	}
	if len(all.Services) != 1 || all.Services[0].Name != one.Name {
		t.Errorf("all services are %+v, one is %+v", all, one)
	}
}

func TestObjectKeepsItsOrder(t *testing.T) {
	o := Object{{"z", 1}, {"a", "x"}, {"m", 0.1 + 0.2}, {"none", math.NaN()}, {"endless", math.Inf(1)}, {"on", true}}
	text, err := json.Marshal(o)
	if want := `{"z":1,"a":"x","m":0.3,"none":null,"endless":null,"on":true}`; err != nil || string(text) != want {
		t.Errorf("written as %s, %v; want %s", text, err, want)
	}
}

// What no instrument in production shows is left out of a service's minute
// until the truth may be told, and so is the value of a goal that measures it.
func TestServiceHidesTheTruth(t *testing.T) {
	for name, reveal := range map[string]bool{"drill": false, "revealed": true} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, func(c *Config) { c.Reveal = reveal })
			advance(t, s, 1)
			told := func() (minute, goal bool) {
				minute = strings.Contains(ask(s, stranger("GET", "/services/shop", nil)).Body.String(), `"error_ratio"`)
				var drill Drill
				if err := json.Unmarshal(ask(s, stranger("GET", "/drill", nil)).Body.Bytes(), &drill); err != nil {
					t.Fatal(err)
				}
				for _, g := range drill.Goals {
					if g.Measure == "error_ratio" {
						goal = g.Value != nil && g.Met != nil
					} else if g.Value == nil || g.Met == nil {
						t.Errorf("goal %q, which anybody can measure, is hidden", g.ID)
					}
				}
				return minute, goal
			}
			if minute, goal := told(); minute != reveal || goal != reveal {
				t.Errorf("while the drill runs: minute told %t, goal told %t; want %t", minute, goal, reveal)
			}
			ask(s, stranger("POST", "/drill/stop", nil))
			if minute, goal := told(); !minute || !goal {
				t.Errorf("after the drill: minute told %t, goal told %t; want both", minute, goal)
			}
		})
	}
}

// Whoever starts a drill is told of that drill, however many others start
// theirs at the same time.
func TestStartsAtOnce(t *testing.T) {
	s := newServer(t, nil)
	var all sync.WaitGroup
	for seed := range 40 {
		all.Go(func() {
			body := strings.NewReader(fmt.Sprintf(`{"seed": %d, "paused": true}`, seed))
			var drill Drill
			if err := json.Unmarshal(ask(s, stranger("POST", "/scenarios/calm/start", body, "Content-Type", "application/json")).Body.Bytes(), &drill); err != nil {
				t.Error(err)
			}
			if drill.Scenario != "calm" || drill.Seed != uint32(seed) {
				t.Errorf("the start with seed %d is answered with %s, seed %d", seed, drill.Scenario, drill.Seed)
			}
		})
	}
	all.Wait()
}
