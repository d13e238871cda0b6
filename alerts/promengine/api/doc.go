// Package api is the HTTP API of Prometheus over a store and an engine of
// promengine, so that promtool, Grafana and whatever else speaks to a
// Prometheus can be pointed at it.
//
// # Mounting
//
// An API has two handlers for the tree below a prefix, which the caller strips.
// Both share one query engine and its limits.
//
//	a := api.New(api.Options{Source: current, Interval: 30 * time.Second})
//	mux.Handle("/prometheus/now/", http.StripPrefix("/prometheus/now", a.Shifted()))
//	mux.Handle("/prometheus/", http.StripPrefix("/prometheus", a.Handler()))
//
// A request asks Source once what it is answered from; the store and the engine
// may be others for the next one. Nothing here reads a clock: what time it is
// comes from Source as well.
//
// # Two clocks
//
// Handler takes and shows the times of the samples. Shifted takes and shows wall
// times: it adds the simulated now less the wall now to the times of a request,
// also to those behind an @ in a query, and takes it off the times in the
// answer. So the default of Grafana, the last 15 minutes, shows the last 15
// simulated minutes, whatever date it is in there. Values are shown as they are:
// time() is the simulated time in both. A query without a time is as of the
// simulated now.
//
// # How close it is
//
// Statuses, error types, error texts, warnings and data are those of Prometheus
// (clock.go and status.go apart); the module alerts/oracle asks both the same
// and compares. Where Prometheus looks at whole chunks to tell whether a series
// has samples in a span, this looks at the samples. Exemplars are not kept.
// Nothing can be written: there are no remote write, no remote read and no
// administration.
package api
