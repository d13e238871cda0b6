package metric

// The links of a CDN.
var (
	LinkInfo = Desc{Name: "link_info", Type: Info, Extra: true, Labels: []string{Service, Link, Site, Operator},
		Help: "The link, the site that it begins at and the operator that it leads to."}
	LinkTransmitBytes = Desc{Name: "link_transmit_bytes_total", Type: Counter, Extra: true, Unit: "bytes", Labels: []string{Service, Link},
		Help: "Bytes that the link has carried towards users, other services' traffic included."}
	LinkReceiveBytes = Desc{Name: "link_receive_bytes_total", Type: Counter, Extra: true, Unit: "bytes", Labels: []string{Service, Link},
		Help: "Bytes that the link has carried from users."}
	LinkDiscards = Desc{Name: "link_transmit_discards_total", Type: Counter, Extra: true, Unit: "packets", Labels: []string{Service, Link},
		Help: "Packets towards users that the link had no room for."}
	LinkSpeed = Desc{Name: "link_speed_bytes_per_second", Type: Gauge, Extra: true, Unit: "bytes per second", Labels: []string{Service, Link},
		Help: "What the link can carry."}
	LinkUp = Desc{Name: "link_up", Type: Flag, Extra: true, Labels: []string{Service, Link},
		Help: "1 where the link is operational, 0 where it is broken."}
	LinkState = Desc{Name: "link_state", Type: Flag, Extra: true, Labels: []string{Service, Link, State},
		Help: "1 for the state that the link is in: up, draining, maintenance or broken."}
	LinkAnnounced = Desc{Name: "link_announced", Type: Flag, Extra: true, Labels: []string{Service, Link},
		Help: "1 where the link is announced to the operator, which matters with anycast routing."}
	LinkLoadRatio = Desc{Name: "link_load_ratio", Type: Gauge, Extra: true, Unit: "ratio", Labels: []string{Service, Link},
		Help: "Traffic that is offered to the link over its capacity; above 1 where more is asked for than it carries."}
	LinkMeasuredLoadRatio = Desc{Name: "link_measured_load_ratio", Type: Gauge, Extra: true, Unit: "ratio", Labels: []string{Service, Link, Gauged},
		Help: "Load of the link as the balancer can see it: by the network device's gauge, a mean of a minute, or by the senders' byte counters."}
	LinkMeasurementAge = Desc{Name: "link_measurement_age_seconds", Type: Gauge, Extra: true, Unit: "seconds", Labels: []string{Service, Link, Gauged},
		Help: "Simulated time since the gauge of the link's load was published."}
	LinkLossRatio = Desc{Name: "link_loss_ratio", Type: Gauge, Extra: true, Unit: "ratio", Labels: []string{Service, Link},
		Help: "Share of the packets that is lost on the link."}
	LinkQueueing = Desc{Name: "link_queueing_delay_seconds", Type: Gauge, Extra: true, Unit: "seconds", Labels: []string{Service, Link},
		Help: "Delay of a packet in the queue before the link."}
	LinkSessions = Desc{Name: "link_sessions", Type: Gauge, Extra: true, Unit: "sessions", Labels: []string{Service, Link},
		Help: "Sessions that are served over the link."}
	LinkStarts = Desc{Name: "link_session_starts_total", Type: Counter, Extra: true, Unit: "sessions", Labels: []string{Service, Link},
		Help: "Sessions that have started on the link."}
	LinkRefusals = Desc{Name: "link_refusals_total", Type: Counter, Extra: true, Unit: "refusals", Labels: []string{Service, Link},
		Help: "How often the link has refused a session, which then asked the next candidate."}
	LinkMoves = Desc{Name: "link_session_moves_total", Type: Counter, Extra: true, Unit: "moves", Labels: []string{Service, Link},
		Help: "Running sessions that have moved from the link to another one."}
	LinkLosses = Desc{Name: "link_lost_sessions_total", Type: Counter, Extra: true, Unit: "sessions", Labels: []string{Service, Link},
		Help: "Sessions that were lost because the link broke and their players could not be moved."}
)

