package cdn

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/firedrill/firedrill/simulator/latency"
	"github.com/firedrill/firedrill/simulator/unit"
)

// Snapshot is the state of a CDN after a tick. It is immutable.
//
// Its counts agree: of each kind, what started is what ended, was lost, or runs.
type Snapshot struct {
	Name      string
	Config    Config // as it is now
	Row       Row    // the minute that was last evaluated
	Operators []string
	Sites     []SiteState
	Links     []LinkState // of the topology
	Far       FarState
	Groups    int
	Kinds     [Contents]KindState
	Users     []UserState // by operator, then kind; without those that nobody has ever watched
}

// SiteState is the state of a site.
type SiteState struct {
	Site
	Sent int64 // bytes that its hosts have sent
	Load float64
}

// LinkState is the state of a link.
type LinkState struct {
	Link           // capacity and background as they are now
	SiteName       string
	OperatorName   string
	Status         Status
	Announced      bool
	Load           float64 // offered traffic over capacity, unclamped
	Loss           unit.Ratio
	Queueing       unit.Seconds
	Device         float64      // load that the device's gauge shows
	DeviceAge      unit.Seconds // since the gauge was published
	Senders        float64      // load that the senders' counters show
	SendersAge     unit.Seconds
	Signals        Signals
	Target         float64
	Oscillation    float64
	Sessions       int
	Started        int64 // sessions that started on it
	Refused        int64 // sessions that it did not take
	Moved          int64 // sessions that left it for another
	Lost           int64 // sessions that ended with it
	Sent, Received int64 // bytes, everyone's
	Dropped        int64 // packets
	Mean           float64
	OverloadedMean float64 // share of the row's minute above 95 %
}

// FarState is the state of the far site.
type FarState struct {
	Sessions int
	Started  int64
	Load     float64 // over its capacity; 0 where that is unlimited
}

// KindState is the state of a kind of session.
type KindState struct {
	SessionCounts
	KindCounts
	Running  int
	Buffer   unit.Seconds // mean
	Segments latency.Histogram
}

// UserState is what the users of an operator get who watch a kind.
type UserState struct {
	Operator   int
	Kind       Content
	Sessions   int
	Rungs      [Rungs]float64 // sessions by bitrate
	Watched    float64        // seconds since tick 0
	Stalled    float64        // seconds since tick 0
	Startups   int64
	Startup    float64               // seconds that sessions have waited for their first picture
	Throughput [3]unit.BitsPerSecond // 0.1, 0.5 and 0.9 quantile of a download
}

// Snapshot returns a *Snapshot of the state after the last Step.
func (s *Service) Snapshot() any { return s.picture() }

func (s *Service) picture() *Snapshot {
	shot := &Snapshot{
		Name: s.name, Config: s.config, Row: s.row, Operators: s.topology.Operators, Groups: len(s.groups),
		Sites: make([]SiteState, len(s.sites)), Links: make([]LinkState, len(s.steered())),
	}
	for i := range s.sites {
		spec := s.topology.Sites[i]
		shot.Sites[i] = SiteState{Site: spec, Sent: s.sites[i].sent, Load: s.sites[i].asked / (float64(spec.Hosts) * float64(spec.HostCapacity))}
	}
	for i := range shot.Links {
		shot.Links[i] = s.linkState(&s.links[i])
	}
	far := &s.links[s.far()]
	shot.Far = FarState{Sessions: far.total(), Started: far.counts.Started}
	if s.config.FarCapacity > 0 {
		shot.Far.Load = far.load
	}
	for kind := range Contents {
		shot.Kinds[kind] = s.kindState(kind)
	}
	shot.Users = s.userStates()
	if s.past != nil {
		shot.follow(s.past)
	}
	return shot
}

func (s *Service) linkState(l *link) LinkState {
	spec := l.Link
	spec.Background = unit.BitsPerSecond(l.background)
	c := &l.counts
	return LinkState{
		Link: spec, SiteName: s.topology.Sites[l.Site].ID, OperatorName: s.topology.Operators[l.Operator],
		Status: l.status, Announced: !l.withdrawn, Load: l.load, Loss: unit.Ratio(l.lost), Queueing: unit.Seconds(l.queueing()),
		Device: l.device.value, DeviceAge: unit.Seconds(s.now - l.device.published),
		Senders: l.senders.value, SendersAge: unit.Seconds(s.now - l.senders.published),
		Signals: l.signals, Target: l.target(&s.config), Oscillation: l.memory.Oscillation(), Sessions: l.total(),
		Started: c.Started, Refused: c.Refused, Moved: c.Moved, Lost: c.Lost, Sent: c.Sent, Received: c.Received, Dropped: c.Dropped,
		Mean: l.last.load, OverloadedMean: l.last.overloaded,
	}
}

