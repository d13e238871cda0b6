package cdn

import "github.com/firedrill/firedrill/simulator"

var _ simulator.Lister = (*Service)(nil)

// columns describes a row in the order of AppendRow.
func columns() []simulator.Column {
	const gbits = 1 / gigabit
	return []simulator.Column{
		{Key: "minute", Whole: true},
		{Key: "demand_bits_per_second", Head: "Gbit/s", Scale: gbits, Digits: 1},
		{Key: "live_bits_per_second"},
		{Key: "vod_bits_per_second"},
		{Key: "lesson_bits_per_second"},
		{Key: "concert_bits_per_second"},
		{Key: "carried_bits_per_second"},
		{Key: "sessions", Whole: true, Head: "sess", Scale: 1},
		{Key: "mean_load_ratio", Head: "mean%", Scale: 100},
		{Key: "max_load_ratio", Head: "max%", Scale: 100},
		{Key: "overloaded_links", Whole: true, Head: "over", Scale: 1},
		{Key: "oscillation_ratio", Head: "osc%", Scale: 100},
		{Key: "far_ratio", Head: "far%", Scale: 100, Digits: 1},
		{Key: "refusal_rate", Head: "refu/s", Scale: 1},
		{Key: "move_rate", Head: "move/s", Scale: 1},
		{Key: "lost", Whole: true},
		{Key: "lost_total", Whole: true, Head: "lost", Scale: 1},
		{Key: "rebuffer_ratio", Head: "stall%", Scale: 100, Digits: 2},
		{Key: "stalled_seconds"},
		{Key: "loss_ratio"},
		{Key: "bitrate_bits_per_second", Head: "Mbit/s", Scale: 1e-6, Digits: 1},
		{Key: "origin_bits_per_second"},
		{Key: "hit_ratio"},
	}
}

// AppendRow appends the minute that was last evaluated.
func (s *Service) AppendRow(dst []float64) []float64 {
	r := &s.row
	return append(dst,
		float64(r.Number), r.Asked, r.Kinds[Live], r.Kinds[VOD], r.Kinds[Lesson], r.Kinds[Concert], r.Carried,
		float64(r.Sessions), r.MeanLoad, r.MaxLoad, float64(r.Overloaded), r.Oscillation, r.Far, r.Refused, r.Moved,
		float64(r.Lost), float64(r.LostAll), r.Stalled, r.StalledAll, r.Loss, r.Bitrate, r.Origin, r.Hits)
}

// Healthy reports whether users see what they came for: the share of the viewing
// that stalls, and the share of the sessions that is lost, are within one limit,
// and the share of the traffic that is lost on the links within another.
func (s *Service) Healthy() bool {
	r, limit := &s.row, float64(s.config.RebufferLimit)
	return r.Stalled <= limit && r.Loss <= float64(s.config.LossLimit) && float64(r.Lost) <= float64(limit*float64(max(1, r.Sessions)))
}

// lists describes the lists of a row in the order of Items.
func lists() []simulator.List {
	return []simulator.List{{Key: "links", Columns: []simulator.Column{
		{Key: "load_ratio"}, {Key: "overloaded_ratio"}, {Key: "device_load_ratio"}, {Key: "sender_load_ratio"},
		{Key: "slowdown_ratio"}, {Key: "drop_ratio"}, {Key: "oscillation_ratio"}, {Key: "sessions", Whole: true},
	}}}
}

// Items returns the links as of the minute that was last evaluated: mean load,
// the share of the minute above 95 %, and at its end the gauges, the signals of
// the balancer and the sessions.
func (s *Service) Items(int) []simulator.Item {
	items := make([]simulator.Item, len(s.steered()))
	for i := range items {
		l := &s.links[i]
		items[i] = simulator.Item{ID: l.ID, Values: []float64{
			l.last.load, l.last.overloaded, l.device.value, l.senders.value,
			l.signals.Slowdown, l.signals.Drop, l.memory.Oscillation(), float64(l.last.sessions)}}
	}
	return items
}
