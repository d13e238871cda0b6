// Package metric names every metric and every label of firedrill, once.
//
// Whoever writes, reads, draws or alerts on a series takes its name from here;
// a test over the source proves that the exporter spells none itself.
//
// The names and labels are those that a real service of the kind has: base
// units, _total for counters, _ratio for shares. Metrics that begin with
// firedrill_ are about the simulator. Nothing here tells the ground truth of a
// drill (true error ratios, incidents, which build is bad): that has to be
// found out from the series.
package metric
