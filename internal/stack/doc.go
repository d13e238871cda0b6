// Package stack has nothing but tests: of docker-compose.yml, of the Dockerfile
// and of the provisioning of Grafana. They load these files as the programs do
// that read them, and compare them with each other and with the configuration
// that firedrill generates for Prometheus and Alertmanager: names, ports, paths
// and flags have to agree.
//
// With the build tag e2e they also take the steps of the Dockerfile, without
// Docker, and run what comes of it with the commands of the compose file.
//
// It is a module of its own, since the loader of compose files brings modules
// that the product does not need.
//
// Run it with
//
//	cd internal/stack && go test ./... && go test -tags e2e ./...
package stack
