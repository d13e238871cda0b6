// Package webhook reads and writes the notifications that Alertmanager sends to
// a webhook, version 4 of their JSON.
//
// Parse reads what an Alertmanager sends: members that it does not know, which
// newer versions add, are skipped; everything that it needs has to be right, and
// everything that is wrong is reported at once. Write makes what a receiver of
// Alertmanager's webhook expects, with times of the wall clock.
//
// The package is pure: whoever receives and sends is outside.
package webhook
