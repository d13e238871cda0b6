package cdn

import (
	"math"
	"net/netip"

	"github.com/gaissmai/bart"
)

// routes is the routing table: prefixes to groups by the longest match.
type routes struct {
	table bart.Fast[int]
	count []int // prefixes of each group
}

// newRoutes makes the table of some routes for so many groups.
func newRoutes(all []Route, groups int) *routes {
	r := &routes{count: make([]int, groups)}
	for _, route := range all {
		r.table.Insert(route.Prefix.Masked(), route.Group)
		r.count[route.Group]++
	}
	return r
}

// lookup returns the group of an address.
func (r *routes) lookup(address netip.Addr) (group int, ok bool) { return r.table.Lookup(address) }

// around returns the longest prefix in the table that covers p, and its group.
func (r *routes) around(p netip.Prefix) (covering netip.Prefix, group int, ok bool) {
	return r.table.LookupPrefixLPM(p.Masked())
}

// share returns which part of its group's demand a prefix has, given the
// covering one of the table: the prefixes of a group have equal parts, and so
// have the halves of a prefix.
func (r *routes) share(p, covering netip.Prefix, group int) float64 {
	return math.Ldexp(1/float64(r.count[group]), covering.Bits()-p.Bits())
}

// split gives a prefix to a group of its own, the next one.
func (r *routes) split(p, covering netip.Prefix, from int) (group int) {
	group = len(r.count)
	r.count = append(r.count, 1)
	if p == covering {
		r.count[from]--
	}
	r.table.Insert(p, group)
	return group
}
