// Package notify sends the pager's notifications to webhooks, in Alertmanager's
// format, and never makes anybody wait for that.
//
// Send puts a notification into a bounded queue for every destination and
// returns at once. Run, a goroutine a destination, sends what is in the queues,
// in order. A destination that is busy, away or in trouble (no answer, 429, 5xx)
// is tried again, each time after twice as long, until the notification is too
// old; any other refusal ends the matter. A full queue loses its oldest
// notification. What is lost is counted and logged.
package notify
