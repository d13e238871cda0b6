// Package dashtest reads dashboards as Grafana does and asks a Prometheus what
// their panels would show: whether there is anything to be seen (Alive), and
// whether that is what firedrill simulate says of the same minute (Compare).
//
// It is for tests: those of package dashboards, with the PromQL engine in the
// process, and those with a real Prometheus.
package dashtest
