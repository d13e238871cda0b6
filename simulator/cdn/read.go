package cdn

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/simulator/document"
	"github.com/firedrill/firedrill/simulator/schema"
	"github.com/firedrill/firedrill/simulator/unit"
)

// Section is the key of a scenario's service under which it has a topology of
// its own.
const Section = "topology"

// Keys of the mappings of a topology.
var (
	topologyKeys  = []string{"sites", "links", "groups"}
	siteKeys      = []string{"id", "hosts", "host_capacity"}
	linkKeys      = []string{"id", "site", "operator", "capacity", "background", "target"}
	groupKeys     = []string{"operator", "region", "share", "prefixes", "candidates"}
	candidateKeys = []string{"link", "weight", "rtt"}
)

// ReadTopology reads the topology of a service strictly:
//
//	sites:
//	  - {id: fra, hosts: 250, host_capacity: 1}     # Gbit/s a host, default 1
//	links:
//	  - {id: fra-alder-1, site: fra, operator: alder, capacity: 100, background: 3, target: 0.8}
//	groups:
//	  - operator: alder
//	    region: fra
//	    share: 1                                    # of the demand, default 1
//	    prefixes: [198.18.0.0/15]
//	    candidates:
//	      - {link: fra-alder-1, weight: 0.6, rtt: 20ms}
//
// Capacities are in Gbit/s. It returns nil where something is wrong, which the
// decoder then knows.
func ReadTopology(d *document.Decoder, path string, n *yaml.Node) *Topology {
	o, ok := d.Object(path, n, "key of a topology", topologyKeys)
	if !ok {
		return nil
	}
	d.Require(o, topologyKeys...)
	r := reader{Decoder: d, t: &Topology{}}
	r.each(o, "sites", r.site)
	r.each(o, "links", r.link)
	r.each(o, "groups", r.group)
	if d.Failed() {
		return nil
	}
	routes := r.routes
	r.t.Routes = func() []Route { return routes }
	return r.t
}

// reader fills a topology from the nodes of a document.
type reader struct {
	*document.Decoder
	t      *Topology
	routes []Route
}

// each reads the items of a list, of which there is one at least.
func (r *reader) each(o document.Object, key string, read func(path string, n *yaml.Node)) {
	items := r.List(o.Field(key), o.Get(key))
	if n := o.Get(key); n != nil && len(items) == 0 && !r.Failed() {
		r.Report(o.Field(key), n, schema.Problem{Message: "is empty", Allowed: "at least one"})
	}
	for i, item := range items {
		read(document.Index(o.Field(key), i), item)
	}
}

func (r *reader) site(path string, n *yaml.Node) {
	o, ok := r.Object(path, n, "key of a site", siteKeys)
	if !ok {
		return
	}
	r.Require(o, "id", "hosts")
	s := Site{ID: r.name(o, "id"), HostCapacity: gigabit * unit.BitsPerSecond(r.number(o, "host_capacity", gbits(0.001), 1))}
	s.Hosts = int(r.number(o, "hosts", schema.Spec{Kind: schema.Integer, Min: 1, Max: 1e6}, 1))
	if s.ID != "" && slices.ContainsFunc(r.t.Sites, func(other Site) bool { return other.ID == s.ID }) {
		r.Report(o.Field("id"), nil, schema.Problem{Value: s.ID, Message: "is the id of another site"})
	}
	r.t.Sites = append(r.t.Sites, s)
}

func (r *reader) link(path string, n *yaml.Node) {
	o, ok := r.Object(path, n, "key of a link", linkKeys)
	if !ok {
		return
	}
	r.Require(o, "id", "site", "operator", "capacity")
	l := Link{
		ID: r.name(o, "id"), Site: r.oneOf(o, "site", "site", siteIDs(r.t)), Operator: r.operator(r.name(o, "operator")),
		Capacity:   gigabit * unit.BitsPerSecond(r.number(o, "capacity", gbits(0.001), 1)),
		Background: gigabit * unit.BitsPerSecond(r.number(o, "background", gbits(0), 0)),
		Target:     r.number(o, "target", schema.Spec{Kind: schema.Number, Min: 0.1, Max: 2}, 0),
	}
	if l.ID != "" && r.t.linkIndex(l.ID) >= 0 {
		r.Report(o.Field("id"), nil, schema.Problem{Value: l.ID, Message: "is the id of another link"})
	}
	r.t.Links = append(r.t.Links, l)
}

