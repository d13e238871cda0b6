package main

import (
	"errors"
	"strings"

	"github.com/firedrill/firedrill/simulator/scenario"
	"github.com/firedrill/firedrill/simulator/schema"
)

// seedFlag is the seed of a run, where one is given.
type seedFlag struct{ seed *uint32 }

// UnmarshalText reads a seed.
func (f *seedFlag) UnmarshalText(text []byte) error {
	v, p := schema.Spec{Kind: schema.Integer, Max: 1<<32 - 1}.Parse(string(text))
	if p != nil {
		return *p
	}
	seed := uint32(v.Float())
	f.seed = &seed
	return nil
}

// setFlag is a value of the configuration in place of the scenario's.
type setFlag struct{ scenario.Override }

// UnmarshalText reads service.key=value.
func (f *setFlag) UnmarshalText(text []byte) error {
	name, value, ok := strings.Cut(string(text), "=")
	service, key, dotted := strings.Cut(name, ".")
	if !ok || !dotted || service == "" || key == "" {
		return schema.Problem{Value: string(text), Message: "cannot be read", Allowed: "service.key=value, for example shop.floor=20"}
	}
	f.Override = scenario.Override{Service: service, Key: key, Value: value}
	return nil
}

// overrides are the values of repeated --set flags.
func overrides(set []setFlag) []scenario.Override {
	out := make([]scenario.Override, len(set))
	for i, f := range set {
		out[i] = f.Override
	}
	return out
}

// operatorFlag says who operates the services.
type operatorFlag string

// UnmarshalText reads none or scripted.
func (f *operatorFlag) UnmarshalText(text []byte) error {
	return enum((*string)(f), text, "none", "scripted")
}

func (f operatorFlag) scripted() bool { return f == "scripted" }

// enum reads one of the options.
func enum(to *string, text []byte, options ...string) error {
	v, p := schema.Spec{Kind: schema.Enum, Options: options}.Parse(string(text))
	if p != nil {
		return *p
	}
	*to = v.Text()
	return nil
}

// unplaced takes the problems of a run apart: those of the command line, which
// have no file, are wrong usage.
func unplaced(err error) error {
	var problems schema.Problems
	if errors.As(err, &problems) && problems[0].File == "" {
		return usageError{err}
	}
	return err
}