// The balancer of a CDN.
var (
	BalancerInfo = Desc{Name: "balancer_info", Type: Info, Extra: true, Labels: []string{Service, Algorithm, Gauged, Routing},
		Help: "How sessions are steered: the algorithm, the gauge that it looks at, and the way of routing."}
	BalancerSlowdown = Desc{Name: "balancer_slowdown_ratio", Type: Gauge, Extra: true, Unit: "ratio", Labels: []string{Service, Link},
		Help: "Share of the new sessions that the link refuses."}
	BalancerDrop = Desc{Name: "balancer_drop_ratio", Type: Gauge, Extra: true, Unit: "ratio", Labels: []string{Service, Link},
		Help: "Share of the movable running sessions that leave the link within ten seconds."}
	BalancerOscillation = Desc{Name: "balancer_oscillation_ratio", Type: Gauge, Extra: true, Unit: "ratio", Labels: []string{Service, Link},
		Help: "Difference between the highest and the lowest load that the balancer has seen of the link in the last 150 seconds."}
	BalancerTarget = Desc{Name: "balancer_target_load_ratio", Type: Gauge, Extra: true, Unit: "ratio", Labels: []string{Service, Link},
		Help: "Load of the link that a pid aims at, as set."}
	BalancerGroups = Desc{Name: "balancer_groups", Type: Gauge, Extra: true, Unit: "groups", Labels: []string{Service},
		Help: "Groups of networks that the routing table tells apart."}
)

// The far site of a CDN, which takes what no link does.
var (
	FarSessions = Desc{Name: "far_site_sessions", Type: Gauge, Extra: true, Unit: "sessions", Labels: []string{Service},
		Help: "Sessions on the far site."}
	FarStarts = Desc{Name: "far_site_session_starts_total", Type: Counter, Extra: true, Unit: "sessions", Labels: []string{Service},
		Help: "Sessions that have started on the far site since every candidate refused them."}
	FarLoadRatio = Desc{Name: "far_site_load_ratio", Type: Gauge, Extra: true, Unit: "ratio", Labels: []string{Service},
		Help: "Traffic that is asked of the far site over its capacity; 0 where that is unlimited."}
)

// The sites of a CDN and their caches.
var (
	SiteTransmitBytes = Desc{Name: "site_transmit_bytes_total", Type: Counter, Extra: true, Unit: "bytes", Labels: []string{Service, Site},
		Help: "Bytes of video that the site's hosts have sent and that got through."}
	SiteHosts = Desc{Name: "site_hosts", Type: Gauge, Extra: true, Unit: "hosts", Labels: []string{Service, Site},
		Help: "Hosts of the site."}
	SiteCapacity = Desc{Name: "site_capacity_bytes_per_second", Type: Gauge, Extra: true, Unit: "bytes per second", Labels: []string{Service, Site},
		Help: "What the site's hosts can send together."}
	SiteLoadRatio = Desc{Name: "site_load_ratio", Type: Gauge, Extra: true, Unit: "ratio", Labels: []string{Service, Site},
		Help: "Traffic that players ask of the site over what its hosts can send."}
	VideoCacheBytes = Desc{Name: "video_cache_bytes_total", Type: Counter, Extra: true, Unit: "bytes", Labels: []string{Service, Kind, Result},
		Help: "Bytes of video that the sites' caches had (hit) or had to fetch from the origin (miss)."}
)

