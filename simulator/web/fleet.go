package web

import (
	"math"
	"slices"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/latency"
	"github.com/firedrill/firedrill/simulator/rng"
)

// keptPods is how many pods that have gone the snapshot still shows: two fleets
// of the usual size. A fleet that may be larger keeps two of its own.
const keptPods = 128

// pod is an instance of the fleet with what only the model knows of it.
type pod struct {
	Pod
	ready       int     // minute from which it serves
	bad         bool    // it runs a bad build
	broken      float64 // share of its answers that are errors
	brokenUntil int     // minute
	weight      float64 // share of the minute's traffic
	tally       tally
}

// fleet is the set of pods, by ID.
type fleet struct {
	service string
	names   uint64 // where the names of this run begin
	scatter uint64 // seed of the scatter of the traffic over the pods
	choice  *rng.Stream
	most    int // instances at most
	created int
	pods    []pod // booting and serving, by ID
	gone    []Pod // lately down and retired ones, by the time of their end
	bad     float64
	broken  float64 // share of the traffic that meets a broken pod's errors
}

func newFleet(service string, seed uint32, most int) fleet {
	high, low := rng.Derive(seed, service+"/scatter/high"), rng.Derive(seed, service+"/scatter/low")
	return fleet{
		service: service,
		most:    most,
		names:   uint64(rng.Derive(seed, service+"/names")),
		scatter: uint64(high)<<32 | uint64(low),
		choice:  rng.Named(seed, service+"/choice"),
	}
}

// podName returns a name such as shop-x2k4q that no other pod of the run has:
// the numbers are permuted over all words of five letters.
func (f *fleet) podName(id int) string {
	const letters, words, stride = "bcdfghjklmnpqrstvwxz2456789", 27 * 27 * 27 * 27 * 27, 8_675_309
	word := (f.names%words + uint64(id)*stride) % words
	var code [5]byte
	for i := range code {
		code[i] = letters[word%uint64(len(letters))]
		word /= uint64(len(letters))
	}
	return f.service + "-" + string(code[:])
}

// add gives p an ID and a name and lets it join the fleet.
func (f *fleet) add(p pod) {
	f.created++
	p.ID = f.created
	p.Name = f.podName(p.ID)
	p.Latency = latency.NewHistogram()
	p.tally = newTally()
	f.pods = append(f.pods, p)
}

func (f *fleet) count(state PodState) int {
	n := 0
	for i := range f.pods {
		if f.pods[i].State == state {
			n++
		}
	}
	return n
}

func (f *fleet) serving() int { return f.count(Serving) }
func (f *fleet) booting() int { return f.count(Booting) }

// finishBoots lets the pods serve whose time has come and returns their number.
func (f *fleet) finishBoots(m int, now simulator.Tick) int {
	n := 0
	for i := range f.pods {
		p := &f.pods[i]
		if p.State == Booting && p.ready <= m {
			p.State, p.Started = Serving, now
			n++
		}
	}
	return n
}

// heal ends the breakage of pods whose time is over.
func (f *fleet) heal(m int) {
	for i := range f.pods {
		if f.pods[i].brokenUntil <= m {
			f.pods[i].broken = 0
		}
	}
}

// breakOne lets one of the serving pods, drawn, answer with errors until a
// minute.
func (f *fleet) breakOne(ratio float64, until int) {
	if at := f.choose(1, true); len(at) > 0 {
		f.pods[at[0]].broken, f.pods[at[0]].brokenUntil = ratio, until
	}
}

// choose returns the places of n serving pods: drawn, or the oldest.
func (f *fleet) choose(n int, drawn bool) []int {
	var places []int
	for i := range f.pods {
		if f.pods[i].State == Serving {
			places = append(places, i)
		}
	}
	n = min(n, len(places))
	if drawn {
		for i := range n {
			j := i + int(float64(len(places)-i)*f.choice.Float64())
			places[i], places[j] = places[j], places[i]
		}
	}
	return places[:n]
}

// leave ends the pods at the given places. Their counts stay in the load
// balancer's.
func (f *fleet) leave(places []int, state PodState, now simulator.Tick, c *counts) {
	slices.Sort(places)
	for _, at := range slices.Backward(places) {
		p := &f.pods[at]
		c.absorb(p)
		p.State, p.Ended = state, now
		f.gone = append(f.gone, p.Pod)
		f.pods = slices.Delete(f.pods, at, at+1)
	}
	if surplus := len(f.gone) - max(keptPods, 2*f.most); surplus > 0 {
		f.gone = slices.Delete(f.gone, 0, surplus)
	}
}

// kill ends n serving pods without warning and returns their number.
func (f *fleet) kill(n int, now simulator.Tick, drawn bool, c *counts) int {
	places := f.choose(n, drawn)
	f.leave(places, Down, now, c)
	return len(places)
}

// retire scales in by n serving pods, the oldest first.
func (f *fleet) retire(n int, now simulator.Tick, c *counts) {
	f.leave(f.choose(n, false), Retired, now, c)
}

