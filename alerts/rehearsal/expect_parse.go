package rehearsal

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/simulator/document"
	"github.com/firedrill/firedrill/simulator/schema"
)

// keyExpectations is the one key of a file of expectations.
const keyExpectations = "expectations"

// Keys of an expectation.
const (
	keyAlert    = "alert"
	keyMatchers = "matchers"
	keyScenario = "scenario"
	keyIncident = "incident"
	keyService  = "service"
	keyNever    = "never"
	keyFires    = "fires_within"
	keyBudget   = "budget_at_most"
	keyResolves = "resolves_within"
	keySeeds    = "seeds"
)

// ExpectationSpecs returns the keys of an expectation.
func ExpectationSpecs() schema.Specs {
	const month = 31 * 86400
	return schema.Specs{
		{Name: keyAlert, Kind: schema.Text, Required: true, Help: "name of the alert"},
		{Name: keyMatchers, Kind: schema.Text, Help: "of its labels, for example window=\"1h\""},
		{Name: keyScenario, Kind: schema.Text, Required: true, Help: "in which it is expected"},
		{Name: keyIncident, Kind: schema.Text, Help: "id of the incident; every one of the service where not given"},
		{Name: keyService, Kind: schema.Text, Help: "that alert and incident are about; any where not given"},
		{Name: keyNever, Kind: schema.Bool, Default: schema.OfBool(false), Help: "it must not fire"},
		{Name: keyFires, Kind: schema.Duration, Max: month, Help: "at most so long after the incident's start"},
		{Name: keyBudget, Kind: schema.Ratio, Max: 1, Help: "share of the month's error budget that may be spent when it fires"},
		{Name: keyResolves, Kind: schema.Duration, Max: month, Help: "at most so long after the incident's end"},
		{Name: keySeeds, Kind: schema.Text, Default: schema.OfText("all"), Help: "in which it has to hold: all, or a share such as 80%"},
	}
}

// ParseExpectations reads a file of expectations. The error is schema.Problems
// with everything that is wrong with it; file is the name that they carry.
func ParseExpectations(file string, data []byte) ([]Expectation, error) {
	p := expectations{Decoder: document.New(file, "list of expectations"), file: file}
	if root := p.Document(data); root != nil {
		p.read(root)
	}
	if p.Failed() {
		return nil, p.Sorted()
	}
	return p.out, nil
}

// expectations reads the nodes of a document.
type expectations struct {
	*document.Decoder
	file string
	out  []Expectation
}

func (p *expectations) read(root *yaml.Node) {
	o, ok := p.Object("", root, "key of a file of expectations", []string{keyExpectations})
	if !ok {
		return
	}
	p.Require(o, keyExpectations)
	for i, item := range p.List(keyExpectations, o.Get(keyExpectations)) {
		p.one(document.Index(keyExpectations, i), item)
	}
}

// one reads an expectation.
func (p *expectations) one(path string, n *yaml.Node) {
	o, ok := p.Object(path, n, "key of an expectation", ExpectationSpecs().Names())
	if !ok {
		return
	}
	args := schema.Args{}
	var wrong []string
	for _, spec := range ExpectationSpecs() {
		if n := o.Get(spec.Name); n != nil {
			raw, ok := p.Raw(o.Field(spec.Name), n, spec.Allowed())
			if !ok {
				wrong = append(wrong, spec.Name)
				continue
			}
			args[spec.Name] = raw
		}
	}
	values, problems := ExpectationSpecs().Parse("key of an expectation", args)
	for _, problem := range problems {
		if !slices.Contains(wrong, problem.Field) {
			p.Report(path+"."+problem.Field, nil, problem)
		}
	}
	e := p.expectation(path, values)
	e.File, e.Line = p.file, p.Lines().Of(path)
	p.out = append(p.out, e)
}

func (p *expectations) expectation(path string, v schema.Values) Expectation {
	e := Expectation{
		Alert: v.Get(keyAlert).Text(), Scenario: v.Get(keyScenario).Text(), Incident: v.Get(keyIncident).Text(), Service: v.Get(keyService).Text(),
		Never: v.Get(keyNever).Bool(), Fires: duration(v, keyFires), Resolves: duration(v, keyResolves),
	}
	if v.Given(keyBudget) {
		e.Budget = new(v.Get(keyBudget).Float())
	}
	if v.Given(keyMatchers) {
		matchers, err := ParsePage(v.Get(keyMatchers).Text())
		if err != nil {
			p.Report(path+"."+keyMatchers, nil, schema.Problem{Value: v.Get(keyMatchers).Text(), Message: "are no matchers", Allowed: `as in a selector, for example window="1h"`})
		}
		e.Matchers = matchers
	}
	var ok bool
	if e.Seeds, ok = share(v.Get(keySeeds).Text()); !ok {
		p.Report(path+"."+keySeeds, nil, schema.Problem{Value: v.Get(keySeeds).Text(), Message: "is no share", Allowed: "all, or a percentage such as 80%"})
	}
	if bounded := e.Fires != nil || e.Budget != nil || e.Resolves != nil || e.Incident != ""; e.Never && bounded {
		p.Report(path+"."+keyNever, nil, schema.Problem{Value: "true", Message: "leaves nothing to bound: " + strings.Join([]string{keyFires, keyBudget, keyResolves, keyIncident}, ", ")})
	}
	return e
}

func duration(v schema.Values, key string) *time.Duration {
	if !v.Given(key) {
		return nil
	}
	return new(time.Duration(v.Get(key).Float() * float64(time.Second)))
}

// share reads all or a percentage.
func share(text string) (float64, bool) {
	if text == "all" {
		return 1, true
	}
	number, percent := strings.CutSuffix(text, "%")
	x, err := strconv.ParseFloat(number, 64)
	return x / 100, percent && err == nil && x > 0 && x <= 100
}
