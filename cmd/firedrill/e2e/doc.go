// Package e2e tests the built program from outside, together with a real
// Prometheus and a real Alertmanager: go test -tags e2e ./cmd/firedrill/e2e. The
// programs prometheus and promtool, of the version that is linked, and
// prometheus-alertmanager have to be in the PATH.
package e2e
