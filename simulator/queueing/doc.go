// Package queueing holds the closed forms of a service station: N servers in
// parallel, one queue in the order of arrival, Poisson arrivals, exponential
// service times, and callers that give up after a fixed patience.
//
// # Two models
//
// Textbook takes the waiting time of a queue whose callers never give up
// (M/M/N: Erlang's delay formula) and cuts it off at the patience. It is what
// one finds in textbooks, and it jumps where the load crosses the number of
// servers: just below, nearly every request waits for too long; just above,
// the formula has no steady state left and only the surplus is refused.
//
// Exact takes the queue whose callers do give up (M/M/N+D, after Barrer): they
// stop adding to the queue, and every quantity is continuous in the load.
//
// # What they return
//
// Both return a Solution: the ratio of failed requests, the ratio that has to
// wait, and the distribution of the wait of the answered ones, a Wait. From
// the Wait follow the response times at any service rate, so that the pods of
// one fleet may differ in speed while they share one queue.
//
// # A load that depends on the answer
//
// Where only answered requests load a database behind the station, the service
// time depends on the rate that is answered, and that rate on the service
// time. AnsweredRate finds the one rate at which both agree.
//
// Everything here is a pure function that allocates nothing. Products that
// feed a sum are rounded by an explicit conversion, and exponentials come from
// package fmath: results are the same to the last bit on every machine.
package queueing
