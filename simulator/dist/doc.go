// Package dist draws from the distributions that the models need, and hands out
// whole numbers in given proportions.
//
// # Draws
//
// Exponential, Normal, Poisson and Binomial take their randomness from a stream
// of package rng, and nothing else: the same stream gives the same draws on
// every machine.
//
// # Shares
//
// Apportion distributes a number of requests over cells (pods, buckets of a
// histogram, codes) whose shares are real numbers. It draws nothing. What a cell
// is owed is carried to the next call, so that no cell, however small, is
// forgotten, and within one period every count only grows.
package dist
