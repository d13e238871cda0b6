// Package pager turns alerts into pages, as an Alertmanager with the shipped
// configuration would, and keeps what people do with them.
//
// It is a state machine without a clock, a goroutine or a socket: every time
// comes from the caller, and what has come of a call is returned as a value. It
// is not safe for concurrent use; in firedrill up the goroutine of the driver
// owns it, so that pages, like everything else, happen between two simulated
// seconds.
//
// # How to feed it
//
// The rules of a drill are evaluated at simulated times. At each of them, and
// at each time that Due names, on the goroutine that owns the pager:
//
//	effects := pager.Observe(now, transitions...) // the alerts that changed at now
//	effects := pager.Advance(now)                 // what has waited long enough
//
// in this order: news of one moment is grouped before the group goes out. Time
// may be far ahead of Due; what was due happens at the time at which it was due.
// Each Alert is one transition: Firing with Starts, or Resolved with Starts and
// Ends, each on both clocks, with all labels (alertname, severity, the external
// ones) and the expanded annotations. Pending alerts are nobody's business yet.
// The caller tells the events to whoever follows the drill and sends the
// notifications on where somebody asked for them. With another drill comes
// Reset; whatever fired before tick 0 is not to be given at all.
//
// # From alert to page
//
// Alerts that agree in severity and in the labels of the policy (service, slo)
// make a group. The first waits GroupWait for others, then they go out as one
// notification; what is new goes out at every GroupInterval after that, and the
// same again after RepeatInterval. An alert that is silenced by a more urgent
// one is left out as long as that fires, whether people have resolved its page
// or not. This is as in Alertmanager, but for one thing: an alert that ends
// while it is silenced has ended.
//
// The spans are in simulated time, as the rules are, so that a drill gives the
// same pages at any speed and across a pause: at speed 60 GroupWait is half a
// second. For rules on the wall clock, Config.Wall has them there, and the
// policy is one made for the speed (alerts.Options.Policy).
//
// # Pages
//
// A notification in which an alert fires opens a page where the group has none
// that is open, and joins it else. What is urgent by its severity is a page,
// the rest are tickets and notices, which behave the same. A page goes from
// triggered over acknowledged to resolved, once and in this direction:
//
//   - Its alerts have all ended: it resolves by itself. If they fire again, that
//     is another page.
//   - Somebody resolves it while they fire: it stays resolved, and the next
//     notification of them opens another page: at the latest when RepeatInterval
//     has passed, earlier where another alert joins or ends.
//   - New alerts in an acknowledged page leave it acknowledged.
//
// # Two sources
//
// An Alertmanager elsewhere has grouped and waited already; Notify puts its
// alerts into the pages at once, each into the page of its own severity and
// labels, however that Alertmanager groups. The same alert, by its labels, from
// both sources is one alert in one page; it has ended when neither says that it
// fires. A notification is the whole truth about its group: an alert that it
// does not mention any more has ended as far as that Alertmanager knows.
package pager
