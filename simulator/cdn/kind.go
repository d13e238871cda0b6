package cdn

import (
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

// Kind returns the kind of model that this package implements.
func Kind() *simulator.Kind {
	return &simulator.Kind{
		Name:    "cdn",
		Config:  ConfigSpecs(),
		Actions: actionSpecs(),
		Columns: columns(),
		Lists:   lists(),
		New: func(setup simulator.Setup, values schema.Values) (simulator.Model, error) {
			if _, own := setup.Part.(*Topology); own {
				if problems := refuseBoth(values); len(problems) > 0 {
					return nil, problems
				}
			}
			config, err := NewConfig(values)
			if err != nil {
				return nil, err
			}
			s, err := New(setup, config)
			if err != nil {
				return nil, err
			}
			return s, nil
		},
	}
}

// Names of the actions.
const (
	doSet           = "set"
	doSetWeight     = "set_weight"
	doDrain         = "drain_link"
	doRestore       = "restore_link"
	doWithdraw      = "withdraw"
	doAnnounce      = "announce"
	doBreak         = "break_link"
	doRepair        = "repair_link"
	doSetCapacity   = "set_capacity"
	doSetBackground = "set_background"
	doSurge         = "surge"
)

// allKinds is what a surge of everything names as its kind.
const allKinds = "all"

// actionSpecs lists what can be done to a CDN.
func actionSpecs() []schema.Action {
	link := schema.Spec{Name: "link", Kind: schema.Text, Required: true, Help: "id of the link"}
	gbits := func(help string, low float64) schema.Spec {
		return schema.Spec{Name: "rate", Kind: schema.Number, Unit: "Gbit/s", Min: low, Max: 1e5, Required: true, Help: help}
	}
	kinds := []string{allKinds}
	for k := range Contents {
		kinds = append(kinds, k.String())
	}
	span := func(name, help string) schema.Spec {
		return schema.Spec{Name: name, Kind: schema.Duration, Max: 30 * 86400, Step: 1, Required: true, Help: help}
	}
	return []schema.Action{
		{Name: doSet, Help: "move a lever: balancer, its gauge and parameters, bitrates, routing", Args: liveSpecs(), AtLeastOne: true},
		{Name: doSetWeight, Help: "change the weight of a link for a group, or for a prefix, which gets a group of its own", Args: schema.Specs{
			{Name: "group", Kind: schema.Text, Help: "name of the group: operator-region"},
			{Name: "prefix", Kind: schema.Text, Help: "a prefix within the routing table, for example 198.18.7.0/24"},
			link,
			{Name: "weight", Kind: schema.Number, Above: true, Max: 1000, Required: true, Help: "relative to the other candidates"},
		}},
		{Name: doDrain, Help: "no new sessions on the link, movable ones leave at 3 % in 10 s; in maintenance when they are gone", Args: schema.Specs{link}},
		{Name: doRestore, Help: "use a link again that was drained or is in maintenance", Args: schema.Specs{link}},
		{Name: doWithdraw, Help: "stop announcing the link (routing anycast): users are elsewhere after 30 s", Args: schema.Specs{link}},
		{Name: doAnnounce, Help: "announce the link again (routing anycast)", Args: schema.Specs{link}},
		{Name: doBreak, Fault: true, Help: "break a link: movable sessions move at their next segment, the others are lost", Args: schema.Specs{link}},
		{Name: doRepair, Fault: true, Help: "repair a broken link", Args: schema.Specs{link}},
		{Name: doSetCapacity, Fault: true, Help: "change the capacity of a link", Args: schema.Specs{link, gbits("what the link carries", 0.001)}},
		{Name: doSetBackground, Fault: true, Help: "change the traffic of other services on a link", Args: schema.Specs{link, gbits("that is not steered", 0)}},
		{Name: doSurge, Fault: true, Help: "multiply the demand for a while; a factor below 1 is a drop", Args: schema.Specs{
			{Name: "factor", Kind: schema.Number, Min: 0, Max: 16, Required: true, Help: "at the height of the surge"},
			span("rise", "from nothing to the height"), span("hold", "at the height"), span("fall", "from the height to nothing"),
			{Name: "kind", Kind: schema.Enum, Options: kinds, Default: schema.OfText(allKinds), Help: "of the sessions"},
		}},
	}
}

// liveSpecs are the arguments of set: the keys that an operator may change.
func liveSpecs() schema.Specs {
	var specs schema.Specs
	for _, o := range options() {
		if o.live {
			specs = append(specs, o.Spec)
		}
	}
	return specs
}

// Settings returns the levers of set as they stand.
func (s *Service) Settings() []simulator.Setting {
	var settings []simulator.Setting
	for _, o := range options() {
		if o.live {
			settings = append(settings, simulator.Setting{Name: o.Name, Value: o.get(&s.config)})
		}
	}
	return settings
}
