package web

import (
	"slices"

	"github.com/firedrill/firedrill/simulator/dist"
	"github.com/firedrill/firedrill/simulator/latency"
)

// mix splits the totals of a minute over pods, codes, priorities and the cells
// of the latency histograms. Every part only grows while the totals grow, and
// the parts sum up to the totals; what rounding leaves over is carried to the
// next minute, so that nothing is lost in the long run, however rare.
type mix struct {
	places []int // of the serving pods in the fleet
	class  [classes]column
	low    float64 // share of the admitted requests that have low priority

	cells   [2][]float64 // shares of the cells up to the last that has one: of good and of bad pods
	mean    [2]float64   // seconds of an answer
	known   [2]bool      // the cells are worked out
	timeout int          // cell of an answer at the timeout
	limit   float64      // the timeout in seconds

	pod  podPart // the pod that was last looked at
	time float64 // seconds of the answers of all pods looked at since split
}

// column splits the total of one class over the serving pods.
type column struct {
	shares   []float64
	deficits []float64
	counts   []int64
}

// podPart is one pod's part of the minute so far.
type podPart struct {
	place   int // among the serving pods
	byCode  [PodCodes]int64
	lows    [PodCodes]int64
	replied int64   // answers that are no timeouts
	cells   []int64 // of them by cell
	sum     float64 // seconds of all answers
	kind    int
}

func newMix() mix {
	m := mix{pod: podPart{cells: make([]int64, latency.Cells())}}
	for i := range m.cells {
		m.cells[i] = make([]float64, latency.Cells())
	}
	return m
}

// open notes the shares of a minute that has been evaluated.
func (m *mix) open(s *Service) {
	m.places = m.places[:0]
	for k := range m.class {
		m.class[k].shares = m.class[k].shares[:0]
		m.class[k].deficits = m.class[k].deficits[:0]
	}
	for i := range s.fleet.pods {
		p := &s.fleet.pods[i]
		if p.weight == 0 {
			continue
		}
		m.places = append(m.places, i)
		for k, share := range classShares(p) {
			m.class[k].shares = append(m.class[k].shares, share)
			m.class[k].deficits = append(m.class[k].deficits, p.tally.deficit[k])
		}
	}
	for k := range m.class {
		m.class[k].ready(len(m.places))
	}
	m.low = lowShare(float64(s.config.LowPriority), float64(s.config.Shed))
	m.known = [2]bool{}
	m.limit = float64(s.config.Timeout)
	m.timeout = latency.CellOf(m.limit)
}

// ready normalizes the shares and makes room for the counts of n pods.
func (c *column) ready(n int) {
	if total := sum(c.shares); total > 0 {
		for i := range c.shares {
			c.shares[i] /= total
		}
	}
	c.counts = slices.Grow(c.counts[:0], n)[:n]
}

func sum(xs []float64) float64 {
	total := 0.0
	for _, x := range xs {
		total += x
	}
	return total
}

// classShares returns a pod's share of each class, up to a common factor.
func classShares(p *pod) [classes]float64 {
	healthy := p.weight
	var built float64
	if p.bad {
		built = p.weight
		healthy *= 1 - badBuildErrors
	}
	whole := healthy * (1 - p.broken)
	return [classes]float64{
		answered:   whole,
		timedOut:   p.weight,
		buildError: built,
		podError:   healthy * p.broken,
		otherError: whole,
	}
}

// lowShare is the share of the admitted requests that have low priority where
// a share shed of them is rejected.
func lowShare(low, shed float64) float64 {
	admitted := 1 - float64(low*shed)
	if admitted <= 0 {
		return 0
	}
	return low * (1 - shed) / admitted
}

// split works out each pod's part of each class so far.
func (m *mix) split(s *Service) {
	for k := range m.class {
		col := &m.class[k]
		clear(col.counts)
		if total := s.counts.run[k]; total > 0 {
			dist.Apportion(col.counts, col.deficits, col.shares, total)
		}
	}
	m.pod.place, m.time = -1, 0
}

// part works out the pod's part by code, priority and cell. It is called for
// the serving pods in their order, after split.
func (m *mix) part(p *pod, s *Service) {
	m.pod.place++
	m.pod.byCode = [PodCodes]int64{}
	for k := range m.class {
		m.pod.byCode[class(k).code()] += m.class[k].counts[m.pod.place]
	}
	for code, n := range m.pod.byCode {
		m.pod.lows[code] = carried{fraction: p.tally.low[code]}.plus(float64(float64(n) * m.low)).count
	}
	m.pod.kind = kindOf(p)
	m.shape(m.pod.kind, s)
	m.pod.replied = m.pod.byCode[OK] + m.pod.byCode[ServerError]
	m.pod.cells = m.pod.cells[:len(m.cells[m.pod.kind])]
	clear(m.pod.cells)
	if m.pod.replied > 0 {
		dist.Apportion(m.pod.cells, p.tally.cells[:len(m.pod.cells)], m.cells[m.pod.kind], m.pod.replied)
	}
	late := m.pod.byCode[GatewayTimeout]
	m.pod.sum = float64(float64(m.pod.replied)*m.mean[m.pod.kind]) + float64(float64(late)*m.limit)
	m.time += m.pod.sum
}

// negligible is the share of the answers that the slowest cells leave out: one
// in a million million.
const negligible = 1e-12

// shape works out how the answers of good or of bad pods spread over the
// cells, from the exact tail of the waiting time.
func (m *mix) shape(kind int, s *Service) {
	if m.known[kind] {
		return
	}
	m.known[kind] = true
	mu := s.rateOf(kind == 1)
	all := s.queue.Wait.Tail(0, mu)
	above, shares := all, m.cells[kind][:0]
	for i := 0; above > negligible*all; i++ {
		below := 0.0
		if i < latency.Cells()-1 {
			below = min(above, s.queue.Wait.Tail(latency.Upper(i), mu))
		}
		shares = append(shares, (above-below)/all)
		above = below
	}
	m.cells[kind] = shares
	m.mean[kind] = s.queue.Wait.MeanTime(mu) / all
}

// addTo adds the part that was last worked out to a pod's counts.
func (m *mix) addTo(dst *Pod) {
	for code, n := range m.pod.byCode {
		dst.Requests[Low][code] += m.pod.lows[code]
		dst.Requests[High][code] += n - m.pod.lows[code]
	}
	for i, n := range m.pod.cells {
		dst.Latency.Count[i] += n
	}
	dst.Latency.Count[m.timeout] += m.pod.byCode[GatewayTimeout]
	dst.Latency.Sum += m.pod.sum
}

// settle keeps what rounding left over of the part that was last worked out.
func (m *mix) settle(p *pod) {
	for code, n := range m.pod.byCode {
		p.tally.low[code] = carried{fraction: p.tally.low[code]}.plus(float64(float64(n) * m.low)).fraction
	}
	dist.Carry(p.tally.cells, m.cells[m.pod.kind], m.pod.cells, m.pod.replied)
	for k := range m.class {
		p.tally.deficit[k] = m.class[k].deficits[m.pod.place]
	}
}

// settleClasses keeps what rounding left over when the totals were split over
// the pods.
func (m *mix) settleClasses(s *Service) {
	for k := range m.class {
		col := &m.class[k]
		dist.Carry(col.deficits, col.shares, col.counts, s.counts.run[k])
	}
}
