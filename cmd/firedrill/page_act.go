package main

import (
	"context"
	"fmt"

	"github.com/firedrill/firedrill/internal/admin"
)

// actOnPage does something to a page of a running firedrill.
type actOnPage struct {
	remote
	Actor string `placeholder:"NAME" help:"Who does it, for the records; your user name where not given."`
	Note  string `placeholder:"TEXT" help:"Why, for the records."`
	ID    pageID `arg:"" help:"Number of the page."`
}

// pageAckCmd acknowledges a page.
type pageAckCmd struct{ actOnPage }

// Run acknowledges it.
func (c *pageAckCmd) Run(ctx context.Context, s streams) error {
	p, err := c.act(ctx, "ack")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "%s is acknowledged %s\n", describePage(p), describeAct(*p.Acknowledged))
	return err
}

// pageResolveCmd ends a page.
type pageResolveCmd struct{ actOnPage }

// Run ends it.
func (c *pageResolveCmd) Run(ctx context.Context, s streams) error {
	p, err := c.act(ctx, "resolve")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "%s is resolved %s\n", describePage(p), describeAct(p.Resolved.PageAct))
	return err
}

func (c *actOnPage) act(ctx context.Context, what string) (admin.Page, error) {
	actor := c.Actor
	if actor == "" {
		actor = userName()
	}
	body := map[string]string{"actor": actor}
	if c.Note != "" {
		body["note"] = c.Note
	}
	var p admin.Page
	err := c.post(ctx, body, &p, "pages", string(c.ID), what)
	if err == nil && p.Acknowledged == nil && p.Resolved == nil {
		err = fmt.Errorf("%s does not answer as a firedrill does: page %s is neither acknowledged nor resolved", c.URL.at.Redacted(), c.ID)
	}
	return p, err
}
