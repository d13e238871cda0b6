package alerts

import "github.com/firedrill/firedrill/exporter/metric"

// Words of the web model's labels and codes that rules match.
const (
	serving     = "serving" // states of an instance
	booting     = "booting"
	down        = "down"
	serverError = "5.."
	shedCode    = "429" // the load balancer's answer to what it sheds
	timeoutCode = "504" // a pod's answer to who waited too long
)

// Web returns the two SLOs of a web service, as its load balancer sees them,
// for every such service that there is.
func Web() []SLO {
	lb, duration := metric.LoadBalancerRequests.Name, metric.LoadBalancerRequestDuration.Name
	return []SLO{{
		Name:      metric.Availability,
		Objective: metric.AvailabilityObjective,
		Period:    DefaultPeriod,
		Indicator: Counters{
			Errors: Selector{lb, []Matcher{Matches(metric.Code, serverError)}},
			Total:  Selector{lb, []Matcher{NotEqual(metric.Code, shedCode)}},
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
