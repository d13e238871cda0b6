package dashboards

import (
	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
	"github.com/grafana/grafana-foundation-sdk/go/units"

	"github.com/firedrill/firedrill/exporter/metric"
)

// Limits at which warnings of the shipped rules fire.
const (
	busy = 0.9 // share of the workers, or of the database's capacity
	cold = 0.7 // share of the cache that is filled
)

// service makes the dashboard of a web service: what its users get (rate, errors,
// duration) and what that rests on (utilization, saturation).
func (m maker) service() *builder {
	return m.board(uidPrefix+"service", "Service",
		"What the users of a web service get, and what that rests on. Rates are per second of the service's life, whatever the speed.").
		WithVariable(m.chooseService()).
		WithVariable(m.chooseWindow()).
		Annotations(m.annotations()).
		WithPanel(m.trafficNow()).
		WithPanel(m.errorsNow()).
		WithPanel(m.latencyNow()).
		WithPanel(m.instancesNow()).
		WithPanel(m.utilizationNow()).
		WithPanel(m.costNow()).
		WithRow(dashboard.NewRowBuilder("Traffic and errors")).
		WithPanel(m.trafficByCode()).
		WithPanel(m.trafficByPriority()).
		WithPanel(m.errorsByCode()).
		WithPanel(m.errorsByVersion()).
		WithRow(dashboard.NewRowBuilder("Response times")).
		WithPanel(m.latencyHeat()).
		WithPanel(m.latencyQuantiles()).
		WithRow(dashboard.NewRowBuilder("Saturation: workers")).
		WithPanel(m.workers()).
		WithPanel(m.utilization()).
		WithPanel(m.serviceTime()).
		WithRow(dashboard.NewRowBuilder("Saturation: database")).
		WithPanel(m.databaseLoad()).
		WithPanel(m.databaseUtilization()).
		WithPanel(m.queryTime()).
		WithRow(dashboard.NewRowBuilder("Saturation: cache")).
		WithPanel(m.hitRatio()).
		WithPanel(m.cacheFill()).
		WithPanel(m.answerAge()).
		WithRow(dashboard.NewRowBuilder("Fleet and autoscaler")).
		WithPanel(m.fleet()).
		WithPanel(m.podVersions()).
		WithPanel(m.switches()).
		WithPanel(m.pods()).
		WithRow(dashboard.NewRowBuilder("Money")).
		WithPanel(m.cost()).
		WithPanel(m.costPerRequest()).
		WithPanel(m.spent())
}

// admitted are the requests that count for the objective: all but those shed.
func admitted() string {
	return rate(of(metric.LoadBalancerRequests.Name, unequal(metric.Code, metric.ShedCode)))
}

// traffic is how many requests come a second.
func traffic(by ...string) string {
	return perSimulatedSecond(sum(rate(of(metric.LoadBalancerRequests.Name)), by...))
}

func (m maker) trafficNow() cog.Builder[dashboard.Panel] {
	return m.figure("Traffic", "Requests a second that reach the load balancer, whatever became of them. Worry when it is far from what it is at this time of day: a surge eats the headroom, a drop hides faults.", units.RequestsPerSecond).
		WithTarget(m.query("requests", traffic()))
}

func (m maker) errorsNow() cog.Builder[dashboard.Panel] {
	return m.figure("Errors", "Share of requests answered with a 5xx over 5 minutes, as the alerts see it. Orange: more than the objective allows. Red: fast enough to page.", units.PercentUnit).
		Decimals(2).
		Thresholds(limits(below(allowed(), step{pageRatio(), bad})...)).
		WithTarget(m.query("errors", errorRatio(metric.Availability, shortest())))
}

func (m maker) latencyNow() cog.Builder[dashboard.Panel] {
	return m.figure("p99", "Time within which 99 % of the answers come, estimated from the histogram's buckets. Orange: slower than the objective allows.", units.Seconds).
		Decimals(2).
		Thresholds(limits(below(metric.LatencyThreshold, step{2, bad})...)).
		WithTarget(m.query("p99", quantile(metric.LatencyObjective, &metric.LoadBalancerRequestDuration)))
}

func (m maker) instancesNow() cog.Builder[dashboard.Panel] {
	return m.figure("Instances serving", "Instances that take traffic. Worry at 0, and when it falls without traffic falling.", units.Short).
		Thresholds(limits(step{color: bad}, step{1, neutral})).
		WithTarget(m.query("serving", of(metric.FleetInstances.Name, equal(metric.State, metric.Serving))))
}

