package api

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/firedrill/firedrill/alerts/promengine"
)

// groups returns the groups of rules by file and name.
func (r *request) groups() []promengine.GroupStatus {
	if r.state.Engine == nil {
		return nil
	}
	all := r.state.Engine.Groups()
	slices.SortStableFunc(all, func(a, b promengine.GroupStatus) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Name, b.Name))
	})
	return all
}

type alertList struct {
	Alerts []alert `json:"alerts"`
}

// alert is an alert that is pending or firing.
type alert struct {
	Labels          labels.Labels `json:"labels"`
	Annotations     labels.Labels `json:"annotations"`
	State           string        `json:"state"`
	ActiveAt        time.Time     `json:"activeAt"`
	KeepFiringSince *time.Time    `json:"keepFiringSince,omitempty"`
	Value           string        `json:"value"`
}

// alerts answers with all alerts that are pending or firing.
func (r *request) alerts() result {
	all := alertList{Alerts: []alert{}}
	for _, g := range r.groups() {
		for _, rule := range g.Rules {
			all.Alerts = append(all.Alerts, r.alertsOf(rule)...)
		}
	}
	return result{data: all}
}

func (r *request) alertsOf(rule promengine.RuleStatus) []alert {
	all := make([]alert, len(rule.Alerts))
	for i, a := range rule.Alerts {
		all[i] = alert{
			Labels: a.Labels, Annotations: a.Annotations, State: a.State.String(), ActiveAt: r.shift.out(a.ActiveAt),
			Value: strconv.FormatFloat(a.Value, 'e', -1, 64),
		}
		if !a.KeepFiringSince.IsZero() {
			since := r.shift.out(a.KeepFiringSince)
			all[i].KeepFiringSince = &since
		}
	}
	return all
}

type groupList struct {
	Groups    []ruleGroup `json:"groups"`
	NextToken string      `json:"groupNextToken,omitempty"`
}

// ruleGroup is a group of rules. Evaluations take no time on the clock of the
// samples.
type ruleGroup struct {
	Name           string    `json:"name"`
	File           string    `json:"file"`
	Rules          []any     `json:"rules"`
	Interval       float64   `json:"interval"`
	Limit          int       `json:"limit"`
	EvaluationTime float64   `json:"evaluationTime"`
	LastEvaluation time.Time `json:"lastEvaluation"`
}

// ruleCommon is what both kinds of rules have.
type ruleCommon struct {
	Name           string        `json:"name"`
	Query          string        `json:"query"`
	Labels         labels.Labels `json:"labels"`
	Health         string        `json:"health"`
	LastError      string        `json:"lastError,omitempty"`
	EvaluationTime float64       `json:"evaluationTime"`
	LastEvaluation time.Time     `json:"lastEvaluation"`
	Type           string        `json:"type"`
}

type alertingRule struct {
	ruleCommon
	State         string        `json:"state"`
	Duration      float64       `json:"duration"`
	KeepFiringFor float64       `json:"keepFiringFor"`
	Annotations   labels.Labels `json:"annotations"`
	Alerts        []alert       `json:"alerts"`
}

// rules answers with the rules that pass the filters of the request.
func (r *request) rules() result {
	if err := r.ParseForm(); err != nil {
		return failed(badData, fmt.Errorf("error parsing form values: %w", err))
	}
	filter, answer, ok := r.ruleFilter()
	if !ok {
		return answer
	}
	page, answer, ok := r.page()
	if !ok {
		return answer
	}
	all := groupList{Groups: []ruleGroup{}}
	for _, g := range r.groups() {
		if page.skips(g) || !filter.passesGroup(g) {
			continue
		}
		shown := r.ruleGroup(g, filter)
		if len(shown.Rules) == 0 {
			continue
		}
		if page.limit > 0 && len(all.Groups) == page.limit {
			all.NextToken = tokenOf(g)
			break
		}
		all.Groups = append(all.Groups, shown)
	}
	if page.token != "" {
		return invalid("group_next_token", fmt.Errorf("invalid group_next_token '%v'. were rule groups changed?", page.token))
	}
	return result{data: all}
}

func (r *request) ruleGroup(g promengine.GroupStatus, filter ruleFilter) ruleGroup {
	shown := ruleGroup{
		Name: g.Name, File: g.File, Rules: []any{}, Interval: g.Interval.Seconds(), Limit: g.Limit, LastEvaluation: r.shift.out(g.LastEval),
	}
	for _, rule := range g.Rules {
		if filter.passes(rule) {
			shown.Rules = append(shown.Rules, r.rule(rule, filter.withoutAlerts))
		}
	}
	return shown
}

