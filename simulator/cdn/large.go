package cdn

import (
	"encoding/binary"
	"fmt"
	"math"
	"net/netip"
	"slices"

	"github.com/firedrill/firedrill/simulator/fmath"
	"github.com/firedrill/firedrill/simulator/unit"
)

// Sizes of the large topology.
const (
	largeSites     = 30
	largeHosts     = 5000
	largeThin      = 290 // links of 10 Gbit/s
	largeThick     = 10  // links of 100 Gbit/s, for everybody
	largeOperators = 24
	largeRegions   = 20 // of each operator, at most; the biggest sites
	largePrefixes  = 100000
	largeOwn       = 4 // candidates of a group that belong to its operator
)

// sites names the sites of the large topology, the biggest first.
func siteNames() []string {
	return []string{"fra", "ams", "lhr", "cdg", "waw", "mad", "mxp", "arn", "vie", "prg", "bud", "otp", "sof", "ath", "hel",
		"osl", "cph", "dub", "lis", "bru", "zrh", "ham", "muc", "gdn", "krk", "rix", "vno", "zag", "beg", "lux"}
}

// operatorNames names the operators of the large topology, the one with most
// users first; the last two carry traffic for all.
func operatorNames() []string {
	return []string{"alder", "birch", "cedar", "elm", "fir", "hazel", "hornbeam", "juniper", "larch", "lime", "maple", "mulberry",
		"oak", "olive", "pear", "pine", "plane", "poplar", "rowan", "spruce", "walnut", "wild-cherry", "willow", "yew", "transit-1", "transit-2"}
}

// Large returns a CDN of 30 sites, 300 links, 5 000 hosts, about 470 groups and
// 100 000 prefixes. Demand is skewed: the k-th operator has a share of 1/k, and
// so have, less steeply, the regions. Links were built for about what is needed,
// but not where it is needed: the most wanted ones are asked for more than they
// carry, and most have room.
func Large(seed uint32) *Topology {
	b := builder{pick: newPicker(seed, "topology/large"), t: &Topology{Operators: operatorNames()}}
	b.sites()
	b.links()
	b.groups()
	groups := len(b.t.Groups)
	b.t.Routes = func() []Route { return largeRoutes(seed, groups) }
	return b.t
}

// builder makes the large topology.
type builder struct {
	pick picker
	t    *Topology
	x, y []float64 // where the sites are, in milliseconds of round-trip time
	at   [][]int   // links of each operator
}

func (b *builder) sites() {
	left := largeHosts
	for i, id := range siteNames() {
		hosts := left / (largeSites - i)
		if i < largeSites-1 {
			hosts = int(float64(hosts) * (0.7 + float64(0.6*b.pick.unit())))
		}
		left -= hosts
		b.t.Sites = append(b.t.Sites, Site{ID: id, Hosts: hosts, HostCapacity: gigabit})
		b.x, b.y = append(b.x, 40*b.pick.unit()), append(b.y, 40*b.pick.unit())
	}
}

// links spreads the thin links over the operators by the root of their demand,
// since whoever is big has private ways besides, and each operator's over the
// sites.
func (b *builder) links() {
	b.at = make([][]int, len(b.t.Operators))
	weights := make([]float64, largeOperators)
	for k := range weights {
		weights[k] = zipf(k, 0.6)
	}
	for k, n := range spread(largeThin, weights) {
		b.operatorLinks(k, n)
	}
	for i := range largeThick {
		b.link(i, largeOperators+i%2, 100*gigabit)
	}
}

// operatorLinks builds n links for an operator, the first one at a site of its
// own, the others where most users are.
func (b *builder) operatorLinks(operator, n int) {
	popular := make([]float64, largeSites)
	for i := range popular {
		popular[i] = zipf(i, 0.7)
	}
	choice := newAlias(popular)
	for range n {
		b.link(choice.draw(b.pick), operator, 10*gigabit)
	}
}

