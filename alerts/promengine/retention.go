package promengine

import (
	"fmt"
	"time"

	"github.com/prometheus/prometheus/promql/parser"
)

const (
	// leastRetention is how far back queries of people reach, whatever rules need.
	leastRetention = 6 * time.Hour

	// slack is kept on top of what rules need.
	slack = time.Hour
)

// Retention returns how long samples have to stay in the store: as long as the
// rules look back, one through what another records, and at least six hours.
func (e *Engine) Retention() time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, longest := e.farthest()
	return max(leastRetention, longest+slack)
}

// Fits reports whether the samples that rules need fit into limit bytes, given
// how many series there are and how far apart their samples. The error names the
// rule that looks back farthest and has the arithmetic.
func (e *Engine) Fits(series int, scrape time.Duration, limit int64) error {
	r, longest := e.farthest()
	samples := int64((max(leastRetention, longest+slack) + scrape - 1) / scrape)
	bytes := int64(series) * samples * bytesPerValue
	if bytes <= limit || r == nil {
		return nil
	}
	return fmt.Errorf("%s: group %q, rule %d, %q looks back %v: %d series × %d samples × %d bytes = %d bytes, more than the limit of %d",
		r.group.file, r.group.name, r.index+1, r.name, longest, series, samples, bytesPerValue, bytes, limit)
}

// LooksBack returns how far before its evaluation each rule reads samples, one
// through what another records, and how long it waits, in the order of Rules.
func (e *Engine) LooksBack() []time.Duration {
	own := make([]time.Duration, len(e.rules))
	found := make([]reads, len(e.rules))
	for i, r := range e.rules {
		own[i], found[i] = e.looksBack(r), readsOf(r)
	}
	c := chains{rules: e.rules, own: own, found: found, passed: map[int]bool{}, known: map[int]time.Duration{}}
	all := make([]time.Duration, len(e.rules))
	for i := range e.rules {
		all[i], _ = c.from(i)
	}
	return all
}

// farthest returns the rule that looks back farthest, and how far.
func (e *Engine) farthest() (*rule, time.Duration) {
	var first *rule
	var longest time.Duration
	for i, far := range e.LooksBack() {
		if far > longest {
			first, longest = e.rules[i], far
		}
	}
	return first, longest
}

// chains works out how far rules look back through the rules that they read.
type chains struct {
	rules  []*rule
	own    []time.Duration
	found  []reads
	passed map[int]bool // on the way to where it is
	known  map[int]time.Duration
}

// from returns how far a rule looks back. In a circle each rule counts once;
// then the result holds for this way to it only, and whole is false.
func (c *chains) from(i int) (far time.Duration, whole bool) {
	if far, known := c.known[i]; known {
		return far, true
	}
	c.passed[i] = true
	defer delete(c.passed, i)
	whole = true
	var through time.Duration
	for j, other := range c.rules {
		if i == j || c.found[i].all || !c.found[i].from(other) {
			continue
		}
		if c.passed[j] {
			whole = false
			continue
		}
		next, nextWhole := c.from(j)
		through, whole = max(through, next), whole && nextWhole
	}
	far = c.own[i] + through
	if whole {
		c.known[i] = far
	}
	return far, whole
}

// looksBack returns how far before its evaluation a rule reads samples, and how
// long it waits.
func (e *Engine) looksBack(r *rule) time.Duration {
	var longest time.Duration
	parser.Inspect(r.expr, func(node parser.Node, path []parser.Node) error {
		selector, ok := node.(*parser.VectorSelector)
		if !ok {
			return nil
		}
		far := selector.OriginalOffset
		length := e.options.Lookback
		for _, above := range path {
			switch n := above.(type) {
			case *parser.MatrixSelector:
				length = n.Range
			case *parser.SubqueryExpr:
				far += n.Range + n.OriginalOffset
			}
		}
		longest = max(longest, far+length)
		return nil
	})
	if r.alerts != nil {
		longest += r.alerts.hold
	}
	return longest + r.group.queryOffset
}
