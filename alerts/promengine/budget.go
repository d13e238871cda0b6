package promengine

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"gopkg.in/yaml.v3"
)

// bytesPerSample is what a sample takes by the book, its share of the time
// included: those of the simulated services take three bytes.
const bytesPerSample = 4

// samples returns how many samples there are in a span, and the arithmetic of
// what they take.
func (m Memory) samples(span time.Duration) (size int64, arithmetic string) {
	n := int64((span + m.Scrape - 1) / m.Scrape)
	size = int64(m.Series) * n * bytesPerSample
	return size, fmt.Sprintf("%d series × %d samples in %v × %d bytes = %d bytes, more than the limit of %d", m.Series, n, span, bytesPerSample, size, m.Limit)
}

// fit reports the rules that look back farther than there is memory for.
func (e *Engine) fit(rules []*rule, reach []time.Duration) error {
	m := e.options.Memory
	if m.Limit <= 0 || m.Scrape <= 0 {
		return nil
	}
	if size, arithmetic := m.samples(leastRetention); size > m.Limit {
		return fmt.Errorf("memory for less than %v of samples: %s", leastRetention, arithmetic)
	}
	var errs []error
	for i, r := range rules {
		if size, arithmetic := m.samples(reach[i] + slack); size > m.Limit {
			errs = append(errs, fmt.Errorf("%s: %d:%d: group %q, rule %d, %q: looks back %v, with %v to spare: %s",
				r.group.file, r.line, r.column, r.group.name, r.index+1, r.name, reach[i], slack, arithmetic))
		}
	}
	return errors.Join(errs...)
}

// place is where something stands in a file.
type place struct{ line, column int }

// places are where the expressions of a file are, by group and rule.
type places [][]place

// placesOf returns the places in a file that has been read without an error.
func placesOf(text []byte) places {
	var file struct {
		Groups []struct {
			Rules []struct{ Expr yaml.Node }
		}
	}
	// What the file has besides expressions does not matter here.
	_ = yaml.NewDecoder(bytes.NewReader(text)).Decode(&file)
	all := make(places, len(file.Groups))
	for i, g := range file.Groups {
		for _, r := range g.Rules {
			all[i] = append(all[i], place{r.Expr.Line, r.Expr.Column})
		}
	}
	return all
}

// of returns where a rule's expression is.
func (p places) of(group, rule int) place {
	if group >= len(p) || rule >= len(p[group]) {
		return place{}
	}
	return p[group][rule]
}
