package promengine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/value"
)

// TestPack: numbers come out as they went in, bit by bit, and take as few bytes
// as they may.
func TestPack(t *testing.T) {
	const exact = 1 << 52
	for _, c := range []struct {
		values []float64
		bytes  int
	}{
		{[]float64{7}, 8},
		{[]float64{0.5, 0.5, 0.5}, 8},
		{[]float64{math.NaN(), math.NaN()}, 8},
		{[]float64{0, math.Copysign(0, -1)}, 16},
		{[]float64{1, 256}, 10}, {[]float64{1, 257}, 12}, {[]float64{-3, 65532}, 12}, {[]float64{-3, 65533}, 16}, {[]float64{0, math.MaxUint32}, 16}, {[]float64{0, math.MaxUint32 + 1}, 16},
		{[]float64{1, 2, 3.5}, 24},
		{[]float64{exact, exact - 1}, 10}, {[]float64{exact + 2, exact}, 16}, {[]float64{-exact, -exact + 9}, 10},
		{[]float64{1, math.Inf(1)}, 16}, {[]float64{1, math.NaN()}, 16}, {[]float64{1, math.Float64frombits(value.StaleNaN)}, 16},
	} {
		holds(t, fmt.Sprint(c.values), c.values)
		if got := pack(append([]float64{}, c.values...)).bytes(); got != c.bytes {
			t.Errorf("%v take %d bytes, want %d", c.values, got, c.bytes)
		}
	}
}

func holds(t *testing.T, name string, values []float64) {
	t.Helper()
	packed := pack(append([]float64{}, values...))
	for i, v := range values {
		if got := packed.at(i); math.Float64bits(got) != math.Float64bits(v) {
			t.Errorf("%s: number %d is %v, want %v", name, i, got, v)
		}
	}
}

// TestPackRandom does so with numbers of all sizes.
func TestPackRandom(t *testing.T) {
	for seed := range uint64(2000) {
		random := rand.New(rand.NewPCG(seed, 0))
		size := math.Exp2(60 * random.Float64())
		values := make([]float64, 1+random.IntN(blockLen))
		base := math.Trunc(size * random.NormFloat64())
		for i := range values {
			values[i] = base + math.Trunc(math.Exp2(40*random.Float64()))
			if seed%7 == 0 && random.IntN(20) == 0 {
				values[i] = random.NormFloat64()
			}
		}
		holds(t, fmt.Sprint("seed ", seed), values)
	}
}

// TestCloseHistograms: histograms of changing buckets, of both signs, with
// custom bounds, gauges, stale markers and numbers among them.
func TestCloseHistograms(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 0))
		var from open
		for i := range from {
			switch random.IntN(12) {
			case 0:
			case 1:
				from[i] = &histogram.FloatHistogram{Sum: math.Float64frombits(value.StaleNaN)}
			default:
				from[i] = randomHistogram(random)
			}
		}
		packed := closeHistograms(&from)
		var into histogram.FloatHistogram // used again, as queries do
		for i, want := range from {
			if packed.has(i) != (want != nil) {
				t.Fatalf("seed %d, place %d: a histogram: %t", seed, i, packed.has(i))
			}
			if want == nil {
				continue
			}
			packed.read(i, &into)
			if !into.Equals(want) || into.CounterResetHint != want.CounterResetHint {
				t.Fatalf("seed %d, place %d:\n%v\nwant\n%v", seed, i, into, want)
			}
		}
	}
}

// randomHistogram returns a histogram of one of few layouts.
func randomHistogram(random *rand.Rand) *histogram.FloatHistogram {
	n := 1 + random.IntN(2)
	list := func() []float64 {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(random.IntN(1000)) / []float64{1, 3}[random.IntN(2)]
		}
		return values
	}
	spans := []histogram.Span{{Offset: 2, Length: uint32(n)}}
	h := &histogram.FloatHistogram{Schema: 1, Count: random.Float64(), Sum: random.NormFloat64(), PositiveSpans: spans, PositiveBuckets: list()}
	switch random.IntN(4) {
	case 0:
		h.Schema, h.CustomValues = histogram.CustomBucketsSchema, []float64{1, 2, 3, 4}
	case 1:
		h.ZeroThreshold, h.ZeroCount, h.NegativeSpans, h.NegativeBuckets = 0.25, 3, spans, list()
	case 2:
		h.CounterResetHint = histogram.GaugeType
	}
	return h
}
