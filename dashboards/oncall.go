package dashboards

import (
	"strings"
	"time"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/units"

	"github.com/firedrill/firedrill/exporter/metric"
)

// lately is the span in which somebody who is paged looks for changes.
const lately = time.Hour

// oncall makes the dashboard for who was paged: what fires, how bad it is for
// users, what has changed.
func (m maker) oncall() *builder {
	return m.board(uidPrefix+"oncall", "On-call",
		"For who was paged: what fires and where its runbook is, how bad it is for users, and what has changed. Marks in the pictures are what people did and what was deployed.").
		WithVariable(m.chooseService()).
		WithVariable(m.chooseWindow()).
		Annotations(m.annotations()).
		WithPanel(m.firing("Pages", metric.Page, "Alerts that page and fire now: users are hurt. Follow the runbook of the first.", bad)).
		WithPanel(m.firing("Tickets", metric.Ticket, "Alerts that open a ticket and fire now: a slow leak that somebody has to stop in the next days.", warning)).
		WithPanel(m.firing("Warnings", metric.Warning, "Warnings that fire now. They wake nobody; after a page they point to causes.", notice)).
		WithPanel(m.watchdog()).
		WithPanel(m.budgetNow()).
		WithPanel(m.errorsNow()).
		WithRow(dashboard.NewRowBuilder("What fires")).
		WithPanel(m.firingNow()).
		WithPanel(m.allAlerts()).
		WithRow(dashboard.NewRowBuilder("How bad it is for users")).
		WithPanel(m.trafficByCode().Span(third)).
		WithPanel(m.errorsByVersion().Span(third)).
		WithPanel(m.latencyQuantiles().Span(third).Height(low)).
		WithRow(dashboard.NewRowBuilder("What has changed")).
		WithPanel(m.actions()).
		WithPanel(m.levers()).
		WithPanel(m.releases()).
		WithPanel(m.fleet().Title("Instances that came and went"))
}

// alerting is 1 while the alert that always fires does, and nothing else: who
// asks how many alerts fire gets 0 only from rules that are evaluated.
func alerting() string {
	return "clamp_max(count(" + selector(metric.Alerts, equal(metric.Severity, metric.None), equal(metric.AlertState, metric.Firing)) + "), 1)"
}

// firing counts the alerts of a severity that fire for the service.
func (m maker) firing(title, severity, description, color string) cog.Builder[dashboard.Panel] {
	return m.fact(title, description, units.Short).
		Decimals(0).
		NoValue("unknown").
		Thresholds(limits(step{color: good}, step{1, color})).
		WithTarget(m.present("firing", "count("+of(metric.Alerts, equal(metric.Severity, severity), equal(metric.AlertState, metric.Firing))+")\nor\n0 * "+alerting()))
}

func (m maker) watchdog() cog.Builder[dashboard.Panel] {
	return m.fact("Alerting works", "Whether the alert that always fires does. If not, no rules are evaluated, and silence on this dashboard means nothing.", units.Short).
		Mappings([]dashboard.ValueMapping{say(word{"1", "yes", good})}).
		NoValue("no").
		WithTarget(m.present("watchdog", alerting()))
}

// ofService selects alerts of the service, and those of none.
func ofService() string { return matches(metric.Service, "|$"+serviceVariable) }

// firingNow lists what fires, and since when in the service's life.
func (m maker) firingNow() cog.Builder[dashboard.Panel] {
	by := []string{metric.AlertName, metric.Severity, metric.SLO, metric.Window, metric.Pod, metric.Version}
	awake := unequal(metric.Severity, metric.None)
	now := selector(metric.Alerts, ofService(), awake, equal(metric.AlertState, metric.Firing))
	since := "time() - " + most(selector(metric.AlertsForState, ofService(), awake), by...)
	runbook := map[string]any{"title": "Open the runbook", "url": m.Runbooks + "${__value.raw}.md", "targetBlank": true}
	colors := []dashboard.DynamicConfigValue{
		property("mappings", []dashboard.ValueMapping{say(word{metric.Page, metric.Page, bad}, word{metric.Ticket, metric.Ticket, warning}, word{metric.Warning, metric.Warning, notice})}),
		property("custom.cellOptions", map[string]string{"type": string(common.TableCellDisplayModeColorText)}),
	}
	return columns(m.grid("Firing now", "The alerts that fire, those that page first; a click on the name opens the runbook. For how long is in the service's own time.").
		Span(whole).
		NoValue("Nothing fires").
		SortBy(sortedBy("Severity", false)).
		WithTarget(m.rows("("+since+"\nand on ("+strings.Join(by, ", ")+")\n"+most(now, by...)+")\n* scalar("+rate(metric.SimulatedSeconds.Name)+")")),
		column{metric.AlertName, "Alert", []dashboard.DynamicConfigValue{property("links", []any{runbook})}},
		column{metric.Severity, "Severity", colors},
		column{metric.SLO, "Promise", nil},
		column{metric.Window, "Window", nil},
		column{metric.Pod, "Pod", nil},
		column{metric.Version, "Version", nil},
		column{"Value", "For how long", []dashboard.DynamicConfigValue{property("unit", units.Seconds), property("decimals", 0)}},
	)
}

