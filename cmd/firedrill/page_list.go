package main

import (
	"bufio"
	"context"
	"fmt"
	"strconv"

	"github.com/firedrill/firedrill/internal/admin"
)

// pageListCmd lists the pages of a running firedrill.
type pageListCmd struct {
	remote
	All bool `help:"List what is resolved as well."`
}

// Run prints a line a page, the most urgent kind first.
func (c *pageListCmd) Run(ctx context.Context, s streams) error {
	var all admin.Pages
	if err := c.get(ctx, &all, "pages"); err != nil {
		return err
	}
	w := bufio.NewWriter(s.out)
	fmt.Fprintf(w, "at %s\n", describeMoment(&all.Moment, ""))
	listed := 0
	for _, kind := range kinds {
		var rows [][]string
		for _, p := range all.Pages {
			if string(p.Severity) == kind.severity && (c.All || p.Resolved == nil) {
				rows = append(rows, []string{strconv.Itoa(p.ID), describeMoment(&p.Opened.Moment, ""), describeState(p), describeSubject(p), plain(p.Title)})
			}
		}
		if len(rows) > 0 {
			fmt.Fprintf(w, "\n%s\n", kind.many)
			tabulate(w, rows)
		}
		listed += len(rows)
	}
	if listed == 0 {
		fmt.Fprintln(w, "nothing is open")
	}
	return w.Flush()
}