func (r *request) rule(from promengine.RuleStatus, withoutAlerts bool) any {
	common := ruleCommon{
		Name: from.Name, Query: from.Expr, Labels: from.Labels, Health: healthOf(from), LastEvaluation: r.shift.out(from.LastEval), Type: "recording",
	}
	if from.Err != nil {
		common.LastError = from.Err.Error()
	}
	if !from.Alerting {
		return common
	}
	common.Type = "alerting"
	rule := alertingRule{
		ruleCommon: common, State: stateOf(from), Duration: from.For.Seconds(), KeepFiringFor: from.KeepFiringFor.Seconds(), Annotations: from.Annotations,
	}
	if !withoutAlerts {
		rule.Alerts = r.alertsOf(from)
	}
	return rule
}

const unknown = "unknown"

func healthOf(rule promengine.RuleStatus) string {
	switch {
	case rule.LastEval.IsZero():
		return unknown
	case rule.Err != nil:
		return "err"
	}
	return "ok"
}

// stateOf returns the state of the alert of a rule that is nearest to firing.
func stateOf(rule promengine.RuleStatus) string {
	if rule.LastEval.IsZero() {
		return unknown
	}
	state := promengine.Inactive
	for _, a := range rule.Alerts {
		state = max(state, a.State)
	}
	return state.String()
}

// ruleFilter says which rules are asked for.
type ruleFilter struct {
	names, groups, files []string            // none is any
	sets                 [][]*labels.Matcher // of which one has to match the labels of the rule
	kind                 string
	withoutAlerts        bool
}

// Values of the parameter type.
const (
	onlyAlerts  = "alert"
	onlyRecords = "record"
)

func (r *request) ruleFilter() (f ruleFilter, answer result, ok bool) {
	f = ruleFilter{names: r.Form["rule_name[]"], groups: r.Form["rule_group[]"], files: r.Form["file[]"]}
	var err error
	if f.sets, err = r.selectors(); err != nil {
		return f, plain(err), false
	}
	f.kind = strings.ToLower(r.URL.Query().Get("type"))
	if f.kind != "" && f.kind != onlyAlerts && f.kind != onlyRecords {
		return f, invalid("type", fmt.Errorf("not supported value %q", f.kind)), false
	}
	if exclude := strings.ToLower(r.URL.Query().Get("exclude_alerts")); exclude != "" {
		if f.withoutAlerts, err = strconv.ParseBool(exclude); err != nil {
			return f, invalid("exclude_alerts", fmt.Errorf("error converting exclude_alerts: %w", err)), false
		}
	}
	return f, result{}, true
}

func (f ruleFilter) passesGroup(g promengine.GroupStatus) bool {
	return among(f.groups, g.Name) && among(f.files, g.File)
}

func (f ruleFilter) passes(rule promengine.RuleStatus) bool {
	if f.kind == onlyAlerts && !rule.Alerting || f.kind == onlyRecords && rule.Alerting {
		return false
	}
	matching := func(set []*labels.Matcher) bool { return matches(rule.Labels, set) }
	return among(f.names, rule.Name) && (len(f.sets) == 0 || slices.ContainsFunc(f.sets, matching))
}

func among(list []string, one string) bool { return len(list) == 0 || slices.Contains(list, one) }

// page is the part of the groups that is asked for.
type page struct {
	limit int    // 0 is all
	token string // of the first group; "" once it has been found
}

func (r *request) page() (p page, answer result, ok bool) {
	const parameter = "group_limit"
	limit, token := r.URL.Query().Get(parameter), r.URL.Query().Get("group_next_token")
	if limit == "" {
		if token != "" {
			return p, invalid("group_next_token", errors.New("group_limit needs to be present in order to paginate over the groups")), false
		}
		return p, result{}, true
	}
	n, err := strconv.ParseInt(limit, 10, 32)
	switch {
	case err != nil:
		return p, invalid(parameter, fmt.Errorf("group_limit needs to be a valid number: %w", err)), false
	case n <= 0:
		return p, invalid(parameter, errors.New("group_limit needs to be greater than 0")), false
	}
	return page{int(n), token}, result{}, true
}

// skips reports whether the group is before the page.
func (p *page) skips(g promengine.GroupStatus) bool {
	if p.token != "" && p.token == tokenOf(g) {
		p.token = ""
	}
	return p.token != ""
}

// tokenOf returns what stands for a group.
func tokenOf(g promengine.GroupStatus) string {
	sum := sha256.Sum256([]byte(g.File + ";" + g.Name))
	return hex.EncodeToString(sum[:])
}
