package web

import (
	"hash/fnv"
	"math"
	"slices"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/dist"
	"github.com/firedrill/firedrill/simulator/latency"
	"github.com/firedrill/firedrill/simulator/rng"
)

// class is why a request that reached a pod ended as it did.
type class int

// The classes of outcomes.
const (
	answered   class = iota // 200
	timedOut                // 504
	buildError              // 500 of the bad build
	podError                // 500 of a broken pod
	otherError              // 500 of the baseline and of blips
	classes    = iota
)

// code returns the answer code of the class.
func (k class) code() Code {
	return [...]Code{OK, GatewayTimeout, ServerError, ServerError, ServerError}[k]
}

// counts is what the load balancer and the shared parts have counted.
//
// Within a minute only the totals of the service are counted, second by
// second. What each pod, bucket and priority has of them follows from the
// minute's shares; it is worked out when somebody looks and, for good, at the
// minute's end. Both give the same.
type counts struct {
	streams [classes]*rng.Stream
	carry   [classes]float64 // fractions, where nothing is drawn

	own  [Codes]int64      // the load balancer's own answers: 429, 502, 503
	gone [Codes]int64      // answers of pods that are gone or restarted
	past latency.Histogram // of the same, without the sum
	time float64           // seconds of all answers of pods up to this minute

	run     [classes]int64 // of this minute so far
	shed    carried
	lost    int64 // requests in flight on killed pods, not yet counted
	seconds int64 // of this minute so far

	shared shared
	mix    mix
}

// carried is an integer count of a quantity whose fractions are kept.
type carried struct {
	count    int64
	fraction float64
}

// plus returns the count after x more of the quantity.
func (c carried) plus(x float64) carried {
	sum := c.fraction + x
	whole := math.Floor(sum)
	return carried{count: c.count + int64(whole), fraction: sum - whole}
}

// tally is what a pod needs to keep to split counts without bias.
type tally struct {
	deficit [classes]float64  // of the pod's share of each class
	low     [PodCodes]float64 // fractions of low-priority requests
	cells   []float64         // deficits of the cells of the latency histogram
}

func newTally() tally { return tally{cells: make([]float64, latency.Cells())} }

func newCounts(service string, seed uint32) counts {
	c := counts{past: latency.NewHistogram()}
	for k, name := range [classes]string{"", "timeout", "build", "pod", "other"} {
		c.streams[k] = rng.Named(seed, service+"/errors/"+name)
	}
	c.mix = newMix()
	return c
}

// lose lets requests in flight fail with 502 in the next second.
func (c *counts) lose(requests int64) { c.lost += requests }

// absorb keeps what a pod has counted before it leaves or restarts.
func (c *counts) absorb(p *pod) {
	for _, byCode := range p.Requests {
		for code, n := range byCode {
			c.gone[code] += n
		}
	}
	c.past.Add(p.Latency)
}

// begin opens a minute that has been evaluated.
func (c *counts) begin(s *Service) {
	c.run = [classes]int64{}
	c.seconds = 0
	c.mix.open(s)
}

// second counts the requests of one second; the place of it in its minute is
// given.
func (s *Service) second(place simulator.Tick) {
	c := &s.counts
	came := s.traffic.second(s.config.Noise)
	before := c.shed.count
	c.shed = c.shed.plus(float64(float64(came) * float64(s.config.LowPriority) * float64(s.config.Shed)))
	shed := c.shed.count - before
	c.own[TooMany] += shed
	c.seconds = int64(place) + 1
	left := came - shed
	lost := min(left, c.lost)
	c.lost = 0
	c.own[BadGateway] += lost
	left -= lost
	if s.minute.Serving == 0 {
		c.own[Unavailable] += left
		return
	}
	c.outcomes(left, s)
}

