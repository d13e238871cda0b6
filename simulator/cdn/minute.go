package cdn

// minute gathers the seconds since the last row.
type minute struct {
	seconds  float64
	asked    float64           // sum of what players ask for, bits/s
	kinds    [Contents]float64 // the same by kind
	carried  float64           // sum of what links carry, everyone's, bits/s
	dropped  float64           // sum of what is lost on them
	origin   float64           // sum of what the caches do not have
	stalled  float64           // seconds of viewing
	watched  float64
	sessions [Contents]SessionCounts // as they stood at the last row
	refused  int64
}

// linkMinute gathers the seconds of a link since the last row.
type linkMinute struct {
	load       float64 // sum
	overloaded float64 // seconds above 95 %
	sessions   int     // at the end
}

// Row is what the model worked out for one minute, the one that ends with the
// second of the row: means over it, unless said otherwise. Field by field it has
// the keys of AppendRow.
type Row struct {
	Number      int
	Asked       float64           // what players ask for, bits/s
	Kinds       [Contents]float64 // the same by kind
	Carried     float64           // what links carry, other services' traffic included, bits/s
	Sessions    int               // at the end
	MeanLoad    float64           // of the links together
	MaxLoad     float64           // mean of the fullest link
	Overloaded  int               // links that were above 95 % for half a minute or more
	Oscillation float64           // of the link that swings most, at the end
	Far         float64           // share of the sessions on the far site, at the end
	Refused     float64           // a second
	Moved       float64           // a second
	Lost        int               // in the minute
	LostAll     int               // since tick 0
	Stalled     float64           // share of the viewing
	StalledAll  float64           // seconds of viewing since tick 0
	Loss        float64           // share of the traffic on the links
	Bitrate     float64           // mean of the sessions, at the end, bits/s
	Origin      float64           // what the caches do not have, bits/s
	Hits        float64           // share of the traffic that they have
}

// add takes in a second.
func (m *minute) add(s *Service) {
	m.seconds++
	for i := range s.links {
		l := &s.links[i]
		got := float64(l.hostShare * (1 - l.lost))
		for kind, x := range l.asks {
			m.kinds[kind] += x
			m.asked += x
			m.origin += float64(x * got * (1 - float64(s.config.HitRatios[kind])))
		}
		if l.far {
			continue
		}
		offered := l.offered()
		m.carried += float64(offered * (1 - l.lost))
		if l.status != Broken { // what would have gone there goes elsewhere
			m.dropped += float64(offered * l.lost)
		}
		l.minute.load += l.load
		if l.load > nearlyFull {
			l.minute.overloaded++
		}
	}
	m.stalled += s.quality.now
	for _, n := range s.quality.watching {
		m.watched += float64(n)
	}
}

// row returns the row of what was gathered, and begins anew.
func (m *minute) row(s *Service, number int) Row {
	r := Row{Number: number, Asked: m.asked / m.seconds, Carried: m.carried / m.seconds, Origin: m.origin / m.seconds}
	for kind, x := range m.kinds {
		r.Kinds[kind] = x / m.seconds
	}
	r.Stalled = ratio(m.stalled, m.watched)
	r.StalledAll = s.row.StalledAll + m.stalled
	r.Loss = ratio(m.dropped, m.carried+m.dropped)
	r.Hits = 1 - ratio(m.origin, m.asked)
	m.links(s, &r)
	m.changes(s, &r)
	*m = minute{sessions: s.sessions(), refused: s.refused()}
	return r
}

// links adds what the links tell to a row.
func (m *minute) links(s *Service, r *Row) {
	asked, capacity, offered := 0.0, 0.0, 0.0
	for i := range s.links {
		l := &s.links[i]
		r.Sessions += l.total()
		asked += l.asked()
		if l.far {
			r.Far = float64(l.total())
			continue
		}
		l.last = linkMinute{l.minute.load / m.seconds, l.minute.overloaded / m.seconds, l.total()}
		l.minute = linkMinute{}
		r.MaxLoad = max(r.MaxLoad, l.last.load)
		r.Oscillation = max(r.Oscillation, l.memory.Oscillation())
		if l.last.overloaded >= 0.5 {
			r.Overloaded++
		}
		capacity += float64(l.Capacity)
		offered += float64(l.last.load * float64(l.Capacity))
	}
	r.MeanLoad = offered / capacity
	r.Far = ratio(r.Far, float64(r.Sessions))
	r.Bitrate = ratio(asked, float64(r.Sessions))
}

// changes adds what was counted since the last row.
func (m *minute) changes(s *Service, r *Row) {
	lost, moved := int64(0), int64(0)
	for kind, now := range s.sessions() {
		lost += now.Lost - m.sessions[kind].Lost
		moved += now.Moved - m.sessions[kind].Moved
	}
	r.Lost = int(lost)
	r.LostAll = s.row.LostAll + int(lost)
	r.Moved = float64(moved) / m.seconds
	r.Refused = float64(s.refused()-m.refused) / m.seconds
}

// sessions returns the counts of all kinds.
func (s *Service) sessions() [Contents]SessionCounts { return s.counts.sessions }

// refused returns how often links have refused a session.
func (s *Service) refused() int64 {
	n := int64(0)
	for i := range s.links {
		n += s.links[i].counts.Refused
	}
	return n
}

// ratio returns a/b, 0 where b is 0.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
