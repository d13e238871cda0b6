// Package alerts makes the alert rules of firedrill and the configuration of
// the Prometheus and the Alertmanager that evaluate and deliver them.
//
// An SLO says what users are promised and how that is measured. From it follow
// recording rules (the share of bad requests over seven windows), four
// burn-rate alerts in the way of The Site Reliability Workbook, an alert for
// when nothing can be measured, and one for traffic that stays away. The
// shipped rules hold two SLOs of the web service; people add their own with
// package slofile. Beside them stand warnings that name causes.
//
// Only symptoms page. A cause by itself wakes nobody: it is there for the one
// who was woken.
//
// # Two clocks
//
// Names and labels always say simulated time: slo:sli_error:ratio_rate1h is
// about an hour of the service's life. The embedded Prometheus lives on that
// time and takes the rules of speed 1 at any speed. One that lives on the wall
// clock sees that hour pass in a minute at speed 60, so its rules, and some
// flags of its servers, are scaled: Options.Speed. The scrape interval is the
// one span that is given on the clock of Prometheus and is not scaled.
//
// The package is pure: it returns files, the caller writes them.
package alerts
