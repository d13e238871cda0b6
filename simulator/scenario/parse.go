package scenario

import (
	"math"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/document"
	"github.com/firedrill/firedrill/simulator/schema"
)

// defaultDate is the day of a scenario that names none: a Monday.
const defaultDate = "2026-01-05"

// maxDuration is the longest drill, in seconds.
const maxDuration = 400 * 86400

// Keys of the mappings of a scenario file.
var (
	scenarioKeys = []string{"name", "title", "date", "briefing", "seed", "start", "duration", "speed", "services", "events", "incidents", "goals", "operator"}
	serviceKeys  = []string{"name", "model", "config"}
	eventKeys    = []string{"id", "at", "service", "do", "args"}
	incidentKeys = []string{"id", "title", "service", "kind", "starts", "ends", "summary"}
	goalKeys     = []string{"id", "title", "service", "measure", "of", "at_least", "at_most", "from", "by"}
)

// Specs of the values that are not a service's.
var (
	seedSpec     = schema.Spec{Kind: schema.Integer, Min: 0, Max: math.MaxUint32}
	speedSpec    = schema.Spec{Kind: schema.Integer, Min: 1, Max: 3600}
	durationSpec = schema.Spec{Kind: schema.Duration, Min: 60, Max: maxDuration, Step: 60}
	kindSpec     = schema.Spec{Kind: schema.Enum, Options: []string{string(Errors), string(Latency), string(Saturation), string(Traffic), string(Freshness), string(Monitoring)}}
	statSpec     = schema.Spec{Kind: schema.Enum, Options: []string{string(End), string(Max), string(Min), string(Mean)}}
	limitSpec    = schema.Spec{Kind: schema.Number, Min: -1e15, Max: 1e15}
)

// Parse reads a scenario file strictly. The error is schema.Problems with
// everything that is wrong with it; file is the name that they carry.
//
// What it returns makes a run with the scenario's own seed, and with every
// draw at its lower or at its upper bound.
func Parse(file string, data []byte) (*Scenario, error) {
	return parse(file, data, Kinds())
}

func parse(file string, data []byte, kinds []*simulator.Kind) (*Scenario, error) {
	p := parser{Decoder: document.New(file, "scenario"), kinds: kinds, out: Scenario{File: file}}
	if root := p.Document(data); root != nil {
		p.scenario(root)
	}
	if p.Failed() {
		return nil, p.Sorted()
	}
	if problems := p.out.rehearse(); len(problems) > 0 {
		return nil, problems
	}
	return &p.out, nil
}

// rehearse reports what keeps the scenario from running at the bounds of its
// draws and with its own seed.
func (s *Scenario) rehearse() schema.Problems {
	for _, u := range []uniform{lowest, highest, seeded(s.Seed)} {
		if _, problems := s.build(Options{Scripted: true}, s.Seed, u); len(problems) > 0 {
			return problems
		}
	}
	return nil
}

// parser fills a scenario from the nodes of a document.
type parser struct {
	*document.Decoder
	kinds []*simulator.Kind
	out   Scenario
	ids   map[string]string // what has taken an id: event or operator
}

func (p *parser) scenario(root *yaml.Node) {
	o, ok := p.Object("", root, "key of a scenario", scenarioKeys)
	if !ok {
		return
	}
	p.Require(o, "name", "start", "duration", "services")
	s := &p.out
	s.lines, p.ids = p.Lines(), map[string]string{}
	s.Name = p.name(o, "name")
	s.Title = p.Text(o, "title", false)
	if s.Title == "" {
		s.Title = s.Name
	}
	s.Briefing = p.Text(o, "briefing", true)
	s.Start = p.start(o)
	s.Seed = uint32(p.number(o, "seed", seedSpec, 1))
	s.Speed = int(p.number(o, "speed", speedSpec, 60))
	s.Duration = simulator.Tick(p.number(o, "duration", durationSpec, maxDuration))
	p.services(o)
	s.Events = p.events(o, "events")
	s.Operator = p.events(o, "operator")
	p.incidents(o)
	p.goals(o)
	p.references()
}

// name reads an identifier, "" where there is none.
func (p *parser) name(o document.Object, key string) string {
	n := o.Get(key)
	if n == nil {
		return ""
	}
	v, ok := p.Scalar(o.Field(key), n, schema.Spec{Kind: schema.Text})
	if ok && !validName(v.Text()) {
		p.Report(o.Field(key), document.Resolve(n), schema.Problem{Value: v.Text(), Message: "is no name",
			Allowed: "lower-case letters, digits and dashes, a letter first, at most 63"})
	}
	return v.Text()
}

