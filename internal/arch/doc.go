// Package arch holds the tests that keep the architecture of firedrill: which
// package may import which, what makes simulator/ deterministic, and what no
// file may contain. It has no code of its own; a test that fails here says what
// to write instead, or which table to extend and review.
package arch
