// Package e2e tests the built program from outside, together with a real
// Prometheus: go test -tags e2e ./cmd/firedrill/e2e. The programs prometheus
// and promtool have to be installed.
package e2e