// cancelBoots drops up to n booting pods, the last ordered first, and returns
// their number.
func (f *fleet) cancelBoots(n int) int {
	cancelled := 0
	for i := len(f.pods) - 1; i >= 0 && cancelled < n; i-- {
		if f.pods[i].State == Booting {
			f.pods = slices.Delete(f.pods, i, i+1)
			cancelled++
		}
	}
	return cancelled
}

// restart restarts the n oldest serving pods in place: they count from 0 again.
func (f *fleet) restart(n int, now simulator.Tick, c *counts) int {
	places := f.choose(n, false)
	for _, at := range places {
		p := &f.pods[at]
		c.absorb(p)
		p.Started, p.opened = now, false
		p.Requests = [Priorities][PodCodes]int64{}
		p.Latency = latency.NewHistogram()
		p.tally = newTally()
	}
	return len(places)
}

// replace puts a new pod of that version in the place of every serving one.
func (f *fleet) replace(version string, now simulator.Tick, c *counts) {
	n := f.serving()
	f.retire(n, now, c)
	for range n {
		f.add(pod{Pod: Pod{Version: version, State: Serving, Created: now, Started: now}})
	}
}

// roll brings the number of pods on the bad build to its share of the traffic:
// the rounded share of the serving pods, at least one while it has any, and
// not all before it has all. A pod that changes its version is replaced by a
// new one, the oldest first, except where it has only just started.
func (f *fleet) roll(share float64, good, bad string, now simulator.Tick, c *counts) {
	serving := f.serving()
	want := int(math.Round(share * float64(serving)))
	if share > 0 && serving > 0 {
		want = max(1, want)
	}
	if share < 1 && serving > 1 {
		want = min(want, serving-1)
	}
	old := func(p *pod) bool { return p.Version != good && p.Version != bad }
	runs := func(v string) func(*pod) bool { return func(p *pod) bool { return p.Version == v } }
	have := f.running(bad)
	for ; have < want && f.change(old, bad, true, now, c); have++ {
	}
	for ; have < want && f.change(runs(good), bad, true, now, c); have++ {
	}
	for ; have > want && f.change(runs(bad), good, false, now, c); have-- {
	}
	for f.change(old, good, false, now, c) {
	}
}

// running returns the number of serving pods that run a version.
func (f *fleet) running(version string) int {
	n := 0
	for i := range f.pods {
		if f.pods[i].State == Serving && f.pods[i].Version == version {
			n++
		}
	}
	return n
}

// change moves one of the serving pods that which picks to a version: one that
// has only just started as it is, else the oldest one by a replacement. It
// reports whether there was one.
func (f *fleet) change(which func(*pod) bool, version string, bad bool, now simulator.Tick, c *counts) bool {
	oldest := -1
	for i := range f.pods {
		p := &f.pods[i]
		if p.State != Serving || !which(p) {
			continue
		}
		if p.Started == now && now > 0 {
			p.bad, p.Version = bad, version
			return true
		}
		if oldest < 0 {
			oldest = i
		}
	}
	if oldest < 0 {
		return false
	}
	f.leave([]int{oldest}, Retired, now, c)
	f.add(pod{Pod: Pod{Version: version, State: Serving, Created: now, Started: now}, bad: bad})
	return true
}

// share splits the traffic of minute m over the serving pods: evenly with a
// small scatter, the bad build's pods together exactly the share bad.
func (f *fleet) share(bad float64, m int) {
	var sums [2]float64 // of the good and of the bad pods
	for i := range f.pods {
		p := &f.pods[i]
		p.weight = 0
		if p.State == Serving {
			p.weight = f.scattered(p.ID, m)
			sums[kindOf(p)] += p.weight
		}
	}
	f.bad = bad
	shares := [2]float64{1 - bad, bad}
	switch {
	case sums[0] == 0:
		shares = [2]float64{0, 1}
	case sums[1] == 0:
		shares = [2]float64{1, 0}
	}
	f.broken = 0
	for i := range f.pods {
		p := &f.pods[i]
		if p.weight > 0 {
			p.weight = shares[kindOf(p)] * p.weight / sums[kindOf(p)]
			f.broken += float64(p.weight * p.broken)
		}
	}
}

func kindOf(p *pod) int {
	if p.bad {
		return 1
	}
	return 0
}

// scattered returns the weight of a pod in a minute, about 1 ± 0.02. It is a
// hash, not a draw: no other pod and no other minute changes it.
func (f *fleet) scattered(id, m int) float64 {
	h := f.scatter ^ uint64(id)<<32 ^ uint64(m)
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9 // the finalizer of SplitMix64
	h = (h ^ h>>27) * 0x94d049bb133111eb
	h ^= h >> 31
	sum := uint64(0)
	for shift := 0; shift < 64; shift += 16 {
		sum += h >> shift & 0xffff
	}
	const mean, spread = 2 * 0xffff, 37837 // of a sum of four uniform numbers of 16 bits
	return 1 + float64(0.02*(float64(sum)-mean)/spread)
}
