package metric

// The load balancer of a rollout service: its probes and what it makes of them.
var (
	LoadBalancerProbes = Desc{Name: "load_balancer_probes_total", Type: Counter, Unit: "answers", Labels: []string{Service, Target, Code}, Extra: true,
		Help: "Answers to the load balancer's probes of a target's health endpoint, from every probing node, by HTTP status code; none where nothing answered. They are apart from the requests of users."}
	LoadBalancerTargetState = Desc{Name: "load_balancer_target_state", Type: Flag, Labels: []string{Service, Target, State}, Extra: true,
		Help: "1 for the state that the target is in, else 0: healthy, unhealthy or deregistered. Requests go to healthy targets, or to all registered ones where none is."}
	LoadBalancerHealthyTargets = Desc{Name: "load_balancer_healthy_targets", Type: Gauge, Unit: "targets", Labels: []string{Service}, Extra: true,
		Help: "Targets that the load balancer calls healthy."}
)

// Deploys to a rollout service.
var (
	DeployPhase = Desc{Name: "deploy_phase", Type: Flag, Labels: []string{Service, Phase}, Extra: true,
		Help: "1 for the phase that the deploy job is in, else 0: idle, locking, deregistering, draining, writing, starting or verifying."}
	DeployTarget = Desc{Name: "deploy_target", Type: Flag, Labels: []string{Service, Target}, Extra: true,
		Help: "1 for the server that the deploy job is at, else 0."}
	DeployAge = Desc{Name: "deploy_age_seconds", Type: Gauge, Unit: "seconds", Labels: []string{Service}, Extra: true,
		Help: "Time since the deploy that runs was asked for; 0 where none runs."}
	DeployPhaseAge = Desc{Name: "deploy_phase_age_seconds", Type: Gauge, Unit: "seconds", Labels: []string{Service}, Extra: true,
		Help: "Time since the phase of the deploy that runs began; 0 where none runs."}
	Deploys = Desc{Name: "deploys_total", Type: Counter, Unit: "deploys", Labels: []string{Service, Outcome}, Extra: true,
		Help: "Deploys that have ended, by outcome: success, failed or aborted."}
	DeployLastDuration = Desc{Name: "deploy_last_duration_seconds", Type: Gauge, Unit: "seconds", Labels: []string{Service}, Extra: true,
		Help: "How long the last deploy that has ended took."}
	DeployLastOutcome = Desc{Name: "deploy_last_outcome", Type: Flag, Labels: []string{Service, Outcome}, Extra: true,
		Help: "1 for the outcome of the last deploy that has ended, as the job itself reports it, else 0."}
	DeployLastBadGateways = Desc{Name: "deploy_last_bad_gateways", Type: Gauge, Unit: "requests", Labels: []string{Service}, Extra: true,
		Help: "Requests that were answered 502 from the first drain of the last deploy to its end."}
	DeployLastBrokenRatio = Desc{Name: "deploy_last_broken_ratio", Type: Gauge, Unit: "ratio", Labels: []string{Service}, Extra: true,
		Help: "Share of the requests that were answered 502 from the first drain of the last deploy to its end: what users felt."}
	DeployLastNaiveRatio = Desc{Name: "deploy_last_naive_broken_ratio", Type: Gauge, Unit: "ratio", Labels: []string{Service}, Extra: true,
		Help: "Share of all answers, those to probes included, that were not 200 from the first drain of the last deploy to its end. It is above 0 in a clean deploy, for a server that drains answers its probes with 503."}
	DeployLastRepairs = Desc{Name: "deploy_last_repairs", Type: Gauge, Unit: "repairs", Labels: []string{Service}, Extra: true,
		Help: "Repairs of the watchdogs from the first drain of the last deploy to its end."}
	DeployLastMissingContainers = Desc{Name: "deploy_last_missing_containers", Type: Gauge, Unit: "containers", Labels: []string{Service}, Extra: true,
		Help: "Containers that neither ran nor started when the last deploy ended."}
	TimingMargin = Desc{Name: "timing_margin_seconds", Type: Gauge, Unit: "seconds", Labels: []string{Service, Relation}, Extra: true,
		Help: "How far a relation that the timings of deploy, load balancer and watchdog must keep is from breaking; it is broken below 0."}
)

