package simulator

import (
	"encoding/json"
	"strconv"
	"time"
)

// Event is something that happened in a simulated second.
type Event struct {
	At      Tick
	Service string // "" where it is about the whole run
	Kind    string // snake_case, for example pods_started
	Truth   bool   // tells of the scenario's ground truth; hidden from people under drill
	Fields  []Field
}

// Field is a named detail of an event: a string, bool, int or float64.
type Field struct {
	Name  string
	Value any
}

// AppendJSON appends the event as one JSON object: tick, time, service, event
// and then its fields in order. Numbers carry 12 significant digits.
func (e Event) AppendJSON(dst []byte, start time.Time) []byte {
	dst = append(dst, `{"tick": `...)
	dst = strconv.AppendInt(dst, int64(e.At), 10)
	dst = append(dst, `, "time": "`...)
	dst = e.At.After(start).AppendFormat(dst, time.RFC3339)
	dst = append(dst, '"')
	if e.Service != "" {
		dst = append(dst, `, "service": `...)
		dst = appendQuoted(dst, e.Service)
	}
	dst = append(dst, `, "event": `...)
	dst = appendQuoted(dst, e.Kind)
	for _, f := range e.Fields {
		dst = append(dst, ", "...)
		dst = appendQuoted(dst, f.Name)
		dst = append(dst, ": "...)
		dst = appendValue(dst, f.Value)
	}
	return append(dst, '}')
}

// AppendNumber appends x with 12 significant digits, the precision of every
// number that firedrill prints as data; whole numbers have no fraction.
func AppendNumber(dst []byte, x float64) []byte {
	return strconv.AppendFloat(dst, x, 'g', 12, 64)
}

func appendValue(dst []byte, v any) []byte {
	switch x := v.(type) {
	case string:
		return appendQuoted(dst, x)
	case bool:
		return strconv.AppendBool(dst, x)
	case int:
		return strconv.AppendInt(dst, int64(x), 10)
	case float64:
		return AppendNumber(dst, x)
	}
	panic("simulator: an event's field must be a string, bool, int or float64")
}

func appendQuoted(dst []byte, s string) []byte {
	quoted, err := json.Marshal(s)
	if err != nil {
		panic("simulator: a string is always valid JSON: " + err.Error())
	}
	return append(dst, quoted...)
}
