package queueing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

const (
	batches  = 40
	perBatch = 15_000
)

// An event simulation of a station, request by request: it knows nothing of the
// formulas. Requests are served in the order of arrival, each by the server that
// is free first.
type simulation struct {
	station Station
	// stays means that callers whose patience ends count as failed but keep their
	// place, which is what the textbook assumes.
	stays  bool
	random *rand.Rand
	now    float64
	freeAt []float64
}

func newSimulation(s Station, stays bool, seed uint64) *simulation {
	return &simulation{station: s, stays: stays, random: rand.New(rand.NewPCG(seed, 9)), freeAt: make([]float64, s.Servers)}
}

// next simulates the next arrival. It returns the time that the request has to
// wait, or would have to, and its own service time.
func (m *simulation) next() (wait, service float64) {
	m.now += m.random.ExpFloat64() / m.station.ArrivalRate
	first := 0
	for i, at := range m.freeAt {
		if at < m.freeAt[first] {
			first = i
		}
	}
	wait = max(0, m.freeAt[first]-m.now)
	service = m.random.ExpFloat64() * m.station.Service
	if m.stays || wait < m.station.Patience {
		m.freeAt[first] = m.now + wait + service
	}
	return wait, service
}

// A sample estimates a probability from the means of batches that are long
// against the memory of the queue, so that they are nearly independent.
type sample struct {
	name string
	want float64
	hits [batches]float64
}

func (s *sample) hit(batch int, yes bool) {
	if yes {
		s.hits[batch]++
	}
}

// sigmas returns by how many standard errors the mean is off. The error is
// estimated from the batches, and is at least that of independent requests, at
// least one of them a hit.
func (s *sample) sigmas() float64 {
	mean, squares := 0.0, 0.0
	for _, n := range s.hits {
		mean += n / perBatch / batches
	}
	for _, n := range s.hits {
		squares += (n/perBatch - mean) * (n/perBatch - mean)
	}
	const requests = batches * perBatch
	least := math.Sqrt(max(s.want, 1.0/requests) / requests)
	deviation := max(least, math.Sqrt(squares/(batches-1)/batches))
	return math.Abs(mean-s.want) / deviation
}

// expectations are the samples of one station: ratios, the percentile, and the
// tail at every bound, for the station's own service rate and for a slower pod's.
type expectations struct {
	failed, waits, beyond sample
	own, slow             []sample
	p99                   float64
}

const slowness = 1.25

func expect(s Station, solution Solution) expectations {
	mu, w := 1/s.Service, solution.Wait
	e := expectations{
		failed: sample{name: "failed", want: solution.Failed},
		waits:  sample{name: "wait probability", want: solution.WaitProbability},
		beyond: sample{name: "beyond p99", want: 0.01 * (1 - solution.Failed)},
		p99:    ExactP99(w, solution.Failed, mu, s.Servers, s.Patience),
	}
	for _, bound := range bounds {
		e.own = append(e.own, sample{name: fmt.Sprintf("tail at %v s", bound), want: w.Tail(bound, mu)})
		e.slow = append(e.slow, sample{name: fmt.Sprintf("slow pod's tail at %v s", bound), want: w.Tail(bound, mu/slowness)})
	}
	return e
}

func (e *expectations) observe(batch int, wait, service, patience float64) {
	answered := wait < patience
	e.failed.hit(batch, !answered)
	e.waits.hit(batch, wait > 0)
	e.beyond.hit(batch, answered && wait+service > e.p99)
	for i, bound := range bounds {
		e.own[i].hit(batch, answered && wait+service > bound)
		e.slow[i].hit(batch, answered && wait+service*slowness > bound)
	}
}

func (e *expectations) all() []sample {
	return slices.Concat([]sample{e.failed, e.waits, e.beyond}, e.own, e.slow)
}

func checkSimulation(t *testing.T, s Station, stays bool, solution Solution, seed uint64) {
	t.Helper()
	m, e := newSimulation(s, stays, seed), expect(s, solution)
	for range perBatch {
		m.next()
	}
	for batch := range batches {
		for range perBatch {
			wait, service := m.next()
			e.observe(batch, wait, service, s.Patience)
		}
	}
	for _, sample := range e.all() {
		if sigmas := sample.sigmas(); sigmas > 5 {
			t.Errorf("%+v (seed %d): %s is %.1f standard errors from %v", s, seed, sample.name, sigmas, sample.want)
		}
	}
}

func stationAt(servers int, ratio, service, patience float64) Station {
	return Station{Servers: servers, ArrivalRate: ratio * float64(servers) / service, Service: service, Patience: patience}
}

func TestSimulationAgreesWithExact(t *testing.T) {
	for i, s := range []Station{
		stationAt(16, 0.8, 0.1, 0.5), stationAt(16, 0.98, 0.1, 0.5), stationAt(16, 1, 0.1, 0.5),
		stationAt(16, 1.02, 0.1, 0.5), stationAt(16, 1.5, 0.1, 0.5),
		stationAt(4, 0.98, 0.1, 2), stationAt(4, 1, 0.1, 2), stationAt(4, 1.02, 0.1, 2),
		stationAt(1, 0.5, 0.1, 2), stationAt(3, 1.1, 2, 2),
	} {
		checkSimulation(t, s, false, Exact(s), uint64(i))
	}
}

func TestSimulationAgreesWithTextbook(t *testing.T) {
	for i, s := range []Station{stationAt(1, 0.5, 0.1, 0.3), stationAt(4, 0.9, 0.1, 0.2), stationAt(16, 0.8, 0.1, 0.1)} {
		checkSimulation(t, s, true, Textbook(s), uint64(100+i))
	}
}