// A server of a rollout service, as an agent on its host reports it.
var (
	GatewayRequests = Desc{Name: "gateway_requests_total", Type: Counter, Unit: "requests", Labels: []string{Service, Pod, Code}, Extra: true,
		Help: "Requests that the server has answered, by HTTP status code; 503 where it was asked for more than it can serve."}
	GatewayRequestDuration = Desc{Name: "gateway_request_duration_seconds", Type: Histogram, Unit: "seconds", Labels: []string{Service, Pod}, Extra: true,
		Help: "Time from a request's arrival to the server's answer, of those that it answered with 200."}
	GatewayListening = Desc{Name: "gateway_listening", Type: Flag, Labels: []string{Service, Pod}, Extra: true,
		Help: "1 where the server accepts connections, else 0."}
	RefusedConnections = Desc{Name: "gateway_refused_connections_total", Type: Counter, Unit: "connections", Labels: []string{Service, Pod}, Extra: true,
		Help: "Connections of the load balancer that the server refused because nobody listened; each is a 502 to a user."}
	ContainerStates = Desc{Name: "container_state", Type: Flag, Labels: []string{Service, Pod, Container, State}, Extra: true,
		Help: "1 for the state that the container is in, else 0: running, draining, stopped, starting, or missing where nothing has created it."}
	ComposeFile = Desc{Name: "compose_file_info", Type: Info, Labels: []string{Service, Pod, Version, Hash}, Extra: true,
		Help: "The compose file on the server: the version that it names, and a hash of its text."}
	LockHolder = Desc{Name: "server_lock_holder", Type: Flag, Labels: []string{Service, Pod, Holder}, Extra: true,
		Help: "1 for who holds the lock of the server, else 0: none, deploy or repair."}
	LockWait = Desc{Name: "server_lock_wait_seconds_total", Type: Counter, Unit: "seconds", Labels: []string{Service, Pod}, Extra: true,
		Help: "Time that deploys have waited for the lock of the server."}
)

// The watchdog of a server.
var (
	WatchdogStrikes = Desc{Name: "watchdog_strikes", Type: Gauge, Unit: "checks", Labels: []string{Service, Pod}, Extra: true,
		Help: "Checks in a row that have failed; enough of them let the watchdog repair the server."}
	WatchdogRepairs = Desc{Name: "watchdog_repairs_total", Type: Counter, Unit: "repairs", Labels: []string{Service, Pod}, Extra: true,
		Help: "Repairs: the watchdog wrote the compose file and restarted what it names."}
	WatchdogSkippedChecks = Desc{Name: "watchdog_skipped_checks_total", Type: Counter, Unit: "checks", Labels: []string{Service, Pod}, Extra: true,
		Help: "Checks that were left out because a deploy or a repair was at the server."}
	WatchdogPaused = Desc{Name: "watchdog_paused", Type: Flag, Labels: []string{Service}, Extra: true,
		Help: "1 while the watchdogs of the service are told not to check, else 0."}
)

// The jobs (builds) on the servers of a rollout service.
var (
	JobsRunning = Desc{Name: "jobs_running", Type: Gauge, Unit: "jobs", Labels: []string{Service, Pod}, Extra: true,
		Help: "Jobs on the server that have not ended."}
	JobsFinished = Desc{Name: "jobs_finished_total", Type: Counter, Unit: "jobs", Labels: []string{Service, Pod}, Extra: true,
		Help: "Jobs that have ended as they should."}
	JobsLost = Desc{Name: "jobs_lost_total", Type: Counter, Unit: "jobs", Labels: []string{Service, Pod}, Extra: true,
		Help: "Jobs that were killed before they ended."}
	JobsHandedOver = Desc{Name: "jobs_handed_over_total", Type: Counter, Unit: "jobs", Labels: []string{Service, Pod}, Extra: true,
		Help: "Jobs that the end of a drain has handed over to other servers."}
	JobsWaiting = Desc{Name: "jobs_waiting", Type: Gauge, Unit: "jobs", Labels: []string{Service}, Extra: true,
		Help: "Jobs that no server takes at present."}
)

// Rollouts returns the metrics of a rollout service that other kinds do not
// have.
func Rollouts() []Desc {
	return []Desc{
		LoadBalancerProbes, LoadBalancerTargetState, LoadBalancerHealthyTargets,
		DeployPhase, DeployTarget, DeployAge, DeployPhaseAge, Deploys,
		DeployLastDuration, DeployLastOutcome, DeployLastBadGateways, DeployLastBrokenRatio, DeployLastNaiveRatio, DeployLastRepairs, DeployLastMissingContainers,
		TimingMargin,
		GatewayRequests, GatewayRequestDuration, GatewayListening, RefusedConnections,
		ContainerStates, ComposeFile, LockHolder, LockWait,
		WatchdogStrikes, WatchdogRepairs, WatchdogSkippedChecks, WatchdogPaused,
		JobsRunning, JobsFinished, JobsLost, JobsHandedOver, JobsWaiting,
	}
}
