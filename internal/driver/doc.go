// Package driver paces a simulation. It is the only loop of the program that
// makes simulated time pass, and the only place where a run meets the clock.
//
// # One goroutine owns the run
//
// Run is that goroutine. Everything else (a command, a reader of a snapshot, a
// change of speed) is a small function that it executes between two simulated
// seconds, in the order of arrival. A caller gets an answer within one batch;
// a call that returns the error of its context has done nothing.
//
// # Pace
//
// The position of the simulation is a function of the clock,
//
//	position = anchor + elapsed · speed
//
// where anchor is the position at the last change of speed, pause or resume,
// and elapsed is the time since then on the monotonic clock. Waking up, the
// driver simulates the seconds up to the position, but works no longer than a
// batch (15 ms) before it serves whoever waits. What is left then is the lag:
// it is reported and caught up with, no second is ever skipped. A change of
// speed, a pause and a resume begin at the second that has been reached, so
// that an old lag is not carried into them.
//
// Because commands enter the run between two seconds and carry the tick at
// which they came, pace cannot be seen in the result: the same log of commands
// gives the same trace at any speed and across pauses.
//
// # An observer
//
// An Observer names the ticks at which it looks, and the driver calls it at each
// of them, in the middle of a batch too: an alert fires at the same tick at any
// speed. Readers from outside see the last tick of a batch only.
//
// # Cost
//
// The driver wakes up when a simulated second is due, at most a hundred times
// a second, and when somebody asks. A reader's request first advances to the
// second that is due now; readers that wait together get the same snapshot. A
// snapshot is immutable, so that a slow reader holds up nobody.
package driver
