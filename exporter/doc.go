// Package exporter shows the simulated services as Prometheus metrics.
//
// A Table turns snapshots of the simulation into the series of package series,
// one file a model. An Exporter serves them over HTTP:
//
//	/metrics                         everything that is up, in one page
//	/sd                              Prometheus HTTP discovery
//	/targets/SERVICE/POD/metrics     a pod, as discovery lists it
//	/targets/SERVICE/metrics         a service's load balancer, cache, database and fleet
//	/simulator/metrics               the simulator and its own process
//
// Either scrape /metrics, whose series carry service and pod, or what /sd
// lists, whose targets carry them; not both.
//
// Every page shows one tick, whole: the requests are the sum over the codes
// and the total of the histogram. Where the client asks for the text format
// 0.0.4 it comes straight from the table; promhttp serves OpenMetrics and
// protobuf, the latter with native histograms and created timestamps. The
// pages are not compressed.
//
// # Targets that come and go
//
// A booting pod is no target until it serves. A killed pod fails its scrapes
// (503) and stays listed for 5 simulated minutes, or 15 seconds where that is
// longer, so that a Prometheus at any speed has the time to see it down. A pod
// that was scaled in or replaced is delisted at once, but its page answers on
// with its last values for 5 simulated minutes, or 60 seconds where that is
// longer, so that a Prometheus with an older list does not see a false failure.
// In a monitoring gap no target of the service answers. On /metrics, whatever
// would fail its scrape is left out.
//
// # Created timestamps
//
// Whoever reads over HTTP lives on wall time, of which the simulation knows
// nothing, so the created timestamp of a counter is an estimate: the wall time
// of the update that first shows the process, less the process's simulated age
// at the speed of that moment, but never before the last update that still
// showed its predecessor. It stays the same for as long as the process runs.
package exporter
