package pager

import (
	"github.com/firedrill/firedrill/alerts"
	"github.com/firedrill/firedrill/exporter/metric"
)

// State says how far people are with a page.
type State string

// The states, in the order in which a page goes through them; it may skip the
// second.
const (
	Triggered    State = "triggered"
	Acknowledged State = "acknowledged"
	Closed       State = "resolved"
)

// States returns the states in their order.
func States() []State { return []State{Triggered, Acknowledged, Closed} }

// Page is what somebody is told of a group of alerts: a page, or, where its
// severity says so, a ticket or a notice. Whoever has it must not change what
// is in it.
type Page struct {
	ID       int // from 1 in every drill, never used again in it
	Severity alerts.Severity
	Group    Labels // that its alerts are grouped by
	Title    string // the summary of the alert that opened it
	Runbook  string // address of that alert's runbook, "" where it has none
	State    State
	Opened   Moment

	Acknowledgement *Act        // the first; nil where nobody has acknowledged it
	Resolution      *Resolution // nil while the page is open

	Alerts        []Member // in the order in which they joined
	More          int      // alerts that fire and for which there was no room
	Forgotten     int      // alerts that ended and made room for others
	History       []Entry  // oldest first
	HistoryGap    int      // entries that are left out after the first
	Silenced      bool     // a page that is more urgent silences it now
	Notifications int      // that told of it
}

// Service returns the service that the page is about, "" where it does not say.
func (p Page) Service() string { return p.Group[metric.Service] }

// SLO returns the objective that the page is about, "" where it does not say.
func (p Page) SLO() string { return p.Group[metric.SLO] }

// Act is what a person does to a page.
type Act struct {
	Actor string // who, "" where it was not said
	Note  string // why, "" where it was not said
	At    Moment
}

// Resolution is how a page has ended.
type Resolution struct {
	Act
	ByAlerts bool // they have all ended; else somebody has resolved it
}

// Member is an alert of a page.
type Member struct {
	Alert
	Origins []Origin // that say it fires; none where it does not
}

// Entry is something that happened to a page.
type Entry struct {
	Act
	Kind    string // page_opened, page_acknowledged, page_resolved, alert_joined, alert_resolved
	Alert   string // name of the alert, "" where it is about the page
	Summary string // of the alert
}

// The kinds of entries, which are those of the events as well.
const (
	opened        = "page_opened"
	acknowledged  = "page_acknowledged"
	resolved      = "page_resolved"
	alertJoined   = "alert_joined"
	alertResolved = "alert_resolved"
)
