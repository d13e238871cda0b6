package pager

import (
	"slices"
	"strings"

	"github.com/firedrill/firedrill/simulator"
)

// maxWords is how much of a text goes into a history, in bytes.
const maxWords = 300

// clip shortens a text for a history.
func clip(text string) string {
	if len(text) <= maxWords {
		return text
	}
	return strings.ToValidUTF8(text[:maxWords], "") + "…"
}

// record adds an entry to the page's history and returns it as an event, whose
// tick the pager fills in. The first entry stays; the oldest of the others makes
// way.
func (p *page) record(e Entry, limit int) simulator.Event {
	if len(p.History) >= limit {
		p.History = slices.Delete(p.History, 1, 2)
		p.HistoryGap++
	}
	p.History = append(p.History, e)
	fields := []simulator.Field{
		{Name: "page", Value: p.ID}, {Name: "severity", Value: string(p.Severity)}, {Name: "slo", Value: p.SLO()},
	}
	switch e.Kind {
	case alertJoined, alertResolved:
		fields = append(fields, simulator.Field{Name: "alert", Value: e.Alert}, simulator.Field{Name: "summary", Value: e.Summary})
	case opened:
		fields = append(fields, simulator.Field{Name: "title", Value: p.Title})
	default:
		fields = append(fields, simulator.Field{Name: "actor", Value: e.Actor}, simulator.Field{Name: "note", Value: e.Note})
	}
	return simulator.Event{Service: p.Service(), Kind: e.Kind, Fields: fields}
}
