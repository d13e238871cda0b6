package cdn

import (
	"fmt"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/dist"
	"github.com/firedrill/firedrill/simulator/rng"
	"github.com/firedrill/firedrill/simulator/schema"
)

var _ simulator.Model = (*Service)(nil)

// Service is a simulated CDN.
type Service struct {
	name     string
	setup    simulator.Setup
	start    int // seconds from midnight to tick 0
	config   Config
	topology *Topology
	routes   *routes        // nil until somebody asks for a prefix
	now      simulator.Tick // seconds simulated so far

	balancer Balancer
	links    []link // those of the topology, then the far site
	groups   []group
	users    alias // groups by demand
	surges   []surge
	flights  []flight // sessions that move in this second; reused
	rerouted bool     // routes changed in this second

	sites   []site
	counts  counts
	calm    [Contents][Rungs]int32 // sessions on links with room, in this second
	quality quality
	minute  minute
	row     Row // as it was last evaluated

	streams streams
	held    bool      // a past: the demand stays that of the opening
	past    *Snapshot // what the snapshots go on from; nil without a history
}

// streams are the sources of randomness, one for each purpose.
type streams struct {
	starts *rng.Stream // how many sessions start
	ends   *rng.Stream // how many end
	leaves *rng.Stream // how many leave a link
	steps  *rng.Stream // how many players change their bitrate
	users  picker      // which group, and whether the player can be moved
	routes picker      // which link
	picks  picker      // which session ends or moves
}

func newStreams(seed uint32, name string) streams {
	counts := func(purpose string) *rng.Stream { return rng.Named(seed, name+"/"+purpose) }
	return streams{
		starts: counts("starts"), ends: counts("ends"), leaves: counts("leaves"), steps: counts("steps"),
		users: newPicker(seed, name+"/users"), routes: newPicker(seed, name+"/routes"), picks: newPicker(seed, name+"/picks"),
	}
}

// surge is a multiple of the demand that rises, holds and falls.
type surge struct {
	start            simulator.Tick
	factor           float64
	rise, hold, fall float64 // seconds
	kind             Content
	all              bool // of every kind
}

// New makes a service that has simulated nothing yet. It fails on a
// configuration that Validate rejects. A topology that the scenario has for the
// service comes with the setup.
func New(setup simulator.Setup, config Config) (*Service, error) {
	if err := config.Validate().Err(); err != nil {
		return nil, err
	}
	topology, own := setup.Part.(*Topology)
	switch {
	case own:
	case config.Topology == "large":
		topology = Large(uint32(config.TopologySeed))
	default:
		topology = TwoLinks()
	}
	return open(setup, config, topology, setup.Name), nil
}

// open makes a service at its opening that draws from streams under the given
// name: sessions run already, on the links that their groups' weights give
// them, and every gauge shows what is there.
func open(setup simulator.Setup, config Config, topology *Topology, name string) *Service {
	clock := setup.Start
	s := &Service{
		name: setup.Name, setup: setup, config: config, topology: topology,
		start:    clock.Hour()*3600 + clock.Minute()*60 + clock.Second(),
		balancer: config.balancer(),
		links:    newLinks(topology, config),
		groups:   newGroups(topology),
		streams:  newStreams(setup.Seed, name),
		quality:  newQuality(len(topology.Operators)),
		counts:   newCounts(),
		sites:    make([]site, len(topology.Sites)),
	}
	s.apportion()
	s.refresh()
	s.populate()
	s.settle()
	return s
}

// populate starts the sessions of the opening.
func (s *Service) populate() {
	for kind := range Contents {
		mean := s.starts(kind, 0) * max(1, float64(s.config.Durations[kind]))
		for range dist.Poisson(s.streams.starts, mean) {
			s.arrive(kind)
		}
	}
}

// settle measures the opening, so that gauges, balancer and row have something
// to show before the first second.
func (s *Service) settle() {
	s.load()
	for i := range s.steered() {
		l := &s.links[i]
		l.device.value, l.senders.value = l.carriedRatio(), l.seenRatio()
		l.memory = NewMemory(l.gauge(s.config.Gauge).value)
	}
	s.minute.add(s)
	s.row = s.minute.row(s, 0)
}

// apportion sets up how arrivals are spread over the groups.
func (s *Service) apportion() {
	weights := make([]float64, len(s.groups))
	for i := range s.groups {
		weights[i] = s.groups[i].Share
	}
	s.users = newAlias(weights)
}

// steered are the links of the topology, without the far site.
func (s *Service) steered() []link { return s.links[:len(s.links)-1] }

// far is the index of the far site among the links.
func (s *Service) far() int { return len(s.links) - 1 }

// table returns the routing table.
func (s *Service) table() *routes {
	if s.routes == nil {
		s.routes = newRoutes(s.topology.Routes(), len(s.topology.Groups))
	}
	return s.routes
}

// groupName returns the name of a group: operator-region, and behind it the
// prefix that has the group to itself.
func (s *Service) groupName(g *group) string {
	name := g.name(s.topology)
	if g.prefix != "" {
		name += "/" + g.prefix
	}
	return name
}

func (s *Service) event(at simulator.Tick, kind string, fields ...simulator.Field) simulator.Event {
	return simulator.Event{At: at, Service: s.name, Kind: kind, Fields: fields}
}

// Check says when a command would apply: in the second that it is given for.
func (s *Service) Check(cmd simulator.Command, args schema.Values) (simulator.Tick, error) {
	var problems schema.Problems
	switch cmd.Do {
	case doSet:
		for _, name := range curveNames() {
			if args.Given(name) {
				problems = append(problems, checkCurves(args, name)...)
			}
		}
	case doSurge:
	case doSetWeight:
		problems = s.checkWeight(args)
	default:
		_, problems = s.findLink(args)
	}
	return cmd.At, problems.Under("args").Err()
}

// findLink returns the index of the link that arguments name.
func (s *Service) findLink(args schema.Values) (int, schema.Problems) {
	id := args.Get("link").Text()
	if i := s.topology.linkIndex(id); i >= 0 {
		return i, nil
	}
	return 0, schema.Problems{unknown("link", "link", id, linkIDs(s.topology))}
}

// unknown is the problem of a name that is none of many.
func unknown(field, what, name string, valid []string) schema.Problem {
	p := schema.Unknown(field, what, name, valid)
	const most = 12
	if n := len(valid); n > most {
		p.Allowed = schema.Unknown("", "", "", valid[:most]).Allowed + fmt.Sprintf(", … (%d in all)", n)
	}
	return p
}