func validName(s string) bool {
	const letters, rest = "abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyz0123456789-"
	return s != "" && len(s) <= 63 && strings.ContainsRune(letters, rune(s[0])) && strings.Trim(s, rest) == ""
}

// start reads the date and the time of day.
func (p *parser) start(o document.Object) time.Time {
	date := p.clock(o, "date", defaultDate, "a date from 1970-01-01 to 2199-12-31", time.DateOnly)
	of := p.clock(o, "start", "00:00", `a time of day in quotes, for example "09:30"`, "15:04", time.TimeOnly)
	if date.Year() < 1970 || date.Year() > 2199 {
		p.Report("date", nil, schema.Problem{Value: date.Format(time.DateOnly), Message: "is out of range", Allowed: "a date from 1970-01-01 to 2199-12-31"})
	}
	return date.Add(of.Sub(of.Truncate(24 * time.Hour)))
}

// clock reads a text in one of several layouts.
func (p *parser) clock(o document.Object, key, preset, allowed string, layouts ...string) time.Time {
	text := preset
	if n := o.Get(key); n != nil {
		v, ok := p.Scalar(o.Field(key), n, schema.Spec{Kind: schema.Text})
		if !ok {
			v = schema.OfText(preset)
		}
		text = v.Text()
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil && t.Format(layout) == text {
			return t
		}
	}
	p.Report(o.Field(key), nil, schema.Problem{Value: text, Message: "cannot be read", Allowed: allowed})
	fallback, _ := time.Parse(layouts[0], preset)
	return fallback
}

// number reads a number or a span in seconds, preset where there is none.
func (p *parser) number(o document.Object, key string, spec schema.Spec, preset float64) float64 {
	n := o.Get(key)
	if n == nil {
		return preset
	}
	if v, ok := p.Scalar(o.Field(key), n, spec); ok {
		return v.Float()
	}
	return preset
}

func (p *parser) services(o document.Object) {
	items := p.List("services", o.Get("services"))
	if n := o.Get("services"); n != nil && document.Resolve(n).Kind == yaml.SequenceNode && len(items) == 0 {
		p.Report("services", n, schema.Problem{Message: "has no service", Allowed: "at least one"})
	}
	for i, item := range items {
		p.service(document.Index("services", i), item)
	}
}

func (p *parser) service(path string, n *yaml.Node) {
	keys := slices.Clone(serviceKeys)
	for _, own := range sections() {
		keys = append(keys, own.key)
	}
	o, ok := p.Object(path, n, "key of a service", keys)
	if !ok {
		return
	}
	p.Require(o, "name", "model")
	service := Service{Name: p.name(o, "name")}
	if service.Name != "" && p.out.serviceIndex(service.Name) >= 0 {
		p.Report(o.Field("name"), nil, schema.Problem{Value: service.Name, Message: "is the name of another service"})
	}
	if model := p.name(o, "model"); model != "" {
		kind, ok := findKind(p.kinds, model)
		if !ok {
			p.Report(o.Field("model"), nil, schema.Unknown("", "model", model, p.models()))
		}
		service.Kind = kind
	}
	if config := o.Get("config"); config != nil && service.Kind != nil {
		service.Config = p.arguments(o.Field("config"), config, "configuration key of a "+service.Kind.Name+" service", service.Kind.Config)
	}
	p.sections(o, &service)
	p.out.Services = append(p.out.Services, service)
}

// sections reads the parts of a service that its kind reads by itself.
func (p *parser) sections(o document.Object, service *Service) {
	for _, own := range sections() {
		n := o.Get(own.key)
		switch {
		case n == nil || service.Kind == nil:
		case service.Kind.Name != own.kind:
			p.Report(o.Field(own.key), nil, schema.Problem{Message: "is no part of a " + service.Kind.Name + " service", Allowed: "in a " + own.kind + " service"})
		default:
			service.Part = own.read(p.Decoder, o.Field(own.key), n)
		}
	}
}

func (p *parser) models() []string {
	names := make([]string, len(p.kinds))
	for i, k := range p.kinds {
		names[i] = k.Name
	}
	return names
}
