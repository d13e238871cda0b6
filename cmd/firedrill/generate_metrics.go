package main

import "github.com/firedrill/firedrill/exporter/metric"

// generateMetricsCmd writes the table of metrics.
type generateMetricsCmd struct{ output }

// Run writes or checks the file.
func (c *generateMetricsCmd) Run(s streams) error {
	return c.emit(s, generator{name: "metrics", path: "docs/metrics.md", make: func() ([]byte, error) {
		return []byte(metric.Markdown()), nil
	}})
}
