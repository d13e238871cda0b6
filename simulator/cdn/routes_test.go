package cdn

import (
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"testing"

	"pgregory.net/rapid"
)

// prefixRoutes gives each prefix to a group of its own.
func prefixRoutes(prefixes ...string) []Route {
	var routes []Route
	for i, p := range prefixes {
		routes = append(routes, Route{netip.MustParsePrefix(p), i})
	}
	return routes
}

// scan looks an address up as anybody would who has time.
func scan(routes []Route, address netip.Addr) (group int, ok bool) {
	longest := -1
	for _, r := range routes {
		if r.Prefix.Contains(address) && r.Prefix.Bits() > longest {
			group, ok, longest = r.Group, true, r.Prefix.Bits()
		}
	}
	return group, ok
}

// TestLookupAgreesWithAScan compares the table with a linear scan, on random
// tables whose prefixes often lie within each other.
func TestLookupAgreesWithAScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		address := rapid.Custom(func(t *rapid.T) netip.Addr {
			if rapid.Bool().Draw(t, "v6") {
				bytes := [16]byte{0: 0x20, 1: 1, 15: rapid.Byte().Draw(t, "low")}
				bytes[2] = rapid.SampledFrom([]byte{0, 1, 0x80, 0xff}).Draw(t, "high")
				return netip.AddrFrom16(bytes)
			}
			return netip.AddrFrom4([4]byte{10, rapid.SampledFrom([]byte{0, 1, 128}).Draw(t, "b"), rapid.Byte().Draw(t, "c"), rapid.Byte().Draw(t, "d")})
		})
		var routes []Route
		seen := map[netip.Prefix]bool{}
		for range rapid.IntRange(1, 60).Draw(t, "routes") {
			a := address.Draw(t, "network")
			p := netip.PrefixFrom(a, rapid.IntRange(0, a.BitLen()).Draw(t, "bits")).Masked()
			if !seen[p] {
				seen[p] = true
				routes = append(routes, Route{p, len(routes)})
			}
		}
		table := newRoutes(routes, len(routes))
		for range 50 {
			a := address.Draw(t, "address")
			group, ok := table.lookup(a)
			if wantGroup, wantOK := scan(routes, a); group != wantGroup || ok != wantOK {
				t.Fatalf("%s: group %d %v, a scan finds %d %v in %v", a, group, ok, wantGroup, wantOK, routes)
			}
		}
	})
}

// million are a million distinct networks of /16 to /24 and addresses within.
func million() ([]Route, []netip.Addr) {
	draw := rand.New(rand.NewPCG(1, 2))
	seen := map[netip.Prefix]bool{}
	var routes []Route
	var addresses []netip.Addr
	for len(routes) < 1e6 {
		var bytes [4]byte
		binary.BigEndian.PutUint32(bytes[:], draw.Uint32())
		a := netip.AddrFrom4(bytes)
		p := netip.PrefixFrom(a, 16+min(draw.IntN(20), 8)).Masked()
		if !seen[p] {
			seen[p] = true
			routes = append(routes, Route{p, len(routes) % 500})
			addresses = append(addresses, a)
		}
	}
	draw.Shuffle(len(addresses), func(i, j int) { addresses[i], addresses[j] = addresses[j], addresses[i] })
	return routes, addresses[:1<<16]
}

// byLength is the alternative that the table is measured beside: a map for each
// length of a prefix, asked from the longest on.
type byLength [33]map[netip.Prefix]int

func newByLength(routes []Route) *byLength {
	var m byLength
	for _, r := range routes {
		if m[r.Prefix.Bits()] == nil {
			m[r.Prefix.Bits()] = map[netip.Prefix]int{}
		}
		m[r.Prefix.Bits()][r.Prefix] = r.Group
	}
	return &m
}

func (m *byLength) lookup(a netip.Addr) (int, bool) {
	for bits := 32; bits >= 0; bits-- {
		if m[bits] == nil {
			continue
		}
		p, _ := a.Prefix(bits)
		if group, ok := m[bits][p]; ok {
			return group, true
		}
	}
	return 0, false
}

// BenchmarkMillionPrefixes builds a full routing table and looks up matching
// addresses at random, warm, beside a map for each length.
func BenchmarkMillionPrefixes(b *testing.B) {
	routes, addresses := million()
	table, maps := newRoutes(routes, 500), newByLength(routes)
	for _, a := range addresses[:1000] {
		group, ok := table.lookup(a)
		if want, wantOK := maps.lookup(a); group != want || !ok || !wantOK {
			b.Fatalf("%s: the table finds %d %v, the maps find %d %v", a, group, ok, want, wantOK)
		}
	}
	lookups := func(lookup func(netip.Addr) (int, bool)) func(*testing.B) {
		return func(b *testing.B) {
			i := 0
			for b.Loop() {
				lookup(addresses[i&(len(addresses)-1)])
				i++
			}
		}
	}
	b.Run("lookup/table", lookups(table.lookup))
	b.Run("lookup/maps", lookups(maps.lookup))
	b.Run("build/table", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			newRoutes(routes, 500)
		}
	})
	b.Run("build/maps", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			newByLength(routes)
		}
	})
}
