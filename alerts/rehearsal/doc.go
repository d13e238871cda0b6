// Package rehearsal runs rule files over a scenario on a virtual clock, as fast
// as the machine goes, and says when their alerts changed and what really
// happened.
//
// A Plan names the scenario, its options, what operators do, the rules, and how
// a Prometheus would scrape and evaluate. Rehearse simulates the scenario, hands
// every scrape to the store of promengine, and evaluates the rules in range
// mode, a stretch of simulated time at a time: memory is bounded by the longest
// look-back of the rules, not by the length of the rehearsal. Nothing depends on
// how long the stretches are.
//
// Scrapes and evaluations are where those of a Prometheus on simulated time
// are: every so many seconds, a scrape before the evaluation of the same second.
// Windows are filled by a history before tick 0 (Plan.History), which does not
// change what happens in the scenario.
package rehearsal
