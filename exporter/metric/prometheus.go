package metric

// Series that Prometheus itself writes for each target.
const (
	Up             = "up"                      // 1 where the last scrape succeeded, else 0
	ScrapeDuration = "scrape_duration_seconds" // of the last scrape
	ScrapeSamples  = "scrape_samples_scraped"  // in the last scrape
)

// Series that Prometheus writes for each alert that is pending or firing, with
// the labels of the alert and these.
const (
	Alerts         = "ALERTS"           // 1
	AlertsForState = "ALERTS_FOR_STATE" // the time since when, without the state
	AlertName      = "alertname"
	AlertState     = "alertstate" // pending or firing
	Pending        = "pending"
	Firing         = "firing"
)

// Series of firedrill's own process that dashboards show, as the Go and process
// collectors of Prometheus' client library name them. A reader in the process
// does not have them.
const (
	Goroutines     = "go_goroutines"
	HeapInUse      = "go_memstats_heap_inuse_bytes"
	GCPause        = "go_gc_duration_seconds" // with the label quantile
	Quantile       = "quantile"
	ProcessCPU     = "process_cpu_seconds_total"
	ResidentMemory = "process_resident_memory_bytes"
	OpenFiles      = "process_open_fds"
)
