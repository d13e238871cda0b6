package scenario

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/cdn"
)

const ownTopology = `name: own
start: "20:00"
duration: 10m
services:
  - name: video
    model: cdn
    config: {demand: 8}
    topology:
      sites:
        - {id: fra, hosts: 20, host_capacity: 2}
      links:
        - {id: a, site: fra, operator: alder, capacity: 10, background: 0.3, target: 0.8}
        - {id: b, site: fra, operator: birch, capacity: 5}
      groups:
        - operator: alder
          region: fra
          share: 2
          prefixes: [198.18.0.0/15, "2001:db8::/32"]
          candidates:
            - {link: a, weight: 0.6, rtt: 20ms}
            - {link: b, weight: 0.4}
`

// TestOwnTopology: a service's own topology is what runs.
func TestOwnTopology(t *testing.T) {
	s, err := Parse("own.yaml", []byte(ownTopology))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.NewRun(Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.Step()
	state := r.Snapshot().Services[0].State.(*cdn.Snapshot)
	want := []cdn.Link{
		{ID: "a", Operator: 0, Capacity: 10e9, Background: 0.3e9, Target: 0.8},
		{ID: "b", Operator: 1, Capacity: 5e9},
	}
	if diff := cmp.Diff(want, []cdn.Link{state.Links[0].Link, state.Links[1].Link}); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(cdn.Site{ID: "fra", Hosts: 20, HostCapacity: 2e9}, state.Sites[0].Site); diff != "" {
		t.Error(diff)
	}
	items := r.Services()[0].Model.(simulator.Lister).Items(0)
	if len(items) != 2 || items[0].ID != "a" || len(items[1].Values) != len(cdn.Kind().Lists[0].Columns) || items[0].Values[0] < 0.45 {
		t.Errorf("%+v", items)
	}
}

// TestTopologyReportsEveryProblem: each with its line, all at once.
func TestTopologyReportsEveryProblem(t *testing.T) {
	for _, c := range []struct {
		name string
		edit []string // pairs of old and new
		want string
	}{
		{"names", []string{"site: fra, operator: birch, capacity: 5", "site: fr, operator: Birch, capacity: much", "link: b, weight: 0.4", "link: c, weigh: 1"}, `own.yaml:13: services[0].topology.links[1].site: "fr" is no site; allowed: fra (did you mean "fra"?)
own.yaml:13: services[0].topology.links[1].operator: "Birch" is no name; allowed: lower-case letters, digits and dashes, at most 63
own.yaml:13: services[0].topology.links[1].capacity: "much" is no number; allowed: a number from 0.001 to 100000 Gbit/s
own.yaml:21: services[0].topology.groups[0].candidates[1].weigh: "weigh" is no key of a candidate; allowed: link, weight, rtt (did you mean "weight"?)
own.yaml:21: services[0].topology.groups[0].candidates[1].weight: is missing
own.yaml:21: services[0].topology.groups[0].candidates[1].link: "c" is no link; allowed: a, b`},
		{"twice", []string{"id: b, site", "id: a, site", `"2001:db8::/32"`, "198.18.0.0/15", "link: b,", "link: a,"}, `own.yaml:13: services[0].topology.links[1].id: "a" is the id of another link
own.yaml:18: services[0].topology.groups[0].prefixes[1]: "198.18.0.0/15" is given twice
own.yaml:21: services[0].topology.groups[0].candidates[1].link: "a" is a candidate twice`},
		{"prefix", []string{"198.18.0.0/15", "198.18.0.1/15"}, `own.yaml:18: services[0].topology.groups[0].prefixes[0]: "198.18.0.1/15" is no prefix; allowed: an address and a length with no bits behind it, for example 198.18.0.0/15`},
		{"other model", []string{"model: cdn", "model: web", "{demand: 8}", "{}"}, `own.yaml:8: services[0].topology: is no part of a web service; allowed: in a cdn service`},
		{"both", []string{"{demand: 8}", "{topology: large}"}, `own.yaml:7: services[0].config.topology: "large" cannot stand beside the service's own topology`},
		{"curve", []string{"{demand: 8}", `{drop_points: "0.9:0 0.8:1"}`}, `own.yaml:7: services[0].config.drop_points: "0.9:0 0.8:1" has the point 0.8:1 after 0.9:0: loads must rise; allowed: points load:share from left to right, for example 0.75:0 0.85:1`},
		{"empty", []string{`[198.18.0.0/15, "2001:db8::/32"]`, "[]"}, `own.yaml:18: services[0].topology.groups[0].prefixes: is empty; allowed: at least one`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("own.yaml", []byte(strings.NewReplacer(c.edit...).Replace(ownTopology)))
			if err == nil {
				t.Fatal("accepted")
			}
			if diff := cmp.Diff(c.want, err.Error()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