func (m maker) utilizationNow() cog.Builder[dashboard.Panel] {
	return m.figure("Workers busy", "Share of the workers that handled a request in the last minute. It cannot be above 100 %: at 90 % requests wait, at 100 % nobody knows how many more there are.", units.PercentUnit).
		Decimals(0).
		Thresholds(limits(step{color: good}, step{0.8, notice}, step{busy, bad})).
		WithTarget(m.query("busy", of(metric.FleetWorkerUtilizationRatio.Name)))
}

func (m maker) costNow() cog.Builder[dashboard.Panel] {
	return m.figure("Cost an hour", "What the fleet costs in an hour of the service's life at its present size. A rollback counts twice while it is prepared.", units.Dollars).
		Decimals(2).
		WithTarget(m.query("cost", hourly(of(metric.FleetCost.Name))))
}

// hourly is how much of a counter an hour of the service's life adds.
func hourly(selector string) string { return "3600 * " + perSimulatedSecond(sum(rate(selector))) }

func (m maker) trafficByCode() *timeseries.PanelBuilder {
	return byCode(stacked(m.lines("Traffic by status code", "Requests a second at the load balancer by what they were answered. 429: turned away on purpose. 500: a pod failed. 504: a pod let the caller wait too long. 502: a pod died with the request. 503: no pod serves. Worry when anything but 200 and 429 can be seen.", units.RequestsPerSecond))).
		WithTarget(m.query(braces(metric.Code), traffic(metric.Code)))
}

// trafficByPriority splits what the load balancer lets through as the pods see
// it split: a pod's first and last seconds are between scrapes, and traffic that
// is added up over pods falls short while many come and go.
func (m maker) trafficByPriority() cog.Builder[dashboard.Panel] {
	seen := rate(of(metric.HTTPRequests.Name))
	through := perSimulatedSecond("scalar(" + sum(admitted()) + ")")
	return stacked(m.lines("Traffic by priority", "Requests a second that the load balancer let through, by priority, and those that it turned away. Low priority (prefetch, batch, crawlers) is what may be shed; worry when high priority gives way.", units.RequestsPerSecond)).
		WithTarget(m.query(braces(metric.Priority), sum(seen, metric.Priority)+"\n/ scalar("+sum(seen)+")\n* "+through)).
		WithTarget(m.query("turned away", perSimulatedSecond(sum(rate(of(metric.LoadBalancerRequests.Name, equal(metric.Code, metric.ShedCode)))))))
}

func (m maker) errorsByCode() cog.Builder[dashboard.Panel] {
	errors := sum(rate(of(metric.LoadBalancerRequests.Name, matches(metric.Code, metric.ServerErrors))), metric.Code)
	return byCode(threshold(m.lines("Errors by status code", "Share of the requests that failed, by status code, at the load balancer; requests turned away on purpose count nowhere. The line is what the objective allows. 500 points to code, 504 to saturation, 502 and 503 to lost instances.", units.PercentUnit),
		below(allowed())...)).
		WithTarget(m.query(braces(metric.Code), ratio(errors, "scalar("+sum(admitted())+")"))).
		WithTarget(m.query("all, over 5m", errorRatio(metric.Availability, shortest())))
}

func (m maker) errorsByVersion() *timeseries.PanelBuilder {
	errors := sum(rate(of(metric.HTTPRequests.Name, matches(metric.Code, metric.ServerErrors))), metric.Version)
	return threshold(m.lines("Errors by version", "Share of the requests that pods failed, by the version that they run. The line is what the objective allows. Worry when the version that is going out is worse than the one it replaces: roll back.", units.PercentUnit),
		below(allowed())...).
		WithTarget(m.query(braces(metric.Version), ratio(errors, sum(rate(of(metric.HTTPRequests.Name)), metric.Version))))
}

func (m maker) latencyHeat() cog.Builder[dashboard.Panel] {
	d := &metric.LoadBalancerRequestDuration
	return m.heat("Response times", "How many answers took how long. A second band above the first is a part of the requests that has it worse: a bad version, or waiting in a queue. Worry when the bulk moves up.", units.Seconds).
		WithTarget(m.query(braces(metric.LE), perSimulatedSecond(sum(rate(of(d.Bucket())), metric.LE))).Format(prometheus.PromQueryFormatHeatmap))
}

func (m maker) latencyQuantiles() *timeseries.PanelBuilder {
	p := threshold(m.lines("Response time quantiles", "Time within which half, 90 % and 99 % of the answers come, estimated from the histogram's buckets. The line is the objective for p99. At 2 s callers give up.", units.Seconds), below(metric.LatencyThreshold)...).
		Height(tall)
	for _, q := range []struct {
		legend string
		q      float64
	}{{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}} {
		p = p.WithTarget(m.query(q.legend, quantile(q.q, &metric.LoadBalancerRequestDuration)))
	}
	return p
}

