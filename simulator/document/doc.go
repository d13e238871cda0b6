// Package document reads a YAML document strictly: a Decoder follows its nodes
// with the values that are expected there, knows the line of every field, and
// collects everything that is wrong instead of stopping at the first problem.
//
// Keys that occur twice or that nobody knows are problems, with the nearest
// valid name. Anchors and merge keys work; a second document does not. Files
// are bounded in size, depth and in what their aliases expand to.
package document
