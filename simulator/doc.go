// Package simulator is the engine of firedrill: a pure, deterministic state
// machine that advances simulated services one second at a time.
//
// Nothing at or under this folder knows a clock, a goroutine, a socket, a file
// or a global source of randomness; a test over the source proves it. Whoever
// owns an Engine decides how fast time passes.
//
// # The contract
//
// Time is an integer Tick, the number of simulated seconds since the start;
// the time of day is the start plus the ticks. A Command (a scenario's event
// and an operator's action are the same type) goes in through Submit, which
// refuses it or says at which tick it applies. Step simulates one second and
// returns the events of that second. Snapshot returns an immutable picture.
//
// Within a second every service, in the order of the configuration, first
// applies the commands that are due (the scenario's in file order, then the
// operators' in order of arrival) and then simulates the second.
//
// # History
//
// Before its first step an engine can have a History: the same services before
// tick 0, held at their opening state, on streams of their own. Those who need
// a past to look at (rates over hours, long windows) read it like an engine,
// and then read the engine, whose counters go on where the history ended. Model
// by model this is what a Historian does; other models begin at tick 0 with all
// counters at 0. Trace, rows and events of the engine are the same with a
// history and without.
//
// # Determinism
//
// The same configuration, seed and command log give the same trace, byte for
// byte, on every machine: randomness comes from named streams (package rng),
// mathematics from package fmath, sums are made in a fixed order, every
// product that feeds a sum is rounded by an explicit conversion so that no
// compiler fuses it, and no map is iterated on the way to an output.
package simulator
