package metric

// Requests as the pods of a web service see them.
var (
	HTTPRequests = Desc{Name: "http_requests_total", Type: Counter, Unit: "requests", Labels: []string{Service, Pod, Version, Priority, Code},
		Help: "Requests that the pod has answered, by the version of its build, the request's priority and the HTTP status code."}
	HTTPRequestDuration = Desc{Name: "http_request_duration_seconds", Type: Histogram, Unit: "seconds", Labels: []string{Service, Pod},
		Help: "Time from a request's arrival to the pod's answer, its wait for a worker included; a request that times out counts with the timeout."}
	PodStartTime = Desc{Name: "pod_start_time_seconds", Type: Gauge, Unit: "seconds", Labels: []string{Service, Pod},
		Help: "Simulated time since the epoch at which the pod's process started; its age is firedrill_simulated_timestamp_seconds less this."}
)

// What the load balancer of a web service turns away.
var (
	LoadSheddingRatio = Desc{Name: "load_shedding_ratio", Type: Gauge, Unit: "ratio", Labels: []string{Service},
		Help: "Share of the low-priority requests that the load balancer is told to reject."}
)

// The cache of a web service.
var (
	CacheRequests = Desc{Name: "cache_requests_total", Type: Counter, Unit: "lookups", Labels: []string{Service, Result},
		Help: "Lookups in the cache, one for each query of a request, by result: hit or miss."}
	CacheFillRatio = Desc{Name: "cache_fill_ratio", Type: Gauge, Unit: "ratio", Labels: []string{Service},
		Help: "Share of the cache that is filled."}
	CacheAnswerAge = Desc{Name: "cache_answer_age_seconds", Type: Gauge, Unit: "seconds", Labels: []string{Service},
		Help: "Mean age of the answers from the cache in the last minute."}
	CacheTTL = Desc{Name: "cache_ttl_seconds", Type: Gauge, Unit: "seconds", Labels: []string{Service},
		Help: "Life of a cached answer, as set."}
	CacheWarmUp = Desc{Name: "cache_warm_up_in_progress", Type: Flag, Labels: []string{Service},
		Help: "1 while the job runs that fills the cache from the database, else 0."}
)

// The database of a web service.
var (
	DBQueries = Desc{Name: "db_queries_total", Type: Counter, Unit: "queries", Labels: []string{Service},
		Help: "Queries to the database, those of the cache's warm-up job included."}
	DBQueryDurationMean = Desc{Name: "db_query_duration_mean_seconds", Type: Gauge, Unit: "seconds", Labels: []string{Service},
		Help: "Mean time of a query in the last minute."}
	DBUtilizationRatio = Desc{Name: "db_utilization_ratio", Type: Gauge, Unit: "ratio", Labels: []string{Service},
		Help: "Queries that reached the database in the last minute over its capacity. Where callers give up, it nears 1 as the database saturates; it may exceed 1 otherwise."}
	DBCapacity = Desc{Name: "db_capacity_queries_per_second", Type: Gauge, Unit: "queries per second", Labels: []string{Service},
		Help: "Queries per second that the database is sized for."}
)

// The fleet of a web service.
var (
	FleetInstances = Desc{Name: "fleet_instances", Type: Gauge, Unit: "instances", Labels: []string{Service, State},
		Help: "Instances by state: booting, serving, or down (lost and still expected by service discovery)."}
	FleetDesiredInstances = Desc{Name: "fleet_desired_instances", Type: Gauge, Unit: "instances", Labels: []string{Service},
		Help: "Instances that the autoscaler wants."}
	FleetMinInstances = Desc{Name: "fleet_min_instances", Type: Gauge, Unit: "instances", Labels: []string{Service},
		Help: "Instances that the fleet has at least, as set."}
	FleetMaxInstances = Desc{Name: "fleet_max_instances", Type: Gauge, Unit: "instances", Labels: []string{Service},
		Help: "Instances that the fleet has at most, as set."}
	FleetBootDelay = Desc{Name: "fleet_boot_delay_seconds", Type: Gauge, Unit: "seconds", Labels: []string{Service},
		Help: "Time from ordering an instance to its serving, for instances ordered now."}
	FleetWorkers = Desc{Name: "fleet_workers", Type: Gauge, Unit: "workers", Labels: []string{Service},
		Help: "Workers of the serving instances in the last minute; each handles one request at a time."}
	FleetBusyWorkers = Desc{Name: "fleet_busy_workers", Type: Gauge, Unit: "workers", Labels: []string{Service},
		Help: "Mean number of workers that were handling a request in the last minute."}
	FleetWorkerUtilizationRatio = Desc{Name: "fleet_worker_utilization_ratio", Type: Gauge, Unit: "ratio", Labels: []string{Service},
		Help: "Share of the workers that were busy in the last minute, which the autoscaler tracks; 1 where there are none."}
	FleetRequestServiceMean = Desc{Name: "fleet_request_service_mean_seconds", Type: Gauge, Unit: "seconds", Labels: []string{Service},
		Help: "Mean time that a request held a worker in the last minute, its wait for one not included."}
	FleetRequestWaitRatio = Desc{Name: "fleet_request_wait_ratio", Type: Gauge, Unit: "ratio", Labels: []string{Service},
		Help: "Share of the requests of the last minute that had to wait for a worker."}
	FleetCost = Desc{Name: "fleet_cost_dollars_total", Type: Counter, Unit: "dollars", Labels: []string{Service},
		Help: "US dollars spent on instances."}
	AutoscalerEnabled = Desc{Name: "autoscaler_enabled", Type: Flag, Labels: []string{Service},
		Help: "1 where the autoscaler is on, 0 where the fleet is exactly its minimum."}
	AutoscalerTargetUtilizationRatio = Desc{Name: "autoscaler_target_utilization_ratio", Type: Gauge, Unit: "ratio", Labels: []string{Service},
		Help: "Worker utilization that the autoscaler tracks, as set."}
)

// Builds and features of a web service.
var (
	DeploymentVersionInfo = Desc{Name: "deployment_version_info", Type: Info, Labels: []string{Service, Version, State},
		Help: "The version that is out by default and, where another is going out, that of the rollout."}
	DeploymentRollback = Desc{Name: "deployment_rollback_in_progress", Type: Flag, Labels: []string{Service},
		Help: "1 while a rollback is being prepared, else 0."}
	FeatureEnabled = Desc{Name: "feature_enabled", Type: Flag, Labels: []string{Service, Feature},
		Help: "1 where the optional feature is on, else 0."}
)

// Web returns the metrics of a web service that other kinds do not have.
func Web() []Desc {
	return []Desc{
		HTTPRequests, HTTPRequestDuration, PodStartTime,
		LoadSheddingRatio,
		CacheRequests, CacheFillRatio, CacheAnswerAge, CacheTTL, CacheWarmUp,
		DBQueries, DBQueryDurationMean, DBUtilizationRatio, DBCapacity,
		FleetInstances, FleetDesiredInstances, FleetMinInstances, FleetMaxInstances, FleetBootDelay,
		FleetWorkers, FleetBusyWorkers, FleetWorkerUtilizationRatio, FleetRequestServiceMean, FleetRequestWaitRatio, FleetCost,
		AutoscalerEnabled, AutoscalerTargetUtilizationRatio,
		DeploymentVersionInfo, DeploymentRollback, FeatureEnabled,
	}
}
