package metric

// Labels of targets: discovery sets them, Prometheus puts them on every series.
const (
	Job      = "job"      // name of the service, or of the simulator
	Instance = "instance" // name of the pod, or of the service, with its port
	Service  = "service"  // name of the service
	Pod      = "pod"      // name of the pod
)

// Labels of discovery that tell Prometheus how to scrape a target.
const (
	ScrapePath   = "__metrics_path__"
	ScrapeScheme = "__scheme__"
)

// Labels of series.
const (
	Action     = "action"    // that an operator takes
	Algorithm  = "algorithm" // of a balancer
	Bitrate    = "bitrate"   // of a video, bits per second
	Code       = "code"      // HTTP status code; of a probe also none
	Container  = "container"
	Feature    = "feature" // name of an optional feature
	Gauged     = "gauge"   // that shows the load of a link
	GoVersion  = "goversion"
	Hash       = "hash"   // of a file's text
	Holder     = "holder" // of a lock
	Kind       = "kind"   // of a session
	LE         = "le"     // upper bound of a classic bucket
	Link       = "link"
	Operator   = "operator"   // of a network
	Outcome    = "outcome"    // of a deploy
	Percentile = "percentile" // 0 to 100
	Phase      = "phase"      // of a deploy
	Priority   = "priority"   // of a request: high or low
	Relation   = "relation"   // of timings
	Result     = "result"     // of a lookup
	Revision   = "revision"   // of the source
	Routing    = "routing"    // how users find their link
	Scenario   = "scenario"
	Seed       = "seed"
	Site       = "site"
	SLO        = "slo"    // name of an objective
	State      = "state"  // of an instance, a version, a container or a target
	Target     = "target" // of a load balancer: the name of a pod
	Version    = "version"
)

// Values of labels that are not the models' own words.
const (
	Hit             = "hit"             // Result: the cache had it
	Miss            = "miss"            // Result: the cache did not have it
	Recommendations = "recommendations" // Feature of a web service
	Availability    = "availability"    // SLO of a web service, on errors; the service reports on it
	Latency         = "latency"         // SLO of a web service, on response times
	Stable          = "stable"          // State of the version that a rollback returns to
	Rollout         = "rollout"         // State of the version that is going out
	SimulatorJob    = "firedrill"       // Job of the simulator's own target
)

// Values of labels that are the web model's own words, for those who select by
// them.
const (
	Serving      = "serving" // State of an instance
	Booting      = "booting"
	Down         = "down"
	ServerErrors = "5.." // Code, a pattern: what the availability objective counts
	ShedCode     = "429" // Code: the load balancer's answer to what it turns away
	TimeoutCode  = "504" // Code: a pod's answer to who waited too long
)
