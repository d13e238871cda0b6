package schema

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kind is the type of a value.
type Kind uint8

// The kinds of values.
const (
	Bool     Kind = iota // true or false; on and off mean the same
	Integer              // a whole number
	Number               // any finite number
	Ratio                // a number, 0..1 unless the spec says otherwise
	Duration             // a span of time, written 50ms, 90s, 5m, 1h30m, 2d
	Enum                 // one of the spec's options
	Text                 // a string
)

var kindNames = [...]string{"bool", "integer", "number", "ratio", "duration", "enum", "text"}

// String returns the name of the kind as documents and the API show it.
func (k Kind) String() string { return kindNames[k] }

// Spec describes one value that a person may give.
type Spec struct {
	Name     string
	Kind     Kind
	Unit     string   // for people, for example requests/s; "" where there is none
	Min, Max float64  // inclusive bounds of Integer, Number, Ratio and Duration (in seconds)
	Above    bool     // Min itself is excluded
	Step     float64  // a Duration is a multiple of so many seconds; 0 means 1, or 0.001 where Min lies between 0 and 1
	Options  []string // what an Enum may be
	Default  Value    // the value where none is given; not used where Required
	Required bool
	Help     string // one sentence: what it means
}

// Value is a value that its spec has accepted.
type Value struct {
	kind Kind
	num  float64
	text string
}

// OfBool makes a Bool.
func OfBool(b bool) Value {
	if b {
		return Value{kind: Bool, num: 1}
	}
	return Value{kind: Bool}
}

// OfInt makes an Integer.
func OfInt(n int) Value { return Value{kind: Integer, num: float64(n)} }

// OfNumber makes a Number (or a Ratio: they are alike).
func OfNumber(x float64) Value { return Value{kind: Number, num: x} }

// OfSeconds makes a Duration of s seconds.
func OfSeconds(s float64) Value { return Value{kind: Duration, num: s} }

// OfText makes a Text (or the choice of an Enum).
func OfText(s string) Value { return Value{kind: Text, text: s} }

// Kind returns the kind of the value.
func (v Value) Kind() Kind { return v.kind }

// Bool reports whether a Bool is true.
func (v Value) Bool() bool { return v.num != 0 }

// Int returns an Integer, or the whole seconds of a Duration.
func (v Value) Int() int { return int(v.num) }

// Float returns a Number, a Ratio, an Integer, or a Duration in seconds.
func (v Value) Float() float64 { return v.num }

// Text returns a Text or the choice of an Enum.
func (v Value) Text() string { return v.text }

// String writes the value as its spec would read it back.
func (v Value) String() string {
	switch v.kind {
	case Bool:
		return strconv.FormatBool(v.num != 0)
	case Duration:
		return FormatSeconds(v.num)
	case Enum, Text:
		return v.text
	default:
		return strconv.FormatFloat(v.num, 'g', -1, 64)
	}
}

// Raw returns the value as JSON shows it: a bool, a number or a string.
func (v Value) Raw() any {
	switch v.kind {
	case Bool:
		return v.Bool()
	case Integer:
		return v.Int()
	case Number, Ratio:
		return v.num
	default:
		return v.String()
	}
}

// FormatSeconds writes a span of s seconds as people do: 50ms, 45s, 10m, 1h30m.
func FormatSeconds(s float64) string {
	text := time.Duration(math.Round(s * 1e9)).String()
	if trimmed, ok := strings.CutSuffix(text, "m0s"); ok {
		text = trimmed + "m"
	}
	if trimmed, ok := strings.CutSuffix(text, "h0m"); ok {
		text = trimmed + "h"
	}
	return text
}

// ParseSeconds reads a span of time such as 50ms, 90s, 5m, 1h30m or 2d12h,
// where d counts days of 24 hours, and returns its seconds. A whole number of
// milliseconds is the finest that it accepts.
func ParseSeconds(text string) (float64, error) {
	var days int64
	rest := text
	if head, tail, ok := strings.Cut(text, "d"); ok {
		n, err := strconv.ParseUint(head, 10, 16)
		if err != nil {
			return 0, errNoSpan
		}
		days, rest = int64(n), tail
		if rest == "" {
			rest = "0s"
		}
	}
	d, err := time.ParseDuration(rest)
	if err != nil || (days > 0 && d < 0) {
		return 0, errNoSpan
	}
	if d%time.Millisecond != 0 {
		return 0, errTooFine
	}
	return float64(days*86400*1000+int64(d/time.Millisecond)) / 1000, nil
}

var (
	errNoSpan  = errors.New("is no span of time")
	errTooFine = errors.New("is not a whole number of milliseconds")
)

