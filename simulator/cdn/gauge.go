package cdn

import "github.com/firedrill/firedrill/simulator"

// Spans of the gauges in seconds.
const (
	gaugeSeconds  = 60 // of the device's mean, and between its publications
	senderSeconds = 10 // of the senders' counters
)

// gauge is a measurement of a link's load: a mean that is published at
// intervals.
type gauge struct {
	value     float64        // as published
	published simulator.Tick // how many seconds had been simulated then
	offset    int            // second of its interval, where devices are staggered
	sum       float64        // since
	seconds   int
}

// add takes in a second. With its last one the gauge publishes; now counts the
// seconds simulated with this one.
func (g *gauge) add(x float64, now simulator.Tick, every, offset int) {
	g.sum += x
	g.seconds++
	if (int(now%simulator.Tick(every))+every-offset)%every == 0 {
		g.value, g.published = g.sum/float64(g.seconds), now
		g.sum, g.seconds = 0, 0
	}
}

// measure lets the gauges of a link take in the second that ends at now.
func (l *link) measure(now simulator.Tick, stagger bool) {
	offset := 0
	if stagger {
		offset = l.device.offset
	}
	l.device.add(float64(l.carriedRatio()), now, gaugeSeconds, offset)
	l.senders.add(float64(l.seenRatio()), now, senderSeconds, 0)
}
