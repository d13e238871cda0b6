package cdn

import (
	"net/netip"

	"github.com/firedrill/firedrill/simulator/unit"
)

// Topology is what a CDN consists of. It is a description: nobody changes it
// once it is made.
type Topology struct {
	Sites     []Site
	Operators []string // names, in order
	Links     []Link
	Groups    []Group
	// Routes returns which prefix belongs to which group. The large topology
	// has very many, made only where somebody asks.
	Routes func() []Route
}

// Site is a point of presence.
type Site struct {
	ID           string // part of the names of its hosts
	Hosts        int
	HostCapacity unit.BitsPerSecond // egress of one
}

// Link leads from a site to an operator.
type Link struct {
	ID         string
	Site       int // index
	Operator   int // index
	Capacity   unit.BitsPerSecond
	Background unit.BitsPerSecond // other services' traffic, which is not steered
	Target     float64            // load that a PID aims at; 0 for that of the configuration
}

// Group are the networks whose users have the same ways to choose from.
type Group struct {
	Operator   int // index
	Region     string
	Share      float64 // of the demand, relative to the other groups
	Candidates []Candidate
}

// Candidate is a link over which a group can be served.
type Candidate struct {
	Link   int     // index
	Weight float64 // of the network team, above 0
	RTT    unit.Seconds
}

// Route says which group the networks of a prefix belong to.
type Route struct {
	Prefix netip.Prefix
	Group  int // index
}

// linkIndex returns the index of the link of that id, −1 where there is none.
func (t *Topology) linkIndex(id string) int {
	for i := range t.Links {
		if t.Links[i].ID == id {
			return i
		}
	}
	return -1
}

// Name returns the group's name, operator and region: alder-fra.
func (g *Group) name(t *Topology) string { return t.Operators[g.Operator] + "-" + g.Region }

// gigabit is 10⁹ bits a second.
const gigabit = 1e9

// TwoLinks returns the smallest topology that swings: two links of 100 Gbit/s on
// one site, both for the same users, weights 0.6 and 0.4, and 3 Gbit/s of other
// services' traffic on each.
func TwoLinks() *Topology {
	link := func(id string) Link {
		return Link{ID: id, Capacity: 100 * gigabit, Background: 3 * gigabit}
	}
	const rtt = 0.02
	return &Topology{
		Sites:     []Site{{ID: "fra", Hosts: 250, HostCapacity: gigabit}},
		Operators: []string{"alder"},
		Links:     []Link{link("fra-alder-1"), link("fra-alder-2")},
		Groups:    []Group{{Region: "fra", Share: 1, Candidates: []Candidate{{0, 0.6, rtt}, {1, 0.4, rtt}}}},
		Routes: func() []Route {
			return []Route{{netip.MustParsePrefix("198.18.0.0/15"), 0}, {netip.MustParsePrefix("2001:db8::/32"), 0}}
		},
	}
}
