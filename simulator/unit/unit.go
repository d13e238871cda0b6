// Package unit names the quantities of the models, so that a signature says
// what a number means. Ratios are 0..1 everywhere; percentages exist only where
// something is shown to people.
package unit

// Seconds is a span of simulated time.
type Seconds float64

// PerSecond is a rate: things per simulated second.
type PerSecond float64

// Ratio is a share of something, 0..1.
type Ratio float64

// Dollars is an amount of money in US dollars.
type Dollars float64

// BitsPerSecond is a rate of traffic.
type BitsPerSecond float64
