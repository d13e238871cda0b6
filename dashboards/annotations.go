package dashboards

import (
	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"

	"github.com/firedrill/firedrill/exporter/metric"
)

// annotations are the marks in time on the dashboards about a service: what
// people did and what was deployed, as the metrics tell it.
func (m maker) annotations() []cog.Builder[dashboard.AnnotationQuery] {
	return []cog.Builder[dashboard.AnnotationQuery]{
		m.annotation("Operator actions", neutral, "An operator did: "+braces(metric.Action),
			"increase("+of(metric.OperatorActions.Name)+"[$"+windowVariable+"]) > 0"),
		m.annotation("Deploys", warning, braces(metric.Version)+" is going out",
			of(metric.DeploymentVersionInfo.Name, equal(metric.State, metric.Rollout))),
		m.annotation("Rollbacks", good, "A rollback is being prepared",
			of(metric.DeploymentRollback.Name)+" > 0"),
		m.annotation("New versions", "purple", "The first pods run "+braces(metric.Version), appears(versions(""), versions(m.ago(longestWindow)))),
		m.annotation("Versions gone", "purple", "No pod runs "+braces(metric.Version)+" any more", appears(versions(m.ago(longestWindow)), versions(""))),
		m.pauses(),
	}
}

// pauses marks when simulated time stood still.
func (m maker) pauses() cog.Builder[dashboard.AnnotationQuery] {
	return m.annotation("Paused", off, "The simulation stands still", metric.Paused.Name+" > 0")
}

// versions are those that pods run, with the modifier of when.
func versions(when string) string {
	return "count by (" + metric.Service + ", " + metric.Version + ") (" + of(metric.PodInfo.Name) + when + ")"
}

// appears gives what is in one of two queries and not in the other, of services
// that are in both: nothing is new where nothing is known of before.
func appears(here, notThere string) string {
	return "(" + here + "\nunless\n" + notThere + ")\nand on (" + metric.Service + ")\n" + notThere
}

// annotation makes a mark that lasts as long as the query has a value above 0.
func (m maker) annotation(name, color, text, expr string) cog.Builder[dashboard.AnnotationQuery] {
	return dashboard.NewAnnotationQueryBuilder().
		Name(name).
		Datasource(source()).
		Enable(true).
		IconColor(color).
		TitleFormat(name).
		TextFormat(text).
		Target(m.query(text, expr).RefId("Annotation"))
}
