package alerts

import "github.com/firedrill/firedrill/exporter/metric"

// Web returns the two SLOs of a web service, as its load balancer sees them,
// for every such service that there is.
func Web() []SLO {
	lb, duration := metric.LoadBalancerRequests.Name, metric.LoadBalancerRequestDuration.Name
	return []SLO{{
		Name:      metric.Availability,
		Objective: metric.AvailabilityObjective,
		Period:    DefaultPeriod,
		Indicator: Counters{
			Errors: Selector{lb, []Matcher{Matches(metric.Code, metric.ServerErrors)}},
			Total:  Selector{lb, []Matcher{NotEqual(metric.Code, metric.ShedCode)}},
		},
		DropRatio: 0.5,
		Traffic:   Selector{Metric: lb},
		Simulated: true,
		Alert:     "AvailabilityBudgetBurn",
	}, {
		Name:      metric.Latency,
		Objective: metric.LatencyObjective,
		Period:    DefaultPeriod,
		Indicator: Buckets{Histogram: Selector{Metric: duration}, Threshold: metric.LatencyThreshold},
		Alert:     "LatencyBudgetBurn",
	}}
}
