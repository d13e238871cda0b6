package dashtest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"
)

// Truth is what firedrill simulate prints of a service: a row a minute.
type Truth struct {
	Start   time.Time // simulated time of the first minute
	minutes []row
}

// Add adds the next minute, by column.
func (t *Truth) Add(minute map[string]float64) { t.minutes = append(t.minutes, minute) }

// ReadTruth reads the JSON lines of firedrill simulate, of one service.
func ReadTruth(from io.Reader) (Truth, error) {
	var t Truth
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		var line map[string]any
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return Truth{}, fmt.Errorf("read minute %d: %w", len(t.minutes), err)
		}
		minute := row{}
		for key, value := range line {
			if x, ok := value.(float64); ok {
				minute[key] = x
			}
		}
		if len(t.minutes) == 0 {
			text, _ := line["time"].(string)
			start, err := time.Parse(time.RFC3339, text)
			if err != nil {
				return Truth{}, fmt.Errorf("read minute 0: %w", err)
			}
			t.Start = start
		}
		t.minutes = append(t.minutes, minute)
	}
	return t, lines.Err()
}

// row returns the minute that a moment is in, counted in minutes from the start;
// before it there is the first, after the end the last.
func (t Truth) row(moment float64) row {
	return t.minutes[min(max(0, int(math.Floor(moment))), len(t.minutes)-1)]
}

// grain is how finely spans of minutes are looked at, in minutes: a power of
// two, so that nothing is lost in adding.
const grain = 1.0 / 16

// mean returns the mean of a value over the minutes before a moment, weighted by
// a column where weight is not "".
func (t Truth) mean(is func(row) float64, weight string, moment, minutes float64) float64 {
	sum, weights := 0.0, 0.0
	for at := moment - minutes; at < moment; at += grain {
		minute, w := t.row(at), 1.0
		if weight != "" {
			w = minute[weight]
		}
		sum += w * is(minute)
		weights += w
	}
	return sum / weights
}

// growth returns how much a value grows in a minute on average, over the minutes
// before a moment.
func (t Truth) growth(is func(row) float64, moment, minutes float64) float64 {
	return (is(t.row(moment)) - is(t.row(moment-minutes))) / minutes
}

// bounds returns the least and the greatest of a function around a moment.
func bounds(f func(moment float64) float64, from, to float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for at := from; at <= to; at += grain {
		low, high = min(low, f(at)), max(high, f(at))
	}
	return low, high
}
