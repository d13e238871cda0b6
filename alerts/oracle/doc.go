// Package oracle has nothing but tests: they give the same samples and rule
// files to alerts/promengine and to Prometheus's own storage and rule manager,
// and compare what the two have written, sample by sample and bit by bit, and
// the alerts after each evaluation. They ask the HTTP API of both the same, too,
// and compare the answers.
//
// It is a module of its own, since those packages of Prometheus bring a hundred
// modules that the product does not need. Both modules use the same version of
// Prometheus; a test holds that.
//
// Run it with
//
//	cd alerts/oracle && go test ./...
package oracle