func (m maker) workers() cog.Builder[dashboard.Panel] {
	return m.lines("Workers", "Workers of the serving instances, and how many of them were busy. Each handles one request at a time. Worry when the lines meet.", units.Short).
		Span(third).
		WithTarget(m.query("busy", of(metric.FleetBusyWorkers.Name))).
		WithTarget(m.query("all", of(metric.FleetWorkers.Name)))
}

func (m maker) utilization() cog.Builder[dashboard.Panel] {
	return threshold(m.lines("Utilization and waiting", "Share of the workers that were busy, the share that the autoscaler aims at, and the share of requests that had to wait for a worker. The line is where the warning fires. Waiting rises late and then fast.", units.PercentUnit),
		below(busy)...).
		Span(third).
		Max(1).
		WithTarget(m.query("busy", of(metric.FleetWorkerUtilizationRatio.Name))).
		WithTarget(m.query("aim of the autoscaler", of(metric.AutoscalerTargetUtilizationRatio.Name))).
		WithTarget(m.query("requests that wait", of(metric.FleetRequestWaitRatio.Name)))
}

func (m maker) serviceTime() cog.Builder[dashboard.Panel] {
	d := metric.HTTPRequestDuration
	return m.lines("Time of a request", "Mean time that a request holds a worker, and the mean time until its answer. The difference is waiting. Worry when the first grows: requests got more expensive (a slow database, a cold cache, a bad build), and more traffic is not the cause.", units.Seconds).
		Span(third).
		WithTarget(m.query("with a worker", of(metric.FleetRequestServiceMean.Name))).
		WithTarget(m.query("until the answer", ratio(sum(rate(of(d.Sum()))), sum(rate(of(d.Count()))))))
}

func (m maker) databaseLoad() cog.Builder[dashboard.Panel] {
	return m.lines("Queries", "Queries a second that reach the database, those of a warm-up job included, and what it is sized for. Worry when they near each other: the cache is what keeps them apart.", units.OpsPerSecond).
		Span(third).
		WithTarget(m.query("queries", perSimulatedSecond(sum(rate(of(metric.DBQueries.Name)))))).
		WithTarget(m.query("capacity", of(metric.DBCapacity.Name)))
}

func (m maker) databaseUtilization() cog.Builder[dashboard.Panel] {
	return threshold(m.lines("Database utilization", "Queries over capacity in the last minute. The line is where the warning fires. Above it every query gets slower, and with it every request.", units.PercentUnit), below(busy)...).
		Span(third).
		WithTarget(m.query("utilization", of(metric.DBUtilizationRatio.Name)))
}

func (m maker) queryTime() cog.Builder[dashboard.Panel] {
	return m.lines("Query time", "Mean time of a query in the last minute. It grows with the utilization, as 1/(1 − utilization); growth without load is a slow database.", units.Seconds).
		Span(third).
		WithTarget(m.query("mean", of(metric.DBQueryDurationMean.Name)))
}

func (m maker) hitRatio() cog.Builder[dashboard.Panel] {
	return m.lines("Hit ratio", "Share of the lookups that the cache answers. What it misses the database has to answer. Worry about a fall, long before it reaches the users.", units.PercentUnit).
		Span(third).
		Max(1).
		WithTarget(m.query("hits", ratio(sum(rate(of(metric.CacheRequests.Name, equal(metric.Result, metric.Hit)))), sum(rate(of(metric.CacheRequests.Name))))))
}

func (m maker) cacheFill() cog.Builder[dashboard.Panel] {
	return threshold(m.lines("Cache filled", "Share of the cache that is filled. Below the line the warning fires. It fills by itself within an hour, slower while the database is saturated; a warm-up job is faster and costs the database queries.", units.PercentUnit),
		step{color: warning}, step{cold, good}).
		Span(third).
		Max(1).
		WithTarget(m.query("filled", of(metric.CacheFillRatio.Name)))
}

func (m maker) answerAge() cog.Builder[dashboard.Panel] {
	return m.lines("Age of answers", "Mean age of the answers from the cache, and how long an answer lives there, as set. A longer life means more hits and older answers.", units.Seconds).
		Span(third).
		WithTarget(m.query("mean age", of(metric.CacheAnswerAge.Name))).
		WithTarget(m.query("life", of(metric.CacheTTL.Name)))
}

