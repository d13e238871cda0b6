// Package rng is the only source of randomness of the simulation: small,
// seeded streams of uniform numbers that are the same on every machine.
//
// # One stream per purpose
//
// Every purpose (the traffic of a service, its errors, the scatter of its
// pods) owns a stream, named after the purpose and derived from the seed of
// the run by Derive. Nothing an operator does, and no service added to a
// configuration, shifts the numbers that another stream gives.
//
// # The generator
//
// A Stream is mulberry32, the public-domain generator by Tommy Ettinger: 32
// bits of state, a Weyl sequence, and a finalizer that mixes it. Its period is
// 2^32, about 136 years of one number a simulated second. Over that period it
// gives 44 % of the numbers of 32 bits, 0 once, and its mean is 0.49997: good
// for traffic and errors, not for finer statistics, and never for a secret.
//
// Distributions other than the uniform one are made in package dist.
package rng
