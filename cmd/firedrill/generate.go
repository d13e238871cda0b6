package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// generateCmd writes generated files: a field is a file.
type generateCmd struct {
	Config     generateConfigCmd     `cmd:"" help:"The tables of configuration keys, actions and columns, docs/configuration.md."`
	Dashboards generateDashboardsCmd `cmd:"" help:"Grafana dashboards, dashboards/gen."`
	Metrics    generateMetricsCmd    `cmd:"" help:"The table of metrics, docs/metrics.md."`
	Openapi    generateOpenapiCmd    `cmd:"" help:"The OpenAPI document of the API, docs/openapi.json."`
	Rules      generateRulesCmd      `cmd:"" help:"Alert rules, and the configuration of Prometheus and Alertmanager, alerts/gen."`
}

// generator makes one file of the repository.
type generator struct {
	name string // of its subcommand
	path string // where the file is, from the root of the repository
	make func() ([]byte, error)
}

// output says where a generated file goes. Subcommands of generate embed it.
type output struct {
	Out   string `placeholder:"FILE" help:"Write to this file in place of the repository's; - is the standard output."`
	Check bool   `help:"Write nothing; fail where the file is not what would be written."`
}

// emit writes or checks the file of a generator.
func (o output) emit(s streams, g generator) error {
	want, err := g.make()
	if err != nil {
		return fmt.Errorf("generate %s: %w", g.name, err)
	}
	path, command := g.path, "go run ./cmd/firedrill generate "+g.name
	if o.Out != "" {
		path, command = o.Out, command+" --out "+o.Out
	}
	switch {
	case o.Check:
		return check(path, want, command)
	case path == "-":
		_, err := s.out.Write(want)
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("generate %s: %w", g.name, err)
	}
	return os.WriteFile(path, want, 0o644)
}

// check compares a file with what it should hold.
func check(path string, want []byte, command string) error {
	have, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist: run %s", path, command)
	case err != nil:
		return fmt.Errorf("check generated file: %w", err)
	case !bytes.Equal(have, want):
		return fmt.Errorf("%s is out of date from line %d: run %s", path, firstDifference(have, want), command)
	}
	return nil
}

// firstDifference returns the first line, counted from 1, that is not the same.
func firstDifference(have, want []byte) int {
	a, b := bytes.Split(have, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			return i + 1
		}
	}
	return min(len(a), len(b)) + 1
}