// The sessions of a CDN.
var (
	VideoSessions = Desc{Name: "video_sessions", Type: Gauge, Extra: true, Unit: "sessions", Labels: []string{Service, Kind},
		Help: "Sessions that run, by kind: live, vod, lesson, concert."}
	VideoStarts = Desc{Name: "video_session_starts_total", Type: Counter, Extra: true, Unit: "sessions", Labels: []string{Service, Kind},
		Help: "Sessions that have started."}
	VideoEnds = Desc{Name: "video_session_ends_total", Type: Counter, Extra: true, Unit: "sessions", Labels: []string{Service, Kind},
		Help: "Sessions that their viewers have ended."}
	VideoLosses = Desc{Name: "video_lost_sessions_total", Type: Counter, Extra: true, Unit: "sessions", Labels: []string{Service, Kind},
		Help: "Sessions that were lost with a link."}
	VideoMoves = Desc{Name: "video_session_moves_total", Type: Counter, Extra: true, Unit: "moves", Labels: []string{Service, Kind},
		Help: "How often sessions have moved from one link to another; over the starts it tells how often one does in its life."}
	VideoBytes = Desc{Name: "video_bytes_total", Type: Counter, Extra: true, Unit: "bytes", Labels: []string{Service, Kind},
		Help: "Bytes of video that players have got."}
	SegmentDuration = Desc{Name: "segment_download_duration_seconds", Type: Histogram, Extra: true, Unit: "seconds", Labels: []string{Service, Kind},
		Help: "Time that players took to download a segment."}
)

// What the players of a CDN report.
var (
	PlayerBuffer = Desc{Name: "player_buffer_seconds", Type: Gauge, Extra: true, Unit: "seconds", Labels: []string{Service, Kind},
		Help: "Mean length of the video that players have in their buffers."}
	PlayerSessions = Desc{Name: "player_sessions", Type: Gauge, Extra: true, Unit: "sessions", Labels: []string{Service, Operator, Kind, Bitrate},
		Help: "Sessions of an operator's users by the bitrate that they play at, in bits per second."}
	PlayerWatched = Desc{Name: "player_watched_seconds_total", Type: Counter, Extra: true, Unit: "seconds", Labels: []string{Service, Operator, Kind},
		Help: "Time that users have spent watching or waiting."}
	PlayerRebuffered = Desc{Name: "player_rebuffer_seconds_total", Type: Counter, Extra: true, Unit: "seconds", Labels: []string{Service, Operator, Kind},
		Help: "Time of it in which the picture stood still; over the time watched it is the rebuffer ratio."}
	PlayerStartups = Desc{Name: "player_startups_total", Type: Counter, Extra: true, Unit: "sessions", Labels: []string{Service, Operator, Kind},
		Help: "Sessions that have started to play."}
	PlayerStartupTime = Desc{Name: "player_startup_seconds_total", Type: Counter, Extra: true, Unit: "seconds", Labels: []string{Service, Operator, Kind},
		Help: "Time that they have waited for their first picture; over the startups it is the mean start-up time."}
	PlayerThroughput = Desc{Name: "player_throughput_bytes_per_second", Type: Gauge, Extra: true, Unit: "bytes per second", Labels: []string{Service, Operator, Kind, Percentile},
		Help: "Throughput of a download, by percentile of the sessions."}
	PlayerABR = Desc{Name: "player_adaptive_bitrate_enabled", Type: Flag, Extra: true, Labels: []string{Service},
		Help: "1 where players step down to a lower bitrate when their buffer runs low."}
)

// CDN returns the metrics of a CDN.
func CDN() []Desc {
	return []Desc{
		LinkInfo, LinkTransmitBytes, LinkReceiveBytes, LinkDiscards, LinkSpeed, LinkUp, LinkState, LinkAnnounced,
		LinkLoadRatio, LinkMeasuredLoadRatio, LinkMeasurementAge, LinkLossRatio, LinkQueueing,
		LinkSessions, LinkStarts, LinkRefusals, LinkMoves, LinkLosses,
		BalancerInfo, BalancerSlowdown, BalancerDrop, BalancerOscillation, BalancerTarget, BalancerGroups,
		FarSessions, FarStarts, FarLoadRatio,
		SiteTransmitBytes, SiteHosts, SiteCapacity, SiteLoadRatio, VideoCacheBytes,
		VideoSessions, VideoStarts, VideoEnds, VideoLosses, VideoMoves, VideoBytes, SegmentDuration,
		PlayerBuffer, PlayerSessions, PlayerWatched, PlayerRebuffered, PlayerStartups, PlayerStartupTime, PlayerThroughput, PlayerABR,
	}
}
