package main

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/firedrill/firedrill/internal/admin"
	"github.com/firedrill/firedrill/simulator/schema"
)

// pageCmd takes care of the pages of a running firedrill: a field is a
// subcommand.
type pageCmd struct {
	List    pageListCmd    `cmd:"" default:"withargs" help:"List what is open: pages, tickets and notices."`
	Show    pageShowCmd    `cmd:"" help:"Show a page with its alerts, its runbook and its history."`
	Ack     pageAckCmd     `cmd:"" help:"Say that you take care of a page."`
	Resolve pageResolveCmd `cmd:"" help:"End a page by hand; one whose alerts end resolves by itself."`
}

// pageID names a page.
type pageID string

// UnmarshalText reads the id of a page.
func (id *pageID) UnmarshalText(text []byte) error {
	v, p := schema.Spec{Kind: schema.Integer, Min: 1, Max: 1e9}.Parse(string(text))
	if p != nil {
		return *p
	}
	*id = pageID(v.String())
	return nil
}

// kinds are what people call pages, by severity, the most urgent first.
var kinds = []struct{ severity, one, many string }{
	{"page", "page", "Pages"}, {"ticket", "ticket", "Tickets"}, {"warning", "notice", "Notices"},
}

// describePage names a page.
func describePage(p admin.Page) string {
	for _, kind := range kinds {
		if kind.severity == string(p.Severity) {
			return fmt.Sprintf("%s %d", kind.one, p.ID)
		}
	}
	return fmt.Sprintf("%s %d", p.Severity, p.ID)
}

// describeSubject says what a page is about.
func describeSubject(p admin.Page) string {
	return strings.TrimSpace(plain(p.Service + " " + p.SLO))
}

// describeState words how far people are with a page.
func describeState(p admin.Page) string {
	switch {
	case p.Resolved != nil:
		return "resolved"
	case p.Acknowledged != nil && p.Acknowledged.Actor != "":
		return "acknowledged by " + plain(p.Acknowledged.Actor)
	case p.Silenced:
		return "silenced"
	}
	return string(p.State)
}

// describeAct words who did something to a page and how long after its
// beginning, in simulated and in real time.
func describeAct(a admin.PageAct) string {
	words := fmt.Sprintf("after %s, %s of yours", schema.FormatSeconds(a.Seconds), schema.FormatSeconds(math.Round(a.WallSeconds)))
	if a.Actor != "" {
		words = "by " + plain(a.Actor) + " " + words
	}
	if a.Note != "" {
		words += ": " + plain(a.Note)
	}
	return words
}

// plain makes one line of a text that comes from outside, without what a
// terminal would take for a command.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}
