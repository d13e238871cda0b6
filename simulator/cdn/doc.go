// Package cdn is the model of a video CDN that is steered by load figures which
// are late or inexact.
//
// Sites with hosts send video over links to operators. Users come from IP
// networks; the longest prefix that matches puts them into a group, and a group
// has candidate links with weights. A balancer looks at the load of each link
// every ten seconds and says which share of the new sessions the link refuses
// and which share of the running ones leave it. What it looks at is late (the
// device's gauge, a mean of a minute published once a minute) or inexact (the
// senders' counters, which see no other traffic and miss some of their own), so
// that two links can swing in antiphase, each overloaded in turn.
//
// # Order within a second
//
// Commands; routes that have converged; the balancer's decision (every 10 s,
// from the gauges published before); ends; arrivals; moves; loads; players;
// gauges. Every 10 minutes the weights are improved by what was measured.
//
// # Sessions
//
// They are flows, not packets. A session is a number, its group, in the pool of
// its link, its kind and whether its player can be moved. What is the same for
// all sessions of a kind on a link is kept once: the mean buffer, the share that
// stalls, and how many play at which bitrate.
//
// Always: started = ended + lost + running, for each kind, the far site
// included.
package cdn
