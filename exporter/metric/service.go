package metric

// OperatorActions are what people have done to a service, of whatever kind.
var OperatorActions = Desc{Name: "operator_actions_total", Type: Counter, Unit: "actions", Labels: []string{Service, Action},
	Help: "Actions of operators that have taken effect, by name; they show at the minute from which they work."}

// Requests to a service of any kind, as its load balancer sees them.
var (
	LoadBalancerRequests = Desc{Name: "load_balancer_requests_total", Type: Counter, Unit: "requests", Labels: []string{Service, Code},
		Help: "Requests that the load balancer has answered, by HTTP status code: what pods answered, and its own answers: 429 (shed), 502 (the pod died or nobody listened) and 503 (no pod serves)."}
	LoadBalancerRequestDuration = Desc{Name: "load_balancer_request_duration_seconds", Type: Histogram, Unit: "seconds", Labels: []string{Service},
		Help: "Time from a request's arrival to the answer, of the requests that a pod answered."}
)

// Pods of a service of any kind.
var (
	PodInfo = Desc{Name: "pod_info", Type: Info, Labels: []string{Service, Pod, Version},
		Help: "The pod and the version of the build that it runs."}
)

// What a service of any kind has promised.
var (
	SLOObjectiveRatio = Desc{Name: "slo_objective_ratio", Type: Gauge, Unit: "ratio", Labels: []string{Service, SLO},
		Help: "Share of good requests that the objective promises."}
	SLOErrorBudgetRemainingRatio = Desc{Name: "slo_error_budget_remaining_ratio", Type: Gauge, Unit: "ratio", Labels: []string{Service, SLO},
		Help: "Share of the month's error budget that is left, as the monthly report counts it, by the minute; below 0 where it is overspent."}
)

// Services returns the metrics that services of several kinds have.
func Services() []Desc {
	return []Desc{
		OperatorActions, LoadBalancerRequests, LoadBalancerRequestDuration, PodInfo,
		SLOObjectiveRatio, SLOErrorBudgetRemainingRatio,
	}
}