func (m maker) allAlerts() cog.Builder[dashboard.Panel] {
	return m.alerts("Alerts over time", "When each alert of the service was pending or firing. What fires first is often nearest to the cause. The Watchdog always fires: where it has gaps, no rules were evaluated.",
		alerts(ofService()))
}

func (m maker) actions() cog.Builder[dashboard.Panel] {
	return columns(m.grid("Operator actions, last hour", "What people did to the service in the last hour of its life, and how often. The marks in the pictures say when. Before you act, see what others did.").
		Span(third).
		WithTarget(m.rows("round("+sum("increase("+of(metric.OperatorActions.Name)+"["+m.span(lately)+"])", metric.Action)+")")),
		column{metric.Action, "Action", nil},
		column{"Value", "Times", nil},
	)
}

// lever is a setting that somebody can move.
type lever struct {
	name   string
	series string
}

// settings are the levers of a service, and what else is set from outside.
func settings() []lever {
	return []lever{
		{"lower limit of the fleet", metric.FleetMinInstances.Name},
		{"upper limit of the fleet", metric.FleetMaxInstances.Name},
		{"autoscaler on", metric.AutoscalerEnabled.Name},
		{"aim of the autoscaler", metric.AutoscalerTargetUtilizationRatio.Name},
		{"boot delay, seconds", metric.FleetBootDelay.Name},
		{"low priority shed", metric.LoadSheddingRatio.Name},
		{"optional feature on", metric.FeatureEnabled.Name},
		{"life in the cache, seconds", metric.CacheTTL.Name},
		{"capacity of the database", metric.DBCapacity.Name},
	}
}

// levers shows where each setting stands and how often it was moved.
func (m maker) levers() cog.Builder[dashboard.Panel] {
	const setting = "setting"
	all := func(form func(series string) string) string {
		var parts []string
		for _, l := range settings() {
			parts = append(parts, named(most(form(of(l.series))), setting, l.name))
		}
		return strings.Join(parts, "\nor\n")
	}
	return columns(m.grid("Settings, and how often they changed in the last hour", "Where each setting stands, and how often it was moved in the last hour of the service's life. One that moved shortly before the trouble is a suspect.").
		Span(2*third).
		WithTarget(m.rows(all(func(series string) string { return series }))).
		WithTarget(m.rows(all(func(series string) string { return "changes(" + series + "[" + m.span(lately) + "])" }))),
		column{setting, "Setting", nil},
		column{valueOf(0), "Now", nil},
		column{valueOf(1), "Changes", []dashboard.DynamicConfigValue{
			property("thresholds", limitsOf(step{color: off}, step{1, warning})),
			property("custom.cellOptions", map[string]string{"type": string(common.TableCellDisplayModeColorText)}),
		}},
	)
}

func (m maker) releases() cog.Builder[dashboard.Panel] {
	state := func(name string) string {
		return most(of(metric.DeploymentVersionInfo.Name, equal(metric.State, name)), metric.Version)
	}
	return m.states("Releases", "Which version is out, and which is going out. Worry about a rollout that began shortly before the trouble.",
		say(word{"1", "out", good}, word{"2", "going out", warning})).
		Span(half).
		WithTarget(m.query(braces(metric.Version), "2 * "+state(metric.Rollout)+" or "+state(metric.Stable)))
}
