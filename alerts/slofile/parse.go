package slofile

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/simulator/document"
	"github.com/firedrill/firedrill/simulator/latency"
	"github.com/firedrill/firedrill/simulator/schema"
)

// Parse reads an SLO file. The error is schema.Problems with everything that is
// wrong with it; file is the name that they carry.
func Parse(file string, data []byte) ([]alerts.SLO, error) {
	p := parser{Decoder: document.New(file, "list of SLOs")}
	if root := p.Document(data); root != nil {
		p.file(root)
	}
	if p.Failed() {
		return nil, p.Sorted()
	}
	return p.out, nil
}

// parser fills SLOs from the nodes of a document.
type parser struct {
	*document.Decoder
	out []alerts.SLO
}

func (p *parser) file(root *yaml.Node) {
	o, ok := p.Object("", root, "key of an SLO file", []string{keySLOs})
	if !ok {
		return
	}
	p.Require(o, keySLOs)
	items := p.List(keySLOs, o.Get(keySLOs))
	if n := o.Get(keySLOs); n != nil && n.Kind == yaml.SequenceNode && len(items) == 0 {
		p.Report(keySLOs, n, schema.Problem{Message: "is empty", Allowed: "at least one SLO"})
	}
	for i, item := range items {
		e := entry{parser: p, path: document.Index(keySLOs, i)}
		e.read(item)
	}
}

// entry reads one SLO.
type entry struct {
	*parser
	path  string
	wrong []string // keys that have a problem
}

// report adds a problem of the key that it names.
func (e *entry) report(problem schema.Problem) {
	e.wrong = append(e.wrong, problem.Field)
	e.Report(e.path+"."+problem.Field, nil, problem)
}

func (e *entry) read(n *yaml.Node) {
	o, ok := e.Object(e.path, n, "key of an SLO", Specs().Names())
	if !ok {
		return
	}
	values, problems := Specs().Parse("key of an SLO", e.args(o))
	for _, problem := range problems {
		if !slices.Contains(e.wrong, problem.Field) {
			e.report(problem)
		}
	}
	s := e.slo(values)
	for _, field := range s.Validate() {
		if !slices.Contains(e.wrong, field.Field) {
			e.report(schema.Problem{Field: field.Field, Value: field.Value, Message: field.Message, Allowed: field.Allowed})
		}
	}
	e.unique(s)
	e.out = append(e.out, s)
}

// args returns the values of the keys that have one.
func (e *entry) args(o document.Object) schema.Args {
	args := schema.Args{}
	for _, spec := range Specs() {
		n := o.Get(spec.Name)
		if n == nil {
			continue
		}
		if raw, ok := e.Raw(o.Field(spec.Name), n, spec.Allowed()); ok {
			args[spec.Name] = raw
		} else {
			e.wrong = append(e.wrong, spec.Name)
		}
	}
	return args
}

func (e *entry) slo(v schema.Values) alerts.SLO {
	return alerts.SLO{
		Name:        v.Get(keyName).Text(),
		Service:     v.Get(keyService).Text(),
		Objective:   v.Get(keyObjective).Float(),
		Period:      time.Duration(v.Get(keyPeriod).Float() * float64(time.Second)),
		Indicator:   e.indicator(v),
		MinRequests: v.Get(keyMinimum).Float(),
		DropRatio:   v.Get(keyDrop).Float(),
		Alert:       v.Get(keyAlert).Text(),
		Runbook:     v.Get(keyRunbook).Text(),
	}
}

// indicator makes the indicator of the keys that are given: counters or a
// histogram.
func (e *entry) indicator(v schema.Values) alerts.Indicator {
	given := func(keys ...string) []string {
		return slices.DeleteFunc(keys, func(key string) bool { return !v.Given(key) })
	}
	counters, histogram := given(keyErrors, keyGood, keyTotal), given(keyHistogram, keyThreshold, keyNative)
	if len(counters) > 0 && len(histogram) > 0 {
		e.report(schema.Problem{Field: histogram[0], Message: "is given beside " + strings.Join(counters, " and "), Allowed: "counters or a histogram"})
		e.wrong = append(e.wrong, keyErrors, keyTotal, keyHistogram, keyThreshold)
	}
	if len(histogram) == 0 {
		return alerts.Counters{Errors: e.selector(v, keyErrors), Good: e.selector(v, keyGood), Total: e.selector(v, keyTotal)}
	}
	selector, threshold := e.selector(v, keyHistogram), v.Get(keyThreshold).Float()
	if v.Get(keyNative).Bool() {
		return alerts.Native{Histogram: selector, Threshold: threshold}
	}
	e.bucket(selector.Metric, threshold)
	return alerts.Buckets{Histogram: selector, Threshold: threshold}
}

// selector reads a selector, which is empty where none is given.
func (e *entry) selector(v schema.Values, key string) alerts.Selector {
	if !v.Given(key) {
		return alerts.Selector{}
	}
	text := v.Get(key).Text()
	s, err := alerts.ParseSelector(text)
	if err != nil {
		e.report(schema.Problem{Field: key, Value: text, Message: err.Error(),
			Allowed: `a selector such as http_requests_total{code=~"5.."}: the rules put rate and sum around it`})
	}
	return s
}

// bucket refuses a threshold that is no bucket of one of firedrill's own
// histograms. Other people's are not known: where the threshold is none of
// their buckets, SLIMissing fires.
func (e *entry) bucket(name string, threshold float64) {
	own := slices.ContainsFunc(metric.All(), func(d metric.Desc) bool { return d.Type == metric.Histogram && d.Name == name })
	if !own || slices.Contains(latency.Classic(), threshold) || slices.Contains(e.wrong, keyThreshold) {
		return
	}
	e.report(schema.Problem{Field: keyThreshold, Value: fmt.Sprint(threshold), Message: "is no bucket of " + name,
		Allowed: strings.Trim(fmt.Sprint(latency.Classic()), "[]") + "; or native: true"})
}

// unique refuses what another SLO has: alerts would read the series of both, or
// fire twice.
func (e *entry) unique(s alerts.SLO) {
	if slices.ContainsFunc(alerts.Web(), func(own alerts.SLO) bool { return own.Name == s.Name }) {
		e.report(schema.Problem{Field: keyName, Value: s.Name, Message: "is what firedrill calls an SLO of its own web services, whose alerts watch every service",
			Allowed: "another name, for example " + s.Service + "-" + s.Name})
	}
	for _, other := range e.out {
		if other.Service != s.Service {
			continue
		}
		if other.Name == s.Name {
			e.report(schema.Problem{Field: keyName, Value: s.Name, Message: "is the name of another SLO of " + s.Service})
		}
		if other.DropRatio > 0 && s.DropRatio > 0 {
			e.report(schema.Problem{Field: keyDrop, Message: "is given by " + other.Name + " as well", Allowed: "one a service"})
		}
	}
}