func (s *Service) kindState(kind Content) KindState {
	k := KindState{SessionCounts: s.counts.sessions[kind], KindCounts: s.counts.kinds[kind], Segments: s.counts.segments[kind].histogram()}
	sum := 0.0
	for i := range s.links {
		n := s.links[i].sessions(kind)
		k.Running += n
		sum += float64(float64(n) * s.links[i].players[kind].buffer)
	}
	k.Buffer = unit.Seconds(kind.bufferSize())
	if k.Running > 0 {
		k.Buffer = unit.Seconds(sum / float64(k.Running))
	}
	return k
}

// userStates returns what the users of every operator get.
func (s *Service) userStates() []UserState {
	var all []UserState
	for i, n := range s.quality.startups {
		if n == 0 {
			continue
		}
		u := UserState{
			Operator: i / int(Contents), Kind: Content(i % int(Contents)), Sessions: int(s.quality.watching[i]),
			Watched: s.quality.watched[i], Stalled: s.quality.stalled[i], Startups: n, Startup: s.quality.startup[i],
		}
		s.experience(&u, i)
		all = append(all, u)
	}
	return all
}

// download is a speed that so many sessions download at.
type download struct{ speed, sessions float64 }

// experience adds bitrates and throughputs: the sessions of an operator have
// those of the links that they are on.
func (s *Service) experience(u *UserState, place int) {
	var speeds []download
	for i := range s.links {
		l := &s.links[i]
		n := float64(l.operators[place])
		if n == 0 {
			continue
		}
		total, b := float64(l.sessions(u.Kind)), l.bitrate(u.Kind)
		for rung, of := range l.rungs[u.Kind] {
			u.Rungs[rung] += float64(n * (float64(of) / total))
		}
		all := lines()
		for _, line := range all {
			speeds = append(speeds, download{l.throughput(b, float64(line*float64(s.config.AccessRate))), n / float64(len(all))})
		}
	}
	slices.SortFunc(speeds, func(a, b download) int {
		switch {
		case a.speed < b.speed:
			return -1
		case a.speed > b.speed:
			return 1
		}
		return 0
	})
	for q, share := range Quantiles() {
		u.Throughput[q] = unit.BitsPerSecond(quantile(speeds, float64(share*float64(u.Sessions))))
	}
}

// Quantiles are those of UserState.Throughput.
func Quantiles() [3]float64 { return [...]float64{0.1, 0.5, 0.9} }

// quantile returns the speed that so many sessions are below of, 0 where there
// are none.
func quantile(speeds []download, below float64) float64 {
	for _, d := range speeds {
		if below -= d.sessions; below <= 0 {
			return d.speed
		}
	}
	return 0
}

// AppendTrace appends one line: the minute as it was evaluated, every count, and
// a digest of where every session is.
func (s *Service) AppendTrace(dst []byte) []byte {
	dst = append(dst, s.name...)
	for _, x := range s.AppendRow(nil) {
		dst = strconv.AppendFloat(append(dst, ' '), x, 'g', 9, 64)
	}
	for _, c := range s.counts.sessions {
		dst = fmt.Appendf(dst, " %d/%d/%d/%d", c.Started, c.Ended, c.Lost, c.Moved)
	}
	return fmt.Appendf(dst, " groups=%d %016x", len(s.groups), s.digest())
}

// digest is a number that differs wherever a session is elsewhere or a link is
// in another state.
func (s *Service) digest() uint64 {
	h := newMixer()
	for i := range s.links {
		l := &s.links[i]
		for kind := range Contents {
			for which := range 2 {
				h.add(uint64(len(l.pools[kind][which])))
				for _, g := range l.pools[kind][which] {
					h.add(uint64(g))
				}
			}
			for _, n := range l.rungs[kind] {
				h.add(uint64(n))
			}
			h.float(l.players[kind].buffer)
		}
		h.float(l.load)
		h.float(l.signals.Slowdown)
		h.float(l.signals.Drop)
		h.add(uint64(l.counts.Sent))
	}
	return uint64(h)
}

// mixer is FNV-1a over words of 64 bits.
type mixer uint64

func newMixer() mixer { return 0xcbf29ce484222325 }

func (m *mixer) add(x uint64) { *m = (*m ^ mixer(x)) * 0x100000001b3 }

func (m *mixer) float(x float64) { m.add(math.Float64bits(x)) }
