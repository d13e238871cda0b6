package admin

import (
	"encoding/json"
	"math"
	"strings"
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