func (b *builder) link(site, operator int, capacity unit.BitsPerSecond) {
	id := b.t.Sites[site].ID + "-" + b.t.Operators[operator]
	n := 1
	for _, i := range b.at[operator] {
		if b.t.Links[i].Site == site {
			n++
		}
	}
	background := unit.BitsPerSecond(float64(capacity) * 0.06 * b.pick.unit())
	b.at[operator] = append(b.at[operator], len(b.t.Links))
	b.t.Links = append(b.t.Links, Link{ID: fmt.Sprintf("%s-%d", id, n), Site: site, Operator: operator, Capacity: capacity, Background: background})
}

func (b *builder) groups() {
	for operator := range largeOperators {
		for region := range largeRegions {
			b.t.Groups = append(b.t.Groups, Group{
				Operator: operator, Region: b.t.Sites[region].ID,
				Share:      zipf(operator, 1) * zipf(region, 0.7) * (0.6 + float64(0.8*b.pick.unit())),
				Candidates: b.candidates(operator, region),
			})
		}
	}
}

// candidates returns the nearest links of the operator, and of those for all.
func (b *builder) candidates(operator, region int) []Candidate {
	own := b.nearest(region, slices.Clone(b.at[operator]), largeOwn)
	all := b.nearest(region, slices.Concat(b.at[largeOperators], b.at[largeOperators+1]), 2)
	var out []Candidate
	for rank, link := range own {
		out = append(out, Candidate{Link: link, RTT: b.rtt(region, link), Weight: unevenness(rank) * (0.5 + float64(b.pick.unit()))})
	}
	for _, link := range all {
		out = append(out, Candidate{Link: link, RTT: b.rtt(region, link) + 0.005, Weight: 0.03})
	}
	return out
}

// unevenness is how much the network team prefers the nearest link.
func unevenness(rank int) float64 { return zipf(rank, 1) }

// nearest returns up to n links, those nearest to a region first.
func (b *builder) nearest(region int, links []int, n int) []int {
	slices.SortStableFunc(links, func(i, j int) int {
		switch x, y := b.rtt(region, i), b.rtt(region, j); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return links[:min(n, len(links))]
}

// rtt returns the round-trip time of users in a region over a link.
func (b *builder) rtt(region, link int) unit.Seconds {
	site := b.t.Links[link].Site
	dx, dy := b.x[region]-b.x[site], b.y[region]-b.y[site]
	return unit.Seconds(0.005 + math.Sqrt(float64(dx*dx)+float64(dy*dy))/1000)
}

// zipf returns the weight 1/(k + 1)^s of rank k.
func zipf(k int, s float64) float64 { return power(float64(k+1), -s) }

// spread hands out n things by weights, each at least one.
func spread(n int, weights []float64) []int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	out := make([]int, len(weights))
	left := n
	for i, w := range weights {
		out[i] = max(1, int(float64(n)*w/sum))
		left -= out[i]
	}
	out[0] += left
	return out
}

// largeRoutes makes the prefixes of the large topology: distinct networks of
// /20 to /24, each of a group that is drawn.
func largeRoutes(seed uint32, groups int) []Route {
	pick := newPicker(seed, "topology/large/prefixes")
	seen := make(map[netip.Prefix]bool, largePrefixes)
	routes := make([]Route, 0, largePrefixes)
	for len(routes) < largePrefixes {
		var address [4]byte
		binary.BigEndian.PutUint32(address[:], uint32(1<<24+pick.below(222<<24)))
		p := netip.PrefixFrom(netip.AddrFrom4(address), 20+pick.below(5)).Masked()
		if !seen[p] {
			seen[p] = true
			routes = append(routes, Route{p, pick.below(groups)})
		}
	}
	for g := range groups {
		routes[g].Group = g // every group has one
	}
	return routes
}

// power returns x to the power of s for x > 0.
func power(x, s float64) float64 { return fmath.Exp(float64(s * fmath.Log(x))) }
