package cdn

import (
	"net/netip"
	"slices"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
	"github.com/firedrill/firedrill/simulator/unit"
)

// apply carries out a command at the beginning of the second at now.
func (s *Service) apply(now simulator.Tick, due simulator.Due, events []simulator.Event) []simulator.Event {
	args := due.Values
	switch due.Do {
	case doSet:
		s.set(args)
		return events
	case doSetWeight:
		s.setWeight(args)
		return events
	case doSurge:
		s.surge(now, args)
		return events
	}
	if i, problems := s.findLink(args); len(problems) == 0 {
		s.applyTo(&s.links[i], now, due)
	}
	return events
}

// applyTo carries out a command about one link.
func (s *Service) applyTo(l *link, now simulator.Tick, due simulator.Due) {
	switch due.Do {
	case doDrain:
		if l.status == Up {
			l.status = Draining
		}
	case doRestore:
		if l.status != Broken {
			l.status = Up
		}
	case doWithdraw:
		l.withdrawn = true
	case doAnnounce:
		l.withdrawn = false
	case doBreak:
		if l.status != Broken {
			l.status, l.brokenAt = Broken, now
		}
	case doRepair:
		if l.status == Broken {
			l.status = Up
			l.memory.restart()
		}
	case doSetCapacity:
		l.Capacity = unit.BitsPerSecond(due.Values.Get("rate").Float() * gigabit)
	case doSetBackground:
		l.background = due.Values.Get("rate").Float() * gigabit
	}
	s.refresh()
}

// set moves the levers that are given. A new balancer begins without what the
// last one has summed up, and a new gauge without what the last one has shown.
func (s *Service) set(args schema.Values) {
	before := s.config
	for _, o := range options() {
		if o.live && args.Given(o.Name) {
			o.put(&s.config, args.Get(o.Name))
		}
	}
	s.balancer = s.config.balancer()
	for i := range s.steered() {
		l := &s.links[i]
		if s.config.Gauge != before.Gauge {
			l.memory = NewMemory(l.gauge(s.config.Gauge).value)
		}
		if s.config.Algorithm != before.Algorithm {
			l.memory.restart()
		}
	}
	if s.config.Routing != before.Routing {
		s.rerouted = true
	}
}

func (s *Service) surge(now simulator.Tick, args schema.Values) {
	g := surge{start: now, factor: args.Get("factor").Float(), all: true,
		rise: args.Get("rise").Float(), hold: args.Get("hold").Float(), fall: args.Get("fall").Float()}
	for kind := range Contents {
		if kind.String() == args.Get("kind").Text() {
			g.kind, g.all = kind, false
		}
	}
	s.surges = append(s.surges, g)
}

// maxGroups is the number of groups that a session can tell apart.
const maxGroups = 1 << 16

// checkWeight reports what is wrong with the arguments of set_weight.
func (s *Service) checkWeight(args schema.Values) schema.Problems {
	link, problems := s.findLink(args)
	if args.Given("group") == args.Given("prefix") {
		return append(problems, schema.Problem{Message: "needs a group or a prefix", Allowed: "one of group, prefix"})
	}
	g, problem := s.weighed(args)
	if problem != nil {
		return append(problems, *problem)
	}
	if len(problems) == 0 && s.groups[g].way(link) == nil {
		var ids []string
		for _, w := range s.groups[g].ways {
			ids = append(ids, s.links[w.Link].ID)
		}
		problems = append(problems, schema.Unknown("link", "candidate of "+s.groupName(&s.groups[g]), args.Get("link").Text(), ids))
	}
	return problems
}

// weighed returns the group that arguments of set_weight are about, or that
// their prefix belongs to so far.
func (s *Service) weighed(args schema.Values) (int, *schema.Problem) {
	if !args.Given("group") {
		_, _, group, problem := s.findPrefix(args.Get("prefix").Text())
		return group, problem
	}
	names := make([]string, len(s.groups))
	for i := range s.groups {
		names[i] = s.groupName(&s.groups[i])
	}
	name := args.Get("group").Text()
	if i := slices.Index(names, name); i >= 0 {
		return i, nil
	}
	problem := unknown("group", "group", name, names)
	return 0, &problem
}

// findPrefix reads a prefix and looks up what covers it.
func (s *Service) findPrefix(text string) (p, covering netip.Prefix, group int, problem *schema.Problem) {
	p, err := netip.ParsePrefix(text)
	if err != nil || p != p.Masked() {
		return p, p, 0, &schema.Problem{Field: "prefix", Value: text, Message: "is no prefix", Allowed: "an address and a length with no bits behind it, for example 198.18.7.0/24"}
	}
	covering, group, ok := s.table().around(p)
	if !ok {
		return p, p, 0, &schema.Problem{Field: "prefix", Value: text, Message: "is outside the routing table", Allowed: "a prefix that one of the table covers"}
	}
	if len(s.groups) >= maxGroups {
		return p, p, 0, &schema.Problem{Field: "prefix", Value: text, Message: "would need a group more than there can be"}
	}
	return p, covering, group, nil
}

// setWeight changes the weight of a link for a group. A prefix that is not the
// only one of a group gets a group of its own first, with its part of the
// demand; what runs already stays with the old one.
func (s *Service) setWeight(args schema.Values) {
	i, _ := s.weighed(args)
	if args.Given("prefix") {
		i = s.own(args.Get("prefix").Text())
	}
	link, _ := s.findLink(args)
	w := s.groups[i].way(link)
	w.Weight, w.factor = args.Get("weight").Float(), 1
	s.refresh()
}

// own returns the group that a prefix has to itself.
func (s *Service) own(text string) int {
	p, covering, from, problem := s.findPrefix(text)
	if problem != nil || s.groups[from].prefix == text {
		return from
	}
	share := float64(s.groups[from].Share * s.table().share(p, covering, from))
	g := newGroup(s.groups[from].Group)
	for i := range g.ways {
		g.ways[i] = *s.groups[from].way(g.ways[i].Link)
	}
	g.prefix, g.Share = text, share
	s.groups[from].Share -= share
	s.groups = append(s.groups, g)
	s.apportion()
	return s.table().split(p, covering, from)
}
