// Package rollout models rolling deploys: servers behind a load balancer that
// probes them, a deploy job that updates one at a time, and on each server a
// watchdog that restarts what does not run. Each is sensible alone. Together
// they fight, and users get 502 Bad Gateway.
//
// # A second
//
// The model moves in steps of one simulated second:
//
//  1. containers whose start is over run,
//  2. commands apply,
//  3. the deploy job goes on,
//  4. the watchdogs check,
//  5. the load balancer probes,
//  6. requests are spread over the targets that it calls healthy.
//
// So what a deploy does in a second the watchdog, the probes and the requests
// of the same second see.
//
// # The law
//
// On one server that no watchdog repairs meanwhile, with another target
// healthy, a deploy lets requests fail for exactly
//
//	max(0, min(n, D + w + s) − d) seconds
//
// where
//
//	d = seconds of a drain in which requests are still served, Config.DrainServe
//	D = length of the drain, Config.DrainTotal ≥ d
//	w = time to write the compose file, Config.WriteTime
//	s = time to stop and start, Config.StartTime, ±20 % drawn
//	n = seconds from the drain's start in which the load balancer still routes
//	    to the server: x + interval·(threshold − 1), x = seconds from the drain's
//	    start to the first probe, 0 … interval − 1
//
// A second counts in which a request would fail, even if none came. Domain: a
// runtime that does not kill before d (StopGrace ≥ d). Source: counting the
// seconds in the order above. Test: TestLaw.
package rollout
