package alerts

import (
	"time"

	"github.com/firedrill/firedrill/exporter/metric"
)

// causesGroup makes the warnings that name what may be wrong with a web
// service. None of them pages: many causes hurt nobody.
func (m maker) causesGroup() group {
	return group{name: "causes", rules: []rule{
		m.badBuild(), m.podFailing(), m.instancesDown(),
		m.workersSaturated(), m.fleetAtMaximum(), m.loadShedding(),
		m.databaseSaturated(), m.databaseSlow(), m.cacheCold(), m.cacheHitRatio(),
	}}
}

// perService is a gauge of a service without the labels of the target that
// shows it: there is one such target a service.
func perService(metricName string) string {
	return "max by (" + metric.Service + ") (" + metricName + ")"
}

// cause makes a warning.
func (m maker) cause(name, expr string, hold time.Duration, summary, description string) rule {
	return rule{
		alert: name, expr: expr, hold: span{canonical: hold}, labels: []pair{Warning.label()},
		annotations: m.annotate(name, "", summary, description),
	}
}

// steady keeps a warning firing over short gaps, where its gauge hovers about
// the limit or a scrape fails.
func (r rule) steady() rule {
	r.keepFiring = span{canonical: 3 * time.Minute}
	return r
}

// ownErrors selects the answers with which a pod itself failed: not those of
// callers who waited too long for it.
func ownErrors() Selector {
	return Selector{metric.HTTPRequests.Name, []Matcher{Matches(metric.Code, metric.ServerErrors), NotEqual(metric.Code, metric.TimeoutCode)}}
}

// errorShare is the share of the answers with which pods themselves failed.
func (m maker) errorShare(by grouping) string {
	w := m.window(recent)
	return divide(by.sum(rate, ownErrors(), w), by.sum(rate, Selector{Metric: metric.HTTPRequests.Name}, w))
}

func (m maker) badBuild() rule {
	rollout := Selector{metric.DeploymentVersionInfo.Name, []Matcher{Equal(metric.State, metric.Rollout)}}
	expr := m.errorShare(grouping{metric.Service, metric.Version}) + "\n> 0.01" +
		"\nand on (" + metric.Service + ", " + metric.Version + ")\n" + rollout.String()
	return m.cause("BadBuildSuspected", expr, time.Minute,
		labelOf(metric.Version)+" of "+labelOf(metric.Service)+", which is going out, answers with errors",
		labelOf(metric.Service)+" "+labelOf(metric.Version)+" is being rolled out and fails "+valuePercent+" of its requests by itself (timeouts not counted).")
}

func (m maker) podFailing() rule {
	expr := "(\n" + m.errorShare(grouping{metric.Service, metric.Pod}) + "\n> 0.1\n)" +
		"\n> on (" + metric.Service + ") group_left ()\n2 * " + m.errorShare(grouping{metric.Service})
	return m.cause("PodFailing", expr, time.Minute,
		labelOf(metric.Pod)+" of "+labelOf(metric.Service)+" answers with errors, the others do not",
		labelOf(metric.Pod)+" fails "+valuePercent+" of its requests by itself, more than twice as many as "+labelOf(metric.Service)+" as a whole.")
}

func (m maker) instancesDown() rule {
	instances := Selector{metric.FleetInstances.Name, []Matcher{Equal(metric.State, metric.Down)}}
	return m.cause("InstancesDown", perService(instances.String())+" > 0", time.Minute,
		labelOf(metric.Service)+" has lost instances",
		value+" instances of "+labelOf(metric.Service)+" are lost and not yet taken off the list.")
}

func (m maker) workersSaturated() rule {
	return m.cause("WorkersSaturated", perService(metric.FleetWorkerUtilizationRatio.Name)+" > 0.9", 2*time.Minute,
		"Nearly all workers of "+labelOf(metric.Service)+" are busy",
		valuePercent+" of the workers of "+labelOf(metric.Service)+" are busy. Requests wait, and who waits too long gets an error.").steady()
}

func (m maker) fleetAtMaximum() rule {
	running := Selector{metric.FleetInstances.Name, []Matcher{Matches(metric.State, metric.Booting+"|"+metric.Serving)}}
	expr := "sum by (" + metric.Service + ") (" + running.String() + ")\n>=\n" + perService(metric.FleetMaxInstances.Name)
	return m.cause("FleetAtMaximum", expr, 5*time.Minute,
		labelOf(metric.Service)+" cannot grow any further",
		labelOf(metric.Service)+" runs "+value+" instances, which is its maximum.")
}

func (m maker) loadShedding() rule {
	return m.cause("LoadSheddingOn", perService(metric.LoadSheddingRatio.Name)+" > 0", 10*time.Minute,
		labelOf(metric.Service)+" turns low-priority requests away",
		labelOf(metric.Service)+" has rejected "+valuePercent+" of its low-priority requests for 10m. They count nowhere as errors, but somebody sent them.")
}

func (m maker) databaseSaturated() rule {
	return m.cause("DatabaseSaturated", perService(metric.DBUtilizationRatio.Name)+" > 0.9", 2*time.Minute,
		"The database of "+labelOf(metric.Service)+" is saturated",
		"The database of "+labelOf(metric.Service)+" is asked for "+valuePercent+" of the queries that it can answer.").steady()
}

func (m maker) databaseSlow() rule {
	expr := perService(metric.DBQueryDurationMean.Name) + " > 0.03\nunless\n" + perService(metric.DBUtilizationRatio.Name) + " > 0.8"
	return m.cause("DatabaseSlow", expr, 2*time.Minute,
		"The database of "+labelOf(metric.Service)+" is slow without being busy",
		"A query of "+labelOf(metric.Service)+" takes {{ $value | humanizeDuration }} on average, more than the load of the database explains.").steady()
}

func (m maker) cacheCold() rule {
	return m.cause("CacheCold", perService(metric.CacheFillRatio.Name)+" < 0.7", 2*time.Minute,
		"The cache of "+labelOf(metric.Service)+" is cold",
		"The cache of "+labelOf(metric.Service)+" is only "+valuePercent+" full. What it does not have, the database has to answer.")
}

func (m maker) cacheHitRatio() rule {
	by := grouping{metric.Service}
	hits := func(window time.Duration) string {
		all := Selector{Metric: metric.CacheRequests.Name}
		return divide(by.sum(rate, all.with(all.Metric, Equal(metric.Result, metric.Hit)), m.window(window)), by.sum(rate, all, m.window(window)))
	}
	return m.cause("CacheHitRatioLow", hits(recent)+"\n< 0.75 *\n"+hits(baseline), 2*time.Minute,
		"The cache of "+labelOf(metric.Service)+" has fewer answers than usual",
		"The cache of "+labelOf(metric.Service)+" answers "+valuePercent+" of the queries, less than three quarters of its share over the last "+metric.Span(baseline)+".")
}