// Allowed says in words what the spec accepts, for help and for refusals.
func (s Spec) Allowed() string {
	switch s.Kind {
	case Bool:
		return "true or false (on or off)"
	case Enum:
		return strings.Join(s.Options, ", ")
	case Text:
		return "any text"
	case Duration:
		return s.allowedSpan()
	}
	words := "a number"
	if s.Kind == Integer {
		words = "a whole number"
	}
	switch {
	case s.Above && math.IsInf(s.Max, 1):
		words += " above " + short(s.Min)
	case s.Above:
		words += " above " + short(s.Min) + ", at most " + short(s.Max)
	case math.IsInf(s.Max, 1):
		words += ", at least " + short(s.Min)
	default:
		words += " from " + short(s.Min) + " to " + short(s.Max)
	}
	if s.Unit != "" {
		words += " " + s.Unit
	}
	return words
}

func (s Spec) allowedSpan() string {
	words := "a span of time"
	switch s.step() {
	case 60:
		words += " in whole minutes"
	case 1:
		words += " in whole seconds"
	}
	return words + " from " + FormatSeconds(s.Min) + " to " + FormatSeconds(s.Max) + ", with a unit, for example 90s or 5m"
}

// step returns the grain of a Duration in seconds.
func (s Spec) step() float64 {
	switch {
	case s.Step > 0:
		return s.Step
	case s.Min < 1 && s.Min != 0:
		return 0.001
	}
	return 1
}

// Grain returns what every value of the spec is a whole number of: 1 for an
// Integer, the step of a Duration in seconds, 0 where any number will do.
func (s Spec) Grain() float64 {
	switch s.Kind {
	case Integer:
		return 1
	case Duration:
		return s.step()
	}
	return 0
}

// short writes a bound, with an exponent only where it is huge.
func short(x float64) string {
	if math.Abs(x) < 1e12 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// Parse reads raw, a bool, a number or a string as YAML, JSON or a command
// line gives it, into a value of the spec's kind and domain.
func (s Spec) Parse(raw any) (Value, *Problem) {
	v, wrong := s.convert(raw)
	if wrong == "" {
		wrong = s.outside(v)
	}
	if wrong != "" {
		p := &Problem{Field: s.Name, Value: fmt.Sprint(raw), Message: wrong, Allowed: s.Allowed()}
		if s.Kind == Enum {
			p.Nearest = Nearest(p.Value, s.Options)
		}
		return Value{}, p
	}
	return v, nil
}

// convert turns raw into a value of the right kind, or says what is wrong.
func (s Spec) convert(raw any) (Value, string) {
	switch s.Kind {
	case Bool:
		return toBool(raw)
	case Duration:
		text, ok := raw.(string)
		if !ok {
			return Value{}, "needs a unit"
		}
		n, err := ParseSeconds(text)
		if err != nil {
			return Value{}, err.Error()
		}
		return Value{kind: Duration, num: n}, ""
	case Enum, Text:
		text, ok := raw.(string)
		if !ok {
			return Value{}, "is no text"
		}
		return Value{kind: s.Kind, text: text}, ""
	}
	x, ok := toFloat(raw)
	if !ok || math.IsNaN(x) || math.IsInf(x, 0) {
		return Value{}, "is no number"
	}
	if s.Kind == Integer && x != math.Trunc(x) {
		return Value{}, "is no whole number"
	}
	return Value{kind: s.Kind, num: x}, ""
}

// outside says how v leaves the spec's domain, "" where it does not.
func (s Spec) outside(v Value) string {
	switch s.Kind {
	case Bool, Text:
		return ""
	case Enum:
		if !slices.Contains(s.Options, v.text) {
			return "is none of the options"
		}
		return ""
	}
	switch {
	case v.num < s.Min || (s.Above && v.num == s.Min):
		return "is too small"
	case v.num > s.Max:
		return "is too large"
	case s.Kind == Duration && s.step() >= 1 && math.Mod(v.num, s.step()) != 0:
		return "is no multiple of " + FormatSeconds(s.step())
	}
	return ""
}

func toBool(raw any) (Value, string) {
	switch x := raw.(type) {
	case bool:
		return OfBool(x), ""
	case string:
		switch strings.ToLower(x) {
		case "true", "on":
			return OfBool(true), ""
		case "false", "off":
			return OfBool(false), ""
		}
	}
	return Value{}, "is neither true nor false"
}

func toFloat(raw any) (float64, bool) {
	switch x := raw.(type) {
	case float64:
		return x, true
	case int:
		return float64(x), true
	case int64:
		return float64(x), true
	case uint64:
		return float64(x), true
	case string:
		f, err := strconv.ParseFloat(x, 64)
		return f, err == nil
	}
	return 0, false
}
