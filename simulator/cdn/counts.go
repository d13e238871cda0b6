package cdn

import (
	"github.com/firedrill/firedrill/simulator/latency"
)

// SessionCounts count the sessions of a kind. Started = Ended + Lost + those
// that run.
type SessionCounts struct {
	Started, Ended, Lost int64
	Moved                int64 // from one link to another, each time
}

// linkCounts is what a link has counted.
type linkCounts struct {
	Started  int64 // sessions that started on it
	Refused  int64 // sessions that it did not take
	Moved    int64 // sessions that left it for another
	Lost     int64 // sessions that ended with it
	Sent     int64 // bytes, everyone's
	Received int64 // bytes: requests and acknowledgements
	Dropped  int64 // packets
}

// receivedRatio is what comes in for each byte that goes out.
const receivedRatio = 0.02

// packetBits is the size of a packet.
const packetBits = 1400 * 8

// KindCounts count the traffic of a kind.
type KindCounts struct {
	Sent int64 // bytes that players got
	Hits int64 // of them from the sites' caches; the rest came from the origin
}

// site is what is worked out for a site.
type site struct {
	asked float64 // in this second, bits/s
	sent  int64   // bytes so far
}

// counts is what the service has counted.
type counts struct {
	sessions [Contents]SessionCounts
	kinds    [Contents]KindCounts
	segments [Contents]times // downloads
	lines    int64           // whose turn it is to start a session
}

// times gathers spans of time in the cells of a histogram, in fractions of one.
type times struct {
	count []float64
	sum   float64
}

func (t *times) add(n, seconds float64) {
	seconds = min(seconds, longest)
	t.count[latency.CellOf(seconds)] += n
	t.sum += float64(n * seconds)
}

// longest is the longest time that a histogram is given, seconds.
const longest = 60

// histogram returns the whole ones.
func (t *times) histogram() latency.Histogram {
	h := latency.NewHistogram()
	for i, n := range t.count {
		h.Count[i] = int64(n)
	}
	h.Sum = t.sum
	return h
}

func newCounts() counts {
	c := counts{}
	for kind := range c.segments {
		c.segments[kind].count = make([]float64, latency.Cells())
	}
	return c
}

// lines returns the speeds of users' own lines, eight equally frequent ones, as
// multiples of their median: a log-normal distribution with σ = 0.6 in the
// middle of each eighth.
//
// Test: TestLinesAreLogNormal.
func lines() [8]float64 {
	return [...]float64{0.39835, 0.58730, 0.74581, 0.90992, 1.09900, 1.34082, 1.70271, 2.51035}
}

// countTraffic counts a second of a link: bytes, packets, segments.
func (s *Service) countTraffic(l *link) {
	got := l.hostShare * (1 - l.lost)
	steered := 0.0
	for kind := range Contents {
		bits := float64(l.asks[kind] * got)
		steered += bits
		k := &s.counts.kinds[kind]
		bytes := int64(bits / 8)
		k.Sent += bytes
		k.Hits += int64(float64(bytes) * float64(s.config.HitRatios[kind]))
	}
	if l.far {
		return
	}
	sent := steered + float64(l.background*(1-l.lost))
	l.counts.Sent += int64(sent / 8)
	l.counts.Received += int64(sent / 8 * receivedRatio)
	if l.status != Broken { // its device counts nothing
		l.counts.Dropped += int64((l.offered() - sent) / packetBits)
	}
	s.sites[l.Site].sent += int64(steered / 8)
}

// countSegments counts the segments that are downloaded in a second. A player
// downloads one in the length of a segment; those of a link all count in the
// same second of it, and links take turns.
func (s *Service) countSegments(i int) {
	if (int(s.now)+i)%int(s.config.Segment) != 0 {
		return
	}
	l := &s.links[i]
	calm := l.load <= nearlyFull && l.hostShare == 1 && l.status != Broken
	for kind := range Contents {
		for rung, n := range l.rungs[kind] {
			switch {
			case n == 0:
			case calm:
				s.calm[kind][rung] += n
			default:
				s.download(kind, rung, n, l)
			}
		}
	}
}

// download counts a segment for each of so many players on a link, or on links
// with room for all where there is none.
//
//	time = segment·bitrate/T
func (s *Service) download(kind Content, rung int, n int32, l *link) {
	b, segment := float64(Bitrate(rung)), float64(s.config.Segment)
	speeds := lines()
	each := float64(n) / float64(len(speeds))
	for _, line := range speeds {
		t := float64(line * float64(s.config.AccessRate))
		if l != nil {
			t = l.throughput(b, t)
		}
		s.counts.segments[kind].add(each, segment*b/max(t, 1))
	}
}

// countCalm counts the segments on all links with room.
func (s *Service) countCalm() {
	for kind := range Contents {
		for rung, n := range s.calm[kind] {
			if n > 0 {
				s.download(kind, rung, n, nil)
			}
		}
	}
	s.calm = [Contents][Rungs]int32{}
}

// quality is what users get, by operator·Contents + kind.
type quality struct {
	watching []int32   // sessions now
	watched  []float64 // seconds
	stalled  []float64 // seconds
	startups []int64   // sessions that started
	startup  []float64 // seconds that they waited for the first picture
	now      float64   // stalled in this second
}

func newQuality(operators int) quality {
	n := operators * int(Contents)
	return quality{make([]int32, n), make([]float64, n), make([]float64, n), make([]int64, n), make([]float64, n), 0}
}

// add takes in a second.
func (q *quality) add(s *Service) {
	for i, n := range q.watching {
		q.watched[i] += float64(n)
	}
	q.now = 0
	for i := range s.links {
		l := &s.links[i]
		for kind := range Contents {
			stalled := l.players[kind].stalled
			if stalled == 0 {
				continue
			}
			for at := int(kind); at < len(l.operators); at += int(Contents) {
				lost := float64(stalled * float64(l.operators[at]))
				q.stalled[at] += lost
				q.now += lost
			}
		}
	}
}

// startedOn counts how long a new session waits for its first picture: three
// round trips and a segment.
func (s *Service) startedOn(l *link, g *group, kind Content, link int) {
	c := &s.counts
	speeds := lines()
	access := float64(speeds[c.lines%int64(len(speeds))] * float64(s.config.AccessRate))
	c.lines++
	b := float64(Bitrate(topRung))
	wait := float64(3*(s.rtt(g, link)+l.queueing())) + float64(s.config.Segment)*b/max(1, l.throughput(b, access))
	at := g.Operator*int(Contents) + int(kind)
	s.quality.startups[at]++
	s.quality.startup[at] += min(wait, longest)
}
