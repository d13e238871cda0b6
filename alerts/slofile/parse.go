package slofile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/simulator/latency"
	"github.com/firedrill/firedrill/simulator/schema"
)

// Parse reads an SLO file. The error is schema.Problems with everything that is
// wrong with it; file is the name that they carry.
func Parse(file string, data []byte) ([]alerts.SLO, error) {
	p := parser{reader: reader{file: file}}
	fields := p.document(data)
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if key != keySLOs {
			node := fields[key]
			p.report(node.Line, schema.Unknown(key, "key of an SLO file", key, []string{keySLOs}))
		}
	}
	if node, ok := fields[keySLOs]; ok {
		p.slos(resolve(&node))
	} else if len(p.problems) == 0 {
		p.report(1, schema.Problem{Field: keySLOs, Message: "is missing"})
	}
	if len(p.problems) > 0 {
		slices.SortStableFunc(p.problems, func(a, b schema.Problem) int { return a.Line - b.Line })
		return nil, p.problems
	}
	return p.out, nil
}

// parser fills SLOs from the nodes of a document.
type parser struct {
	reader
	out []alerts.SLO
}

func (p *parser) slos(n *yaml.Node) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		p.report(n.Line, schema.Problem{Field: keySLOs, Value: n.Value, Message: "is no list of SLOs", Allowed: "at least one"})
		return
	}
	for i, item := range n.Content {
		e := entry{parser: p, path: fmt.Sprintf("%s[%d]", keySLOs, i), line: item.Line, lines: map[string]int{}}
		e.read(item)
	}
}

// entry reads one SLO.
type entry struct {
	*parser
	path  string
	line  int            // where it begins
	lines map[string]int // of its keys
	wrong []string       // keys that have a problem
}

// report adds a problem of the key that it names.
func (e *entry) report(problem schema.Problem) {
	line, ok := e.lines[problem.Field]
	if !ok {
		line = e.line
	}
	e.wrong = append(e.wrong, problem.Field)
	e.parser.report(line, schema.Problems{problem}.Under(e.path)[0])
}

func (e *entry) read(n *yaml.Node) {
	fields := e.mapping(e.path, n)
	if fields == nil {
		return
	}
	args := schema.Args{}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		node := fields[key]
		e.lines[key] = node.Line
		if resolve(&node).ShortTag() == "!!null" {
			continue
		}
		if raw, ok := e.scalar(e.path+"."+key, &node); ok {
			args[key] = raw
		} else {
			e.wrong = append(e.wrong, key)
		}
	}
	values, problems := Specs().Parse("key of an SLO", args)
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