func (m maker) fleet() *timeseries.PanelBuilder {
	return m.lines("Instances", "Instances by state, what the autoscaler wants, and the limits of the fleet. Worry about instances that are down, and when serving stays below wanted for longer than the boot delay.", units.Short).
		Span(half).
		OverrideByRegexp("/limit/", append(paint(off), property("custom.lineStyle", map[string]any{"fill": "dash", "dash": []int{4, 6}}), property("custom.fillOpacity", 0))).
		WithTarget(m.query(braces(metric.State), sum(of(metric.FleetInstances.Name), metric.State))).
		WithTarget(m.query("wanted", of(metric.FleetDesiredInstances.Name))).
		WithTarget(m.query("lower limit", of(metric.FleetMinInstances.Name))).
		WithTarget(m.query("upper limit", of(metric.FleetMaxInstances.Name)))
}

func (m maker) podVersions() cog.Builder[dashboard.Panel] {
	return stacked(m.lines("Pods by version", "How many pods run which version. A rollout shows as one version growing over another, a rollback as a swap.", units.Short)).
		Span(half).
		WithTarget(m.query(braces(metric.Version), "count by ("+metric.Version+") ("+of(metric.PodInfo.Name)+")"))
}

func (m maker) switches() cog.Builder[dashboard.Panel] {
	return m.states("Switches", "What is on and what is off: the autoscaler, the optional feature, the cache's warm-up job, a rollback in preparation. With the autoscaler off the fleet is exactly its lower limit.", onOff()).
		Span(half).
		WithTarget(m.query("autoscaler", of(metric.AutoscalerEnabled.Name))).
		WithTarget(m.query(braces(metric.Feature), of(metric.FeatureEnabled.Name))).
		WithTarget(m.query("cache warm-up", of(metric.CacheWarmUp.Name))).
		WithTarget(m.query("rollback", of(metric.DeploymentRollback.Name)))
}

func (m maker) pods() cog.Builder[dashboard.Panel] {
	requests, by := of(metric.HTTPRequests.Name), metric.Pod
	age := "scalar(" + metric.SimulatedTimestamp.Name + ")\n- " + most(of(metric.PodStartTime.Name), by)
	failing := ratio(sum(rate(of(metric.HTTPRequests.Name, matches(metric.Code, metric.ServerErrors))), by), sum(rate(requests), by))
	limit := []dashboard.DynamicConfigValue{
		property("unit", units.PercentUnit), property("decimals", 2), property("thresholds", limitsOf(below(allowed(), step{pageRatio(), bad})...)),
		property("custom.cellOptions", map[string]string{"type": string(common.TableCellDisplayModeColorText)}),
	}
	return columns(m.grid("Pods", "The pods that serve: since when, how much they do, how they fail, how slow they are. Worry about one that differs from the others.").
		SortBy(sortedBy("Errors", true)).
		WithTarget(m.rows(most(of(metric.PodInfo.Name), by, metric.Version))).
		WithTarget(m.rows(age)).
		WithTarget(m.rows(perSimulatedSecond(sum(rate(requests), by)))).
		WithTarget(m.rows(failing)).
		WithTarget(m.rows(quantile(metric.LatencyObjective, &metric.HTTPRequestDuration, by))),
		column{by, "Pod", nil},
		column{metric.Version, "Version", nil},
		column{valueOf(0), "", nil},
		column{valueOf(1), "Age", []dashboard.DynamicConfigValue{property("unit", units.DurationSeconds), property("decimals", 0)}},
		column{valueOf(2), "Requests", []dashboard.DynamicConfigValue{property("unit", units.RequestsPerSecond), property("decimals", 0)}},
		column{valueOf(3), "Errors", limit},
		column{valueOf(4), "p99", []dashboard.DynamicConfigValue{property("unit", units.Seconds), property("decimals", 2)}},
	)
}

func (m maker) cost() cog.Builder[dashboard.Panel] {
	return m.lines("Cost an hour", "What the fleet costs in an hour of the service's life. Capacity against a surge that may not come is paid for every hour.", units.Dollars).
		Span(third).
		WithTarget(m.query("fleet", hourly(of(metric.FleetCost.Name))))
}

func (m maker) costPerRequest() cog.Builder[dashboard.Panel] {
	return m.lines("Cost of a million requests", "What the fleet costs for each million requests that reach it. Worry when it rises at the same traffic: idle capacity, or requests that got more expensive.", units.Dollars).
		Span(third).
		WithTarget(m.query("fleet", "1e6 * "+ratio(sum(rate(of(metric.FleetCost.Name))), sum(rate(of(metric.LoadBalancerRequests.Name))))))
}

func (m maker) spent() cog.Builder[dashboard.Panel] {
	return m.lines("Spent", "Dollars spent on the fleet since its counters began.", units.Dollars).
		Span(third).
		WithTarget(m.query("fleet", of(metric.FleetCost.Name)))
}
