package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/document"
	"github.com/firedrill/firedrill/simulator/schema"
)

var commandKeys = []string{"at", "service", "do", "args", "actor"}

// LoggedCommand is a command of a log and the line that it stands on.
type LoggedCommand struct {
	simulator.Command
	Line int
}

// AppendCommand appends a command as one line of a command log, without its
// end: a JSON object with at (a tick), service, do, and where there are any
// args and actor.
func AppendCommand(dst []byte, cmd simulator.Command) ([]byte, error) {
	line, err := json.Marshal(struct {
		At      simulator.Tick `json:"at"`
		Service string         `json:"service"`
		Do      string         `json:"do"`
		Args    schema.Args    `json:"args,omitempty"`
		Actor   string         `json:"actor,omitempty"`
	}{cmd.At, cmd.Service, cmd.Do, cmd.Args, cmd.Actor})
	if err != nil {
		return dst, fmt.Errorf("write command %q: %w", cmd.Do, err)
	}
	return append(dst, line...), nil
}

// ParseCommands reads a command log: a JSON object a line as AppendCommand
// writes it; in place of a tick, at may be a span of time such as "33m". Blank
// lines are skipped. The error is schema.Problems with everything that is
// wrong; file is the name that they carry. Whether a service understands the
// commands shows when they are submitted.
func ParseCommands(file string, data []byte) ([]LoggedCommand, error) {
	var commands []LoggedCommand
	var problems schema.Problems
	for i, line := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		cmd, wrong := parseCommand(line)
		for _, p := range wrong {
			p.File, p.Line = file, i+1
			problems = append(problems, p)
		}
		commands = append(commands, LoggedCommand{Command: cmd, Line: i + 1})
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return commands, nil
}

func parseCommand(line []byte) (simulator.Command, schema.Problems) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var fields map[string]any
	if err := d.Decode(&fields); err != nil || d.More() {
		return simulator.Command{}, schema.Problems{{Value: document.Clip(string(line)), Message: "is no JSON object", Allowed: `one object a line, for example {"at": 600, "service": "shop", "do": "rollback"}`}}
	}
	var problems schema.Problems
	for _, name := range known(fields) {
		if !slices.Contains(commandKeys, name) {
			problems = append(problems, schema.Unknown(document.Clip(name), "key of a command", document.Clip(name), commandKeys))
		}
	}
	c := commandReader{fields: fields, problems: problems}
	cmd := simulator.Command{At: c.at(), Service: c.text("service", true), Do: c.text("do", true), Args: c.args(), Actor: c.text("actor", false), Source: simulator.Operator}
	return cmd, c.problems
}

// commandReader reads the fields of one command and collects what is wrong.
type commandReader struct {
	fields   map[string]any
	problems schema.Problems
}

func (c *commandReader) report(p schema.Problem) { c.problems = append(c.problems, p) }

func (c *commandReader) at() simulator.Tick {
	const allowed = `a tick such as 600, or a span such as "10m"`
	switch v := c.fields["at"].(type) {
	case nil:
		c.report(schema.Problem{Field: "at", Message: "is missing", Allowed: allowed})
	case json.Number:
		if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil && n >= 0 && n <= math.MaxInt32 {
			return simulator.Tick(n)
		}
		c.report(schema.Problem{Field: "at", Value: v.String(), Message: "is no tick", Allowed: allowed})
	case string:
		if s, err := schema.ParseSeconds(v); err == nil && s >= 0 && s <= math.MaxInt32 && s == math.Trunc(s) {
			return simulator.Tick(s)
		}
		c.report(schema.Problem{Field: "at", Value: document.Clip(v), Message: "is no span of whole seconds", Allowed: allowed})
	default:
		c.report(schema.Problem{Field: "at", Value: document.Clip(fmt.Sprint(v)), Message: "is neither a number nor a text", Allowed: allowed})
	}
	return 0
}

func (c *commandReader) text(key string, required bool) string {
	v, given := c.fields[key]
	text, ok := v.(string)
	switch {
	case !given && required:
		c.report(schema.Problem{Field: key, Message: "is missing"})
	case given && !ok:
		c.report(schema.Problem{Field: key, Value: document.Clip(fmt.Sprint(v)), Message: "is no text"})
	}
	return text
}

func (c *commandReader) args() schema.Args {
	v, given := c.fields["args"]
	if !given {
		return nil
	}
	fields, ok := v.(map[string]any)
	if !ok {
		c.report(schema.Problem{Field: "args", Value: document.Clip(fmt.Sprint(v)), Message: "is no JSON object"})
		return nil
	}
	args := schema.Args{}
	for _, name := range known(fields) {
		raw, ok := argument(fields[name])
		if !ok {
			c.report(schema.Problem{Field: "args." + document.Clip(name), Value: document.Clip(fmt.Sprint(fields[name])), Message: "is no single value", Allowed: "a number, a text, true or false"})
		}
		args[name] = raw
	}
	return args
}

// argument turns a JSON value into a raw argument; whole numbers are ints, so
// that they are written as they were.
func argument(v any) (any, bool) {
	number, ok := v.(json.Number)
	if !ok {
		switch v.(type) {
		case bool, string:
			return v, true
		}
		return nil, false
	}
	if n, err := strconv.Atoi(number.String()); err == nil {
		return n, true
	}
	x, err := number.Float64()
	return x, err == nil
}
