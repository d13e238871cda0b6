// Package dashboards makes the Grafana dashboards of firedrill.
//
// A file holds a dashboard, common.go what all share: how panels look, the
// variables, the links between dashboards, the annotations. query.go has the
// few forms that queries have. Names of metrics and labels, the objectives and
// what rules record come from package metric.
//
// # Two clocks
//
// A Prometheus on the wall clock sees simulated time pass in a hurry, the one in
// firedrill lives on it. Three things follow.
//
// A rate per second of Prometheus' clock is divided by the simulated seconds
// that pass in one (query.go, perSimulatedSecond), and so is right at any speed,
// through a change of it, and on simulated time.
//
// The window of a rate must hold four scrapes and be at most five simulated
// minutes, or a minute's fault is lost in it. Which windows there are depends on
// the speed and the scrape interval: they are the values of the variable window
// (Options.windows).
//
// Ranges that people choose by the service's life ("the last hour"), the range
// shown at first, and how often it is refreshed depend on the speed as well.
// Dashboards are therefore made for a speed, as rules are; at another speed than
// that they show the right values over spans that are longer or shorter than
// they say.
//
// # No truth
//
// Dashboards show what instruments know: they are for people under drill. Marks
// in time come from metrics of deployments and of operators' actions, never from
// the scenario.
//
// The package is pure: it returns files, the caller writes them.
package dashboards
