package admin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/firedrill/firedrill/internal/driver"
	"github.com/firedrill/firedrill/simulator"
)

// Moment is a moment of simulated time.
type Moment struct {
	Tick simulator.Tick `json:"tick" doc:"simulated seconds since the start of the run" example:"600"`
	Time time.Time      `json:"time" doc:"simulated time" example:"2026-01-05T09:10:00Z"`
}

func moment(t simulator.Tick, start time.Time) Moment {
	return Moment{Tick: t, Time: t.After(start)}
}

// Clock says how simulated time passes.
type Clock struct {
	Moment
	Run     int            `json:"run" doc:"number of the run since the program's start, from 1"`
	Start   time.Time      `json:"start" doc:"simulated time at tick 0"`
	Speed   float64        `json:"speed" doc:"simulated seconds per second, while not paused"`
	Paused  bool           `json:"paused" doc:"simulated time stands still"`
	Waiting bool           `json:"waiting" doc:"simulated time stands still until the first scrape"`
	Lag     simulator.Tick `json:"lag_seconds" doc:"simulated seconds that are due and not simulated yet"`
}

func clockOf(s driver.Status) Clock {
	return Clock{Moment: moment(s.Tick, s.Start), Run: s.Run, Start: s.Start, Speed: s.Speed, Paused: s.Paused, Waiting: s.Waiting, Lag: s.Lag}
}

// Named is a value with its name.
type Named struct {
	Name  string
	Value any // bool, string, int or float64
}

// Object is a JSON object whose members keep their order.
type Object []Named

// MarshalJSON writes the members in order; what is no finite number is null.
func (o Object) MarshalJSON() ([]byte, error) {
	dst := []byte{'{'}
	for i, member := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		name, err := json.Marshal(member.Name)
		if err != nil {
			return nil, err
		}
		dst = append(append(dst, name...), ':')
		if dst, err = appendJSON(dst, member.Value); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}

// UnmarshalJSON reads the members in order.
func (o *Object) UnmarshalJSON(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if _, err := decoder.Token(); err != nil {
		return err
	}
	*o = Object{}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		var value any
		if err := decoder.Decode(&value); err != nil {
			return err
		}
		*o = append(*o, Named{fmt.Sprint(name), value})
	}
	return nil
}

func appendJSON(dst []byte, value any) ([]byte, error) {
	if x, ok := value.(float64); ok {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return append(dst, "null"...), nil
		}
		return simulator.AppendNumber(dst, x), nil
	}
	text, err := json.Marshal(value)
	return append(dst, text...), err
}

// Schema documents the object.
func (Object) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}

// Number is a number that is written as precisely as firedrill writes data.
type Number float64

// MarshalJSON writes the number.
func (n Number) MarshalJSON() ([]byte, error) { return appendJSON(nil, float64(n)) }

// Schema documents the number.
func (Number) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeNumber} }
