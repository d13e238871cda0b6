package main

import (
	"errors"
	"fmt"

	"github.com/firedrill/firedrill/simulator/scenario"
)

// scenarioValidateCmd checks scenario files.
type scenarioValidateCmd struct {
	Files []string `arg:"" name:"file" help:"YAML files; - is the standard input."`
}

// Run prints every problem of every file on the standard error and a line for
// each valid file on the standard output.
func (c *scenarioValidateCmd) Run(s streams) error {
	invalid := 0
	for _, name := range c.Files {
		if err := validate(s, name); err != nil {
			report(s.err, err)
			invalid++
		}
	}
	return countInvalid(invalid, len(c.Files))
}

// countInvalid is the error of so many invalid files, nil where there are none.
func countInvalid(invalid, all int) error {
	switch {
	case invalid == 0:
		return nil
	case all == 1:
		return errors.New("the file is invalid")
	case invalid == 1:
		return fmt.Errorf("1 of %d files is invalid", all)
	}
	return fmt.Errorf("%d of %d files are invalid", invalid, all)
}

func validate(s streams, name string) error {
	data, err := readFile(name, s.in)
	if err != nil {
		return fmt.Errorf("read scenario: %w", err)
	}
	if _, err := scenario.Parse(name, data); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "%s: ok\n", name)
	return err
}
