package web

import (
	"math"

	"github.com/firedrill/firedrill/simulator/dist"
	"github.com/firedrill/firedrill/simulator/rng"
)

// traffic draws how many requests come.
//
// The count of a minute is distributed as N(60λ, √(60λ)) · (1 + N(0, 0.02)):
// the factor is drawn once a minute, and each second N(λ, √λ) times that
// factor, never below 0. Without noise every second brings λ. Counts are the
// whole part of the running sum, so that fractions are carried.
type traffic struct {
	factors *rng.Stream
	seconds *rng.Stream
	blips   *rng.Stream
	mean    float64 // λ of the minute
	spread  float64 // √λ
	factor  float64 // of the minute
	carry   float64 // fraction of a request that has not been counted yet
}

func newTraffic(service string, seed uint32) traffic {
	return traffic{
		factors: rng.Named(seed, service+"/traffic/factor"),
		seconds: rng.Named(seed, service+"/traffic/second"),
		blips:   rng.Named(seed, service+"/blips"),
		factor:  1,
	}
}

// begin opens a minute of mean requests/s.
func (t *traffic) begin(mean float64, noise bool) {
	const minuteSpread = 0.02
	t.mean, t.spread, t.factor = mean, math.Sqrt(mean), 1
	if noise {
		t.factor = max(0, dist.Normal(t.factors, 1, minuteSpread))
	}
}

// rate is λ̂, the rate of the minute in the formulas.
func (t *traffic) rate() float64 { return t.mean * t.factor }

// second returns the number of requests of one second.
func (t *traffic) second(noise bool) int64 {
	drawn := t.mean
	if noise {
		drawn = max(0, dist.Normal(t.seconds, t.mean, t.spread))
	}
	sum := t.carry + float64(drawn*t.factor)
	count := math.Floor(sum)
	t.carry = sum - count
	return int64(count)
}

// blip draws whether this minute is a blip: they come at random, BlipsPerDay on
// average.
func (t *traffic) blip(c Config) bool {
	const minutesPerDay = 24 * 60
	return c.Noise && t.blips.Float64() < c.BlipsPerDay/minutesPerDay
}
