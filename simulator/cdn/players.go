package cdn

import (
	"github.com/firedrill/firedrill/simulator/dist"
)

// Players' buffers.
const (
	mostRefill = 0.5 // seconds a second that a buffer gains at most
	lowBuffer  = 0.5 // share of its size below which players step down
	highBuffer = 0.9 // share of its size above which they step up
	stepUp     = 0.1 // of the players that could, those that step up at the end of a segment
)

// throughput returns what a download gets on the link, in bits/s, for a player
// of bitrate b whose own line carries access.
//
//	T = access                                     for ℓ ≤ 0.95
//	T = access + (0.99·b − access)·(ℓ − 0.95)/0.05 for 0.95 ≤ ℓ ≤ 1
//	T = b·(1 − loss)                               for ℓ ≥ 1
//
// never more than the line carries, nor than b times the share that the site's
// hosts can send where they are short. Test: TestThroughput.
func (l *link) throughput(b, access float64) float64 {
	t := access
	switch {
	case l.lost == 1:
		return 0
	case l.load >= 1:
		t = b * (1 - l.lost)
	case l.load > nearlyFull:
		t = access + float64((float64((1-fullLoss)*b)-access)*(l.load-nearlyFull))/(1-nearlyFull)
	}
	if l.hostShare < 1 {
		t = min(t, b*l.hostShare)
	}
	return min(t, access)
}

// bitrate returns the mean bitrate of the sessions of a kind, the highest where
// there is none.
func (l *link) bitrate(kind Content) float64 {
	n := l.sessions(kind)
	if n == 0 {
		return float64(Bitrate(topRung))
	}
	return l.asks[kind] / float64(n)
}

// play lets the players of every kind play for a second.
//
//	buffer += clamp(T/b − 1, −1, 0.5), within [0, its size]
//	stalled = 1 − T/b where the buffer is empty
//
// where T = throughput, b = mean bitrate. Test: TestBuffersRunDry.
func (l *link) play(c *Config) {
	for kind := range Contents {
		p := &l.players[kind]
		if l.sessions(kind) == 0 {
			*p = players{buffer: kind.bufferSize(), throughput: l.throughput(float64(Bitrate(topRung)), float64(c.AccessRate))}
			continue
		}
		b := l.bitrate(kind)
		p.throughput = l.throughput(b, float64(c.AccessRate))
		gain := min(p.throughput/b-1, mostRefill)
		p.buffer = clamp(p.buffer+gain, 0, kind.bufferSize())
		p.stalled = 0
		if p.buffer == 0 && gain < 0 {
			p.stalled = -gain
		}
	}
}

// adapt lets players change their bitrate at the end of a segment: a rung down
// where the buffer is low, a rung up, with more care, where it is high.
func (s *Service) adapt(l *link) {
	for kind := range Contents {
		rungs, p := &l.rungs[kind], &l.players[kind]
		if p.buffer > highBuffer*kind.bufferSize() && int(rungs[topRung]) == l.sessions(kind) {
			continue
		}
		atEnd := 1 / float64(s.config.Segment)
		switch {
		case p.buffer < lowBuffer*kind.bufferSize():
			for rung := 1; rung < Rungs; rung++ {
				n := int32(dist.Binomial(s.streams.steps, int64(rungs[rung]), atEnd))
				rungs[rung] -= n
				rungs[rung-1] += n
			}
		case p.buffer > highBuffer*kind.bufferSize():
			for rung := topRung - 1; rung >= 0; rung-- {
				n := int32(dist.Binomial(s.streams.steps, int64(rungs[rung]), float64(atEnd*stepUp)))
				rungs[rung] -= n
				rungs[rung+1] += n
			}
		}
	}
}
