package promengine

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
)

// Load adds the groups of rule files, in order. The error has all that is wrong
// with them, each with file, line and column, in promtool's words, or which
// rules look back farther than Memory lets them, with the arithmetic; then no
// group has been added.
func (e *Engine) Load(files ...string) error {
	var sources []Source
	var errs []error
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", file, err))
			continue
		}
		sources = append(sources, Source{Name: file, Text: text})
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	return e.LoadText(sources...)
}

// Source is a rule file: its name, which staggering depends on, and its text.
type Source struct {
	Name string
	Text []byte
}

// LoadText adds the groups of rule files that are in memory, as Load does.
func (e *Engine) LoadText(sources ...Source) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	groups, err := e.parse(sources)
	if err != nil {
		return err
	}
	var rules []*rule
	for _, g := range slices.Concat(e.groups, groups) {
		rules = append(rules, g.rules...)
	}
	reach := e.reaches(rules)
	if err := e.fit(rules, reach); err != nil {
		return err
	}
	for i, r := range rules {
		r.position = i
	}
	e.groups, e.rules, e.reach = append(e.groups, groups...), rules, reach
	e.units = plan(e.rules)
	return nil
}

func (e *Engine) parse(sources []Source) ([]*group, error) {
	var groups []*group
	var errs []error
	seen := map[[2]string]bool{}
	for _, g := range e.groups {
		seen[[2]string{g.file, g.name}] = true
	}
	for _, source := range sources {
		file, problems := rulefmt.Parse(source.Text, false, model.UTF8Validation, e.exprs, slog.New(slog.DiscardHandler))
		for _, problem := range problems {
			errs = append(errs, fmt.Errorf("%s: %w", source.Name, problem))
		}
		if len(problems) > 0 {
			continue
		}
		where := placesOf(source.Text)
		for i := range file.Groups {
			key := [2]string{source.Name, file.Groups[i].Name}
			if seen[key] {
				errs = append(errs, fmt.Errorf("%s: group %q is loaded twice", source.Name, key[1]))
				continue
			}
			seen[key] = true
			g, err := e.newGroup(source.Name, &file.Groups[i])
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", source.Name, err))
				continue
			}
			for j, r := range g.rules {
				r.place = where.of(i, j)
			}
			groups = append(groups, g)
		}
	}
	return groups, errors.Join(errs...)
}

// group is a rule group.
type group struct {
	file, name  string
	interval    time.Duration
	offset      time.Duration // of its evaluations within the interval
	queryOffset time.Duration
	limit       int
	rules       []*rule
}

func (e *Engine) newGroup(file string, from *rulefmt.RuleGroup) (*group, error) {
	g := &group{file: file, name: from.Name, interval: e.options.Interval, queryOffset: e.options.QueryOffset, limit: from.Limit}
	if from.Interval != 0 {
		g.interval = time.Duration(from.Interval)
	}
	if from.QueryOffset != nil {
		g.queryOffset = time.Duration(*from.QueryOffset)
	}
	if e.options.Stagger {
		g.offset = stagger(file, from.Name, g.interval)
	}
	for i := range from.Rules {
		r, err := e.newRule(g, &from.Rules[i], from.Labels)
		if err != nil {
			return nil, err
		}
		r.index = i
		g.rules = append(g.rules, r)
	}
	return g, nil
}

// stagger returns the offset that Prometheus gives a group, so that not all are
// evaluated at once: the same for the same names, evenly spread.
func stagger(file, name string, interval time.Duration) time.Duration {
	hash := labels.New(labels.Label{Name: "name", Value: name}, labels.Label{Name: "file", Value: file}).Hash()
	return time.Duration(hash % uint64(interval))
}

// since returns how long before t the last evaluation was due.
func (g *group) since(t time.Time) time.Duration {
	n := (t.UnixNano() - int64(g.offset)) % int64(g.interval)
	if n < 0 {
		n += int64(g.interval)
	}
	return time.Duration(n)
}

func (g *group) due(t time.Time) bool { return g.since(t) == 0 }

// next returns the first time after t at which the group is due.
func (g *group) next(t time.Time) time.Time { return t.Add(g.interval - g.since(t)) }

// last returns the last time not after t at which the group is due.
func (g *group) last(t time.Time) time.Time { return t.Add(-g.since(t)) }

func (e *Engine) newRule(g *group, from *rulefmt.Rule, common map[string]string) (*rule, error) {
	expr, err := e.exprs.ParseExpr(from.Expr)
	if err != nil {
		return nil, err
	}
	r := &rule{group: g, name: from.Record, expr: expr, labels: merge(common, from.Labels)}
	r.plain = e.exprs.keep(expr)
	if fast, changed := withWindows(expr); changed {
		r.fast = e.exprs.keep(fast)
	}
	if from.Alert != "" {
		r.name = from.Alert
		r.alerts = newAlerts(r, from)
	}
	return r, nil
}

// merge returns the labels of the group and those of the rule, which win.
func merge(group, rule map[string]string) labels.Labels {
	b := labels.NewBuilder(labels.FromMap(group))
	for name, v := range rule {
		b.Set(name, v)
	}
	return b.Labels()
}

// expressions is a parser that also knows expressions by a key, which no text
// that anyone writes equals. The PromQL engine takes text only and changes the
// tree that it gets, so that each query needs a copy.
type expressions struct {
	parser.Parser
	known map[string]parser.Expr
}

func newExpressions() *expressions {
	return &expressions{Parser: parser.NewParser(parser.Options{}), known: map[string]parser.Expr{}}
}

// keep returns the key of an expression.
func (e *expressions) keep(expr parser.Expr) string {
	key := fmt.Sprintf("\x00%d", len(e.known))
	e.known[key] = expr
	return key
}

// ParseExpr returns the expression of a text or of a key.
func (e *expressions) ParseExpr(input string) (parser.Expr, error) {
	if expr, ok := e.known[input]; ok {
		return clone(expr), nil
	}
	return e.Parser.ParseExpr(input)
}