// outcomes splits the requests of a second that reach the pods by what becomes
// of them. Each class has a stream of its own.
func (c *counts) outcomes(left int64, s *Service) {
	shares := [classes]float64{
		timedOut:   float64(s.minute.Failed),
		buildError: badBuildErrors * s.fleet.bad,
		podError:   s.fleet.broken,
		otherError: s.background(),
	}
	for k := timedOut; k < classes; k++ {
		if shares[k] == 0 {
			continue
		}
		n := c.draw(k, left, shares[k], s.config.Noise)
		c.run[k] += n
		left -= n
	}
	c.run[answered] += left
}

// draw returns how many of n requests fall to a class with probability p.
func (c *counts) draw(k class, n int64, p float64, noise bool) int64 {
	if noise {
		return dist.Binomial(c.streams[k], n, p)
	}
	sum := c.carry[k] + float64(float64(n)*p)
	whole := min(math.Floor(sum), float64(n))
	c.carry[k] = sum - whole
	return int64(whole)
}

// shared is the state of the cache's and the database's counters.
type shared struct {
	lookups, hits carried // of cached objects
	jobQueries    carried // of the job that warms the cache
}

// misses returns how many look-ups were no hits.
func (h shared) misses() int64 { return h.lookups.count - h.hits.count }

// queries returns how many queries reached the database.
func (h shared) queries() int64 { return h.misses() + h.jobQueries.count }

// sharedNow returns the counters of cache and database as of this second:
// every answered request looks its queries up, the minute's hit ratio of them
// are hits, and what the job that warms the cache asks comes on top.
func (c *counts) sharedNow(s *Service) shared {
	reached := c.run[answered] + c.run[buildError] + c.run[podError] + c.run[otherError]
	if s.config.Queueing == Textbook {
		reached += c.run[timedOut]
	}
	now := c.shared
	now.lookups = now.lookups.plus(float64(float64(reached) * s.queriesPerRequest()))
	looked := now.lookups.count - c.shared.lookups.count
	now.hits = now.hits.plus(float64(float64(looked) * float64(s.minute.Hit)))
	if s.cache.warmUp > 0 {
		now.jobQueries = now.jobQueries.plus(float64(warmUpQueries * c.seconds))
	}
	return now
}

// fold makes the minute's split permanent.
func (c *counts) fold(s *Service) {
	c.shared = c.sharedNow(s)
	c.mix.split(s)
	c.mix.settleClasses(s)
	for _, at := range c.mix.places {
		p := &s.fleet.pods[at]
		c.mix.part(p, s)
		c.mix.addTo(&p.Pod)
		c.mix.settle(p)
	}
	c.time += c.mix.time
	c.run = [classes]int64{}
	c.seconds = 0
}

// codes returns the answers at the load balancer, given the pods' own.
func (c *counts) codes(pods []Pod) [Codes]int64 {
	total := c.own
	for code, n := range c.gone {
		total[code] += n
	}
	for i := range pods {
		for _, byCode := range pods[i].Requests {
			for code, n := range byCode {
				total[code] += n
			}
		}
	}
	return total
}

// latency returns the times of all answers of pods there ever were, given the
// pods as podsNow has just made them. Its sum is kept apart from the pods': in
// another order of addition it could fall by a rounding error, which a reader
// would take for a restart.
func (c *counts) latency(pods []Pod) latency.Histogram {
	total := latency.Histogram{Count: slices.Clone(c.past.Count)}
	for i := range pods {
		total.Add(pods[i].Latency)
	}
	total.Sum = c.time
	if c.seconds > 0 {
		total.Sum += c.mix.time
	}
	return total
}

// digest returns a hash of every count of the pods.
func digest(pods []Pod) uint64 {
	h := fnv.New64a()
	var word [8]byte
	put := func(x uint64) {
		for i := range word {
			word[i] = byte(x >> (8 * i))
		}
		h.Write(word[:])
	}
	for i := range pods {
		p := &pods[i]
		put(uint64(p.ID))
		for _, byCode := range p.Requests {
			for _, n := range byCode {
				put(uint64(n))
			}
		}
		for _, n := range p.Latency.Count {
			put(uint64(n))
		}
		put(math.Float64bits(p.Latency.Sum))
	}
	return h.Sum64()
}
