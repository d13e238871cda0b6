package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/firedrill/firedrill/simulator/scenario"
	"github.com/firedrill/firedrill/simulator/schema"
)

// maxFile is the largest file that is read.
const maxFile = 64 << 20

// load returns the built-in scenario of that name, a drill or one that tries alert
// rules, or the one in a file; - is the standard input.
func load(name string, stdin io.Reader) (*scenario.Scenario, error) {
	if s, ok := scenario.FindBuiltin(name); ok {
		return s, nil
	}
	if s, ok := scenario.FindSuite(name); ok {
		return s, nil
	}
	if !isFile(name) {
		return nil, usageError{schema.Unknown("", "built-in scenario, nor a file", name, append(scenario.BuiltinNames(), scenario.SuiteNames()...))}
	}
	data, err := readFile(name, stdin)
	if err != nil {
		return nil, fmt.Errorf("read scenario: %w", err)
	}
	return scenario.Parse(name, data)
}

// isFile reports whether a scenario's name means a file.
func isFile(name string) bool {
	if name == "-" || strings.ContainsRune(name, filepath.Separator) {
		return true
	}
	switch filepath.Ext(name) {
	case ".yaml", ".yml":
		return true
	}
	_, err := os.Stat(name)
	return err == nil
}

// readFile reads a file whole, the standard input where its name is -.
func readFile(name string, stdin io.Reader) ([]byte, error) {
	from := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		from = f
	}
	data, err := io.ReadAll(io.LimitReader(from, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s is larger than %d bytes", name, maxFile)
	}
	return data, err
}
