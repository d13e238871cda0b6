package exporter

import (
	"strconv"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/exporter/series"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/cdn"
	"github.com/firedrill/firedrill/simulator/unit"
)

// showCDN writes the series of a CDN, all on one target: what its collector of
// network devices, its balancer and the reports of its players tell.
func showCDN(u *series.Update, run *simulator.Snapshot, service string, s *cdn.Snapshot) {
	u.Target(sharedLabels(service), series.Status{Since: run.Since, Listed: true, Answers: true})
	for i := range s.Links {
		cdnLink(u, &s.Links[i])
		cdnLinkGauges(u, &s.Links[i])
		cdnLinkSessions(u, &s.Links[i])
	}
	cdnBalancer(u, s)
	for i := range s.Sites {
		cdnSite(u, &s.Sites[i])
	}
	for kind := range cdn.Contents {
		cdnKind(u, kind, &s.Kinds[kind])
	}
	for i := range s.Users {
		cdnUsers(u, s.Operators, &s.Users[i])
	}
}

// inBytes returns a rate in bytes per second.
func inBytes(rate unit.BitsPerSecond) float64 { return float64(rate) / 8 }

// cdnLink writes what the network device at a link's end knows.
func cdnLink(u *series.Update, l *cdn.LinkState) {
	u.Set(&metric.LinkInfo, 1, l.ID, l.SiteName, l.OperatorName)
	u.Set(&metric.LinkTransmitBytes, float64(l.Sent), l.ID)
	u.Set(&metric.LinkReceiveBytes, float64(l.Received), l.ID)
	u.Set(&metric.LinkDiscards, float64(l.Dropped), l.ID)
	u.Set(&metric.LinkSpeed, inBytes(l.Capacity), l.ID)
	u.Set(&metric.LinkUp, flag(l.Status != cdn.Broken), l.ID)
	for _, state := range []cdn.Status{cdn.Up, cdn.Draining, cdn.Maintenance, cdn.Broken} {
		u.Set(&metric.LinkState, flag(l.Status == state), l.ID, state.String())
	}
	u.Set(&metric.LinkAnnounced, flag(l.Announced), l.ID)
}

// cdnLinkGauges writes the load of a link as it is and as it is seen.
func cdnLinkGauges(u *series.Update, l *cdn.LinkState) {
	u.Set(&metric.LinkLoadRatio, l.Load, l.ID)
	u.Set(&metric.LinkMeasuredLoadRatio, l.Device, l.ID, string(cdn.ByDevice))
	u.Set(&metric.LinkMeasuredLoadRatio, l.Senders, l.ID, string(cdn.BySenders))
	u.Set(&metric.LinkMeasurementAge, float64(l.DeviceAge), l.ID, string(cdn.ByDevice))
	u.Set(&metric.LinkMeasurementAge, float64(l.SendersAge), l.ID, string(cdn.BySenders))
	u.Set(&metric.LinkLossRatio, float64(l.Loss), l.ID)
	u.Set(&metric.LinkQueueing, float64(l.Queueing), l.ID)
}

// cdnLinkSessions writes the sessions of a link and what the balancer asks of it.
func cdnLinkSessions(u *series.Update, l *cdn.LinkState) {
	u.Set(&metric.LinkSessions, float64(l.Sessions), l.ID)
	u.Set(&metric.LinkStarts, float64(l.Started), l.ID)
	u.Set(&metric.LinkRefusals, float64(l.Refused), l.ID)
	u.Set(&metric.LinkMoves, float64(l.Moved), l.ID)
	u.Set(&metric.LinkLosses, float64(l.Lost), l.ID)
	u.Set(&metric.BalancerSlowdown, l.Signals.Slowdown, l.ID)
	u.Set(&metric.BalancerDrop, l.Signals.Drop, l.ID)
	u.Set(&metric.BalancerOscillation, l.Oscillation, l.ID)
	u.Set(&metric.BalancerTarget, l.Target, l.ID)
}

func cdnBalancer(u *series.Update, s *cdn.Snapshot) {
	u.Set(&metric.BalancerInfo, 1, string(s.Config.Algorithm), string(s.Config.Gauge), string(s.Config.Routing))
	u.Set(&metric.BalancerGroups, float64(s.Groups))
	u.Set(&metric.FarSessions, float64(s.Far.Sessions))
	u.Set(&metric.FarStarts, float64(s.Far.Started))
	u.Set(&metric.FarLoadRatio, s.Far.Load)
	u.Set(&metric.PlayerABR, flag(s.Config.ABR))
}

func cdnSite(u *series.Update, s *cdn.SiteState) {
	u.Set(&metric.SiteTransmitBytes, float64(s.Sent), s.ID)
	u.Set(&metric.SiteHosts, float64(s.Hosts), s.ID)
	u.Set(&metric.SiteCapacity, float64(s.Hosts)*inBytes(s.HostCapacity), s.ID)
	u.Set(&metric.SiteLoadRatio, s.Load, s.ID)
}

func cdnKind(u *series.Update, kind cdn.Content, k *cdn.KindState) {
	name := kind.String()
	u.Set(&metric.VideoSessions, float64(k.Running), name)
	u.Set(&metric.VideoStarts, float64(k.Started), name)
	u.Set(&metric.VideoEnds, float64(k.Ended), name)
	u.Set(&metric.VideoLosses, float64(k.Lost), name)
	u.Set(&metric.VideoMoves, float64(k.Moved), name)
	u.Set(&metric.VideoBytes, float64(k.Sent), name)
	u.Set(&metric.VideoCacheBytes, float64(k.Hits), name, metric.Hit)
	u.Set(&metric.VideoCacheBytes, float64(k.Sent-k.Hits), name, metric.Miss)
	u.Set(&metric.PlayerBuffer, float64(k.Buffer), name)
	u.SetHistogram(&metric.SegmentDuration, k.Segments, name)
}

// cdnUsers writes what players report, by their operator and the kind that they
// play.
func cdnUsers(u *series.Update, operators []string, s *cdn.UserState) {
	operator, kind := operators[s.Operator], s.Kind.String()
	for rung, n := range s.Rungs {
		u.Set(&metric.PlayerSessions, n, operator, kind, strconv.FormatFloat(float64(cdn.Bitrate(rung)), 'f', 0, 64))
	}
	u.Set(&metric.PlayerWatched, s.Watched, operator, kind)
	u.Set(&metric.PlayerRebuffered, s.Stalled, operator, kind)
	u.Set(&metric.PlayerStartups, float64(s.Startups), operator, kind)
	u.Set(&metric.PlayerStartupTime, s.Startup, operator, kind)
	for i, share := range cdn.Quantiles() {
		u.Set(&metric.PlayerThroughput, inBytes(s.Throughput[i]), operator, kind, strconv.FormatFloat(share*100, 'f', 0, 64))
	}
}
