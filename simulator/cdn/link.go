package cdn

import (
	"github.com/firedrill/firedrill/simulator"
)

// Status is how a link stands.
type Status uint8

// The states of a link.
const (
	Up          Status = iota
	Draining           // no new sessions; those that can be moved leave
	Maintenance        // drained: only players that cannot be moved are left
	Broken
)

// String returns the status as metrics name it.
func (s Status) String() string {
	return [...]string{"up", "draining", "maintenance", "broken"}[s]
}

// convergeSeconds is how long routes take to follow a change.
const convergeSeconds = 30

// link is a link with its sessions, or the far site.
type link struct {
	Link
	far        bool
	status     Status
	brokenAt   simulator.Tick
	withdrawn  bool           // by an operator
	routed     bool           // routes lead over it (anycast)
	wantedAt   simulator.Tick // since when the routes ought to be what they are not yet
	pools      [Contents][2]pool
	rungs      [Contents][Rungs]int32 // sessions by bitrate
	operators  []int32                // sessions by operator·Contents + kind
	players    [Contents]players
	asks       [Contents]float64 // what players of each kind ask for, bits/s
	hostShare  float64           // share of what is asked for that the site's hosts can send
	load       float64           // offered traffic over capacity
	lost       float64           // share of it that is lost, as of the last second
	device     gauge
	senders    gauge
	memory     Memory
	signals    Signals
	learn      learned
	counts     linkCounts
	minute     linkMinute
	last       linkMinute // means of the last row
	newcomers  [Contents]newcomers
	background float64 // bits/s
}

// Pools of a kind of session.
const (
	fixed   = 0
	movable = 1
)

// pool holds the sessions of a link, of one kind, that can or cannot be moved:
// the index of the group of each.
type pool []uint16

// take removes the session at i.
func (p *pool) take(i int) uint16 {
	group := (*p)[i]
	last := len(*p) - 1
	(*p)[i] = (*p)[last]
	*p = (*p)[:last]
	return group
}

// players are what the players of a kind on a link have in common.
type players struct {
	buffer     float64 // mean, seconds
	throughput float64 // of a download, bits/s
	stalled    float64 // share of them
}

// newcomers are the sessions that have come from other links in this second.
type newcomers struct {
	count  int
	buffer float64 // sum
}

// newLinks makes the links of a topology and the far site behind them.
func newLinks(t *Topology, c Config) []link {
	links := make([]link, 0, len(t.Links)+1)
	for i := range t.Links {
		links = append(links, link{Link: t.Links[i], routed: true, background: float64(t.Links[i].Background)})
	}
	capacity := c.FarCapacity
	if capacity == 0 {
		capacity = 1e18 // never full
	}
	links = append(links, link{Link: Link{ID: "far", Capacity: capacity}, far: true})
	for i := range links {
		l := &links[i]
		l.operators = make([]int32, len(t.Operators)*int(Contents))
		l.hostShare = 1
		l.device.offset = i * gaugeSeconds / len(links)
		for kind := range Contents {
			l.players[kind] = players{buffer: kind.bufferSize(), throughput: float64(c.AccessRate)}
		}
	}
	return links
}

// sessions returns how many sessions of a kind there are.
func (l *link) sessions(kind Content) int {
	return len(l.pools[kind][fixed]) + len(l.pools[kind][movable])
}

// total returns how many sessions there are.
func (l *link) total() int {
	n := 0
	for kind := range Contents {
		n += l.sessions(kind)
	}
	return n
}

// target returns the load that a PID aims at.
func (l *link) target(c *Config) float64 {
	if l.Target > 0 {
		return l.Target
	}
	return c.Target
}

// asked returns what the players on the link ask for, in bits/s.
func (l *link) asked() float64 {
	sum := 0.0
	for _, x := range l.asks {
		sum += x
	}
	return sum
}

// offered returns what comes to the link: what the hosts send of what players
// ask for, and the background, in bits/s.
func (l *link) offered() float64 { return float64(l.asked()*l.hostShare) + l.background }

// loss returns the share of the offered traffic that is lost.
//
//	p = 0                    for ℓ ≤ 0.95
//	p = 0.01·(ℓ − 0.95)/0.05 for 0.95 ≤ ℓ ≤ 1
//	p = 0.01 + 1 − 1/ℓ       for ℓ ≥ 1, at most 1
//
// where ℓ = load. A broken link loses everything. Test: TestLoss.
func (l *link) loss() float64 {
	switch {
	case l.status == Broken:
		return 1
	case l.load <= nearlyFull:
		return 0
	case l.load <= 1:
		return float64(fullLoss*(l.load-nearlyFull)) / (1 - nearlyFull)
	}
	return min(1, fullLoss+1-1/l.load)
}

const (
	nearlyFull = 0.95 // load from which packets are lost
	fullLoss   = 0.01 // share that is lost at load 1
)

// queueing returns the queueing delay in seconds.
//
//	q = 0.05·clamp((ℓ − 0.90)/0.10, 0, 1)
func (l *link) queueing() float64 { return float64(0.05 * clamp((l.load-0.9)/0.1, 0, 1)) }

// carriedRatio returns the carried traffic of everyone over the capacity, at
// most 1.
func (l *link) carriedRatio() float64 { return l.load * (1 - l.lost) }

// seen is the share of a link's steered bytes that the senders' counters see.
const seen = 0.95

// seenRatio returns what the senders' counters see over the capacity: most of
// the steered traffic that gets through, and no background.
func (l *link) seenRatio() float64 {
	return seen * l.asked() * l.hostShare * (1 - l.lost) / float64(l.Capacity)
}

// gauge returns the measurement that the balancer looks at.
func (l *link) gauge(g Gauge) *gauge {
	if g == BySenders {
		return &l.senders
	}
	return &l.device
}