func (r *reader) group(path string, n *yaml.Node) {
	o, ok := r.Object(path, n, "key of a group", groupKeys)
	if !ok {
		return
	}
	r.Require(o, "operator", "region", "prefixes", "candidates")
	g := Group{Operator: r.operator(r.name(o, "operator")), Region: r.name(o, "region"),
		Share: r.number(o, "share", schema.Spec{Kind: schema.Number, Above: true, Max: 1e6}, 1)}
	if slices.ContainsFunc(r.t.Groups, func(other Group) bool { return other.Operator == g.Operator && other.Region == g.Region }) {
		r.Report(o.Field("region"), nil, schema.Problem{Value: g.Region, Message: "is the region of another group of this operator"})
	}
	r.each(o, "prefixes", r.prefix)
	r.each(o, "candidates", func(path string, n *yaml.Node) { r.candidate(path, n, &g) })
	r.t.Groups = append(r.t.Groups, g)
}

// prefix reads a prefix of the group that is being read.
func (r *reader) prefix(path string, n *yaml.Node) {
	v, ok := r.Scalar(path, n, schema.Spec{Kind: schema.Text})
	if !ok {
		return
	}
	p, err := netip.ParsePrefix(v.Text())
	switch {
	case err != nil || p != p.Masked():
		r.Report(path, n, schema.Problem{Value: v.Text(), Message: "is no prefix", Allowed: "an address and a length with no bits behind it, for example 198.18.0.0/15"})
	case slices.ContainsFunc(r.routes, func(other Route) bool { return other.Prefix == p }):
		r.Report(path, n, schema.Problem{Value: v.Text(), Message: "is given twice"})
	default:
		r.routes = append(r.routes, Route{p, len(r.t.Groups)})
	}
}

func (r *reader) candidate(path string, n *yaml.Node, g *Group) {
	o, ok := r.Object(path, n, "key of a candidate", candidateKeys)
	if !ok {
		return
	}
	r.Require(o, "link", "weight")
	c := Candidate{
		Link:   r.oneOf(o, "link", "link", linkIDs(r.t)),
		Weight: r.number(o, "weight", schema.Spec{Kind: schema.Number, Above: true, Max: 1000}, 1),
		RTT:    unit.Seconds(r.number(o, "rtt", schema.Spec{Kind: schema.Duration, Min: 0.001, Max: 2}, 0.02)),
	}
	if c.Link < 0 {
		return
	}
	if slices.ContainsFunc(g.Candidates, func(other Candidate) bool { return other.Link == c.Link }) {
		r.Report(o.Field("link"), nil, schema.Problem{Value: r.t.Links[c.Link].ID, Message: "is a candidate twice"})
	}
	g.Candidates = append(g.Candidates, c)
}

// gbits is the spec of a rate in Gbit/s.
func gbits(low float64) schema.Spec {
	return schema.Spec{Kind: schema.Number, Unit: "Gbit/s", Min: low, Max: 1e5}
}

// number reads a number or a span in seconds, preset where there is none.
func (r *reader) number(o document.Object, key string, spec schema.Spec, preset float64) float64 {
	if n := o.Get(key); n != nil {
		if v, ok := r.Scalar(o.Field(key), n, spec); ok {
			return v.Float()
		}
	}
	return preset
}

// name reads an identifier, "" where there is none.
func (r *reader) name(o document.Object, key string) string {
	text := r.Text(o, key, false)
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789-"
	if strings.Trim(text, letters) != "" || len(text) > 63 {
		r.Report(o.Field(key), nil, schema.Problem{Value: text, Message: "is no name", Allowed: "lower-case letters, digits and dashes, at most 63"})
	}
	return text
}

// operator returns the index of an operator, a new one where it is not known.
func (r *reader) operator(name string) int {
	if i := slices.Index(r.t.Operators, name); i >= 0 {
		return i
	}
	r.t.Operators = append(r.t.Operators, name)
	return len(r.t.Operators) - 1
}

// oneOf reads the name of one of some things and returns its index, −1 where
// there is none.
func (r *reader) oneOf(o document.Object, key, what string, names []string) int {
	name := r.name(o, key)
	i := slices.Index(names, name)
	if i < 0 && name != "" {
		r.Report(o.Field(key), nil, unknown("", what, name, names))
	}
	return i
}

func siteIDs(t *Topology) []string {
	ids := make([]string, len(t.Sites))
	for i := range ids {
		ids[i] = t.Sites[i].ID
	}
	return ids
}

func linkIDs(t *Topology) []string {
	ids := make([]string, len(t.Links))
	for i := range ids {
		ids[i] = t.Links[i].ID
	}
	return ids
}

// refuseBoth reports configuration that a topology of the service's own makes
// meaningless.
func refuseBoth(values schema.Values) schema.Problems {
	var problems schema.Problems
	for _, name := range []string{"topology", "topology_seed"} {
		if values.Given(name) {
			problems = append(problems, schema.Problem{Field: name, Value: fmt.Sprint(values.Get(name)), Message: "cannot stand beside the service's own " + Section})
		}
	}
	return problems
}
