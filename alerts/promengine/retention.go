package promengine

import (
	"slices"
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
	return e.retention()
}

func (e *Engine) retention() time.Duration {
	longest := leastRetention
	for _, far := range e.reach {
		longest = max(longest, far+slack)
	}
	return longest
}

// LooksBack returns how far before its evaluation each rule reads samples, one
// through what another records, and how long it waits, in the order of Rules.
func (e *Engine) LooksBack() []time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.reach)
}

// reaches returns how far back each rule looks.
func (e *Engine) reaches(rules []*rule) []time.Duration {
	own := make([]time.Duration, len(rules))
	found := make([]reads, len(rules))
	for i, r := range rules {
		own[i], found[i] = e.looksBack(r), readsOf(r)
	}
	c := chains{rules: rules, own: own, found: found, passed: map[int]bool{}, known: map[int]time.Duration{}}
	all := make([]time.Duration, len(rules))
	for i := range rules {
		all[i], _ = c.from(i)
	}
	return all
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
