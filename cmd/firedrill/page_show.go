package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/firedrill/firedrill/internal/admin"
)

// pageShowCmd shows a page of a running firedrill.
type pageShowCmd struct {
	remote
	ID pageID `arg:"" help:"Number of the page."`
}

// Run prints what there is to know about it.
func (c *pageShowCmd) Run(ctx context.Context, s streams) error {
	var p admin.Page
	if err := c.get(ctx, &p, "pages", string(c.ID)); err != nil {
		return err
	}
	w := bufio.NewWriter(s.out)
	fmt.Fprintf(w, "%s: %s\n", describePage(p), plain(p.Title))
	tabulate(w, pageFacts(p))
	writePageAlerts(w, p)
	writePageHistory(w, p)
	return w.Flush()
}

// pageFacts lists what is known about a page itself.
func pageFacts(p admin.Page) [][]string {
	var rows [][]string
	add := func(name, value string) {
		if value != "" {
			rows = append(rows, []string{name, value})
		}
	}
	state := string(p.State)
	if p.Silenced {
		state += ", silenced by a page"
	}
	add("state", state)
	add("about", describeSubject(p))
	add("opened", describeMoment(&p.Opened.Moment, ""))
	if p.Acknowledged != nil {
		add("acknowledged", describeMoment(&p.Acknowledged.Moment, "")+" "+describeAct(*p.Acknowledged))
	}
	if p.Resolved != nil {
		words := describeAct(p.Resolved.PageAct)
		if p.Resolved.By == "alerts" {
			words += ": its alerts have ended"
		}
		add("resolved", describeMoment(&p.Resolved.Moment, "")+" "+words)
	}
	add("runbook", plain(p.RunbookURL))
	return rows
}

// writePageAlerts lists the alerts of a page, each with the text of its rule.
func writePageAlerts(w io.Writer, p admin.Page) {
	fmt.Fprintln(w, "\nAlerts")
	for _, a := range p.Alerts {
		fmt.Fprintf(w, "  %s %s since %s", plain(a.Name), a.Status, describeMoment(&a.Since.Moment, ""))
		if a.Ended != nil {
			fmt.Fprintf(w, ", ended %s", describeMoment(&a.Ended.Moment, ""))
		}
		fmt.Fprintln(w)
		for line := range strings.Lines(a.Annotations["description"]) {
			if line = strings.TrimSpace(plain(line)); line != "" {
				fmt.Fprintf(w, "    %s\n", line)
			}
		}
	}
	if p.MoreAlerts > 0 {
		fmt.Fprintf(w, "  and %d more\n", p.MoreAlerts)
	}
}

func writePageHistory(w io.Writer, p admin.Page) {
	fmt.Fprintln(w, "\nHistory")
	rows := make([][]string, len(p.History))
	for i, e := range p.History {
		rows[i] = []string{describeMoment(&e.Moment, ""), e.Event}
		if words := strings.Join(strings.Fields(plain(e.Actor+" "+e.Alert+" "+e.Note)), " "); words != "" {
			rows[i] = append(rows[i], words)
		}
	}
	tabulate(w, rows)
	if p.HistoryGap > 0 {
		fmt.Fprintf(w, "  %d entries after the first are left out\n", p.HistoryGap)
	}
}
