package main

import (
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

// seedsFlag is a number of seeds.
type seedsFlag int

// UnmarshalText reads the number.
func (f *seedsFlag) UnmarshalText(text []byte) error {
	return wholeNumber((*int)(f), text, 1, 10_000)
}

// jobsFlag is how many things are done at once.
type jobsFlag int

// UnmarshalText reads the number.
func (f *jobsFlag) UnmarshalText(text []byte) error { return wholeNumber((*int)(f), text, 1, 256) }

// wholeNumber reads a whole number within bounds.
func wholeNumber(to *int, text []byte, low, high float64) error {
	v, p := schema.Spec{Kind: schema.Integer, Min: low, Max: high}.Parse(string(text))
	if p != nil {
		return *p
	}
	*to = v.Int()
	return nil
}

// warmUpFlag is a span of whole minutes before tick 0.
type warmUpFlag simulator.Tick

// UnmarshalText reads the span.
func (f *warmUpFlag) UnmarshalText(text []byte) error {
	const year, minute = 366 * 86400, 60
	v, p := schema.Spec{Kind: schema.Duration, Max: year, Step: minute}.Parse(string(text))
	if p != nil {
		return *p
	}
	*f = warmUpFlag(v.Int())
	return nil
}

// failFlag is something that is not to happen in a rehearsal.
type failFlag string

// The things that are not to happen.
const (
	failMissed failFlag = "missed"
	failLate   failFlag = "late"
	failFalse  failFlag = "false"
)

// UnmarshalText reads its name.
func (f *failFlag) UnmarshalText(text []byte) error {
	return enum((*string)(f), text, string(failMissed), string(failLate), string(failFalse))
}

// verdictFlag is a format of a verdict.
type verdictFlag string

// UnmarshalText reads the name of a format.
func (f *verdictFlag) UnmarshalText(text []byte) error {
	return enum((*string)(f), text, "table", "json", "junit", "markdown")
}
