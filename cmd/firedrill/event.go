package main

import (
	"fmt"
	"strings"

	"github.com/firedrill/firedrill/simulator"
)

// describe tells an event in words for people: what was done with which
// arguments and by whom, or what happened with its details.
func describe(e simulator.Event) string {
	switch e.Kind {
	case "command_applied":
		return describeCommand(e)
	case "incident_started", "incident_ended":
		return fmt.Sprintf("%s %v: %v", e.Kind, field(e, "id"), field(e, "title"))
	}
	words := []string{e.Kind}
	for _, f := range e.Fields {
		words = append(words, fmt.Sprintf("%s=%v", f.Name, f.Value))
	}
	return strings.Join(words, " ")
}

// field returns the value of a field, nil where the event has none such.
func field(e simulator.Event, name string) any {
	for _, f := range e.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return nil
}

func describeCommand(e simulator.Event) string {
	var do, by string
	var args []string
	for _, f := range e.Fields {
		value := fmt.Sprint(f.Value)
		switch f.Name {
		case "id":
		case "do":
			do = value
		case "source", "actor":
			by = value // the actor comes last
		default:
			args = append(args, strings.TrimPrefix(f.Name, "arg_")+"="+value)
		}
	}
	return strings.Join(append(append([]string{do}, args...), "("+by+")"), " ")
}
