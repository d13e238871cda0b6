package metric

// Series that Prometheus itself writes for each target.
const (
	Up             = "up"                      // 1 where the last scrape succeeded, else 0
	ScrapeDuration = "scrape_duration_seconds" // of the last scrape
	ScrapeSamples  = "scrape_samples_scraped"  // in the last scrape
)

// Series that Prometheus writes for each alert that is pending or firing: 1,
// with the labels of the alert and these.
const (
	Alerts     = "ALERTS"
	AlertName  = "alertname"
	AlertState = "alertstate" // pending or firing
	Pending    = "pending"
	Firing     = "firing"
)
