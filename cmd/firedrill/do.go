package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/user"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/firedrill/firedrill/internal/admin"
	"github.com/firedrill/firedrill/simulator/schema"
)

// doCmd acts on a service of a running firedrill, or says how.
type doCmd struct {
	remote
	Actor    string   `placeholder:"NAME" help:"Who asks, for the records; your user name where not given."`
	Describe bool     `help:"Describe the action in place of doing it."`
	Service  string   `arg:"" optional:"" help:"The service; without one the services are listed."`
	Action   string   `arg:"" optional:"" help:"What to do; without it the service's actions are listed."`
	Args     []string `arg:"" optional:"" name:"name=value" help:"Arguments of the action."`
}

// Help shows how it is used.
func (doCmd) Help() string {
	return `Examples:

  firedrill do                          the services and how they are
  firedrill do shop                     what can be done to shop
  firedrill do shop set --describe      one action and its arguments
  firedrill do shop set floor=20 shed=1
  firedrill do shop rollback`
}

// Run lists or acts.
func (c *doCmd) Run(ctx context.Context, s streams) error {
	w := bufio.NewWriter(s.out)
	var err error
	switch {
	case c.Service == "":
		err = c.listServices(ctx, w)
	case c.Action == "":
		err = c.listActions(ctx, w)
	case c.Describe:
		err = c.describeAction(ctx, w)
	default:
		err = c.act(ctx, w)
	}
	if err != nil {
		return err
	}
	return w.Flush()
}

func (c *doCmd) act(ctx context.Context, w io.Writer) error {
	args, err := parseArgs(c.Args)
	if err != nil {
		return usageError{err}
	}
	actor := c.Actor
	if actor == "" {
		actor = userName()
	}
	var accepted admin.Acceptance
	body := map[string]any{"args": args, "actor": actor}
	if err := c.post(ctx, body, &accepted, "services", c.Service, "actions", c.Action); err != nil {
		return c.hint(ctx, err)
	}
	words := append([]string{accepted.Service + ":", accepted.Action}, c.Args...)
	fmt.Fprintf(w, "%s %s\n", strings.Join(words, " "), accepted.Words)
	return nil
}

// hint adds to the refusal of an action that looks like an argument the action
// that has such an argument.
func (c *doCmd) hint(ctx context.Context, err error) error {
	name, _, ok := strings.Cut(c.Action, "=")
	var refusal *admin.Problem
	if !ok || !errors.As(err, &refusal) || len(refusal.Errors) != 1 || refusal.Errors[0].Field != "action" {
		return err
	}
	var all admin.Actions
	if c.get(ctx, &all, "services", c.Service, "actions") != nil {
		return err
	}
	at := slices.IndexFunc(all.Actions, func(a admin.Action) bool {
		return slices.ContainsFunc(a.Args, func(arg admin.Argument) bool { return arg.Name == name })
	})
	if at >= 0 {
		words := append([]string{all.Actions[at].Name, c.Action}, c.Args...)
		refusal.Errors[0].Nearest = strings.Join(words, " ")
	}
	return err
}

// parseArgs reads name=value words.
func parseArgs(words []string) (map[string]string, error) {
	args := map[string]string{}
	var problems schema.Problems
	for _, word := range words {
		name, value, ok := strings.Cut(word, "=")
		_, twice := args[name]
		switch {
		case !ok || name == "":
			problems = append(problems, schema.Problem{Value: word, Message: "is no argument of an action", Allowed: "name=value, for example floor=20"})
		case twice:
			problems = append(problems, schema.Problem{Field: name, Value: value, Message: "is given twice"})
		}
		args[name] = value
	}
	return args, problems.Err()
}

// userName returns the name of the user, "" where it is not known.
func userName() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.Username
}

func (c *doCmd) listServices(ctx context.Context, w io.Writer) error {
	var all admin.Services
	if err := c.get(ctx, &all, "services"); err != nil {
		return err
	}
	fmt.Fprintf(w, "at %s\n", all.Time.Format(time.TimeOnly))
	for _, service := range all.Services {
		fmt.Fprintf(w, "\n%s (%s)\n", service.Name, service.Kind)
		rows := make([][]string, len(service.Minute))
		for i, value := range service.Minute {
			rows[i] = []string{value.Name, show(value.Value)}
		}
		tabulate(w, rows)
	}
	return nil
}

func (c *doCmd) listActions(ctx context.Context, w io.Writer) error {
	actions, settings, err := c.look(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s (%s)\n", actions.Service, actions.Kind)
	for _, part := range []struct {
		title string
		fault bool
	}{{"What an operator can do", false}, {"Faults that a trainer can inject", true}} {
		fmt.Fprintf(w, "\n%s\n", part.title)
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, action := range actions.Actions {
			if action.Fault == part.fault {
				writeAction(tw, action, settings)
			}
		}
		if err := tw.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// look returns the actions of the service and its settings.
func (c *doCmd) look(ctx context.Context) (actions admin.Actions, settings admin.Object, err error) {
	var service admin.ServiceState
	if err := c.get(ctx, &service, "services", c.Service); err != nil {
		return actions, nil, err
	}
	err = c.get(ctx, &actions, "services", c.Service, "actions")
	return actions, service.Settings, err
}

func (c *doCmd) describeAction(ctx context.Context, w io.Writer) error {
	var action admin.Action
	if err := c.get(ctx, &action, "services", c.Service, "actions", c.Action); err != nil {
		return err
	}
	_, settings, err := c.look(ctx)
	if err != nil {
		return err
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	writeAction(tw, action, settings)
	return tw.Flush()
}

// writeAction describes an action and its arguments; a setting that an
// argument changes shows where it stands.
func writeAction(w io.Writer, action admin.Action, settings admin.Object) {
	fmt.Fprintf(w, "  %s\t%s\n", action.Name, action.Help)
	for _, arg := range action.Args {
		words := arg.Help + ": " + arg.Allowed
		at := slices.IndexFunc(settings, func(n admin.Named) bool { return n.Name == arg.Name })
		switch {
		case action.AtLeastOne && at >= 0:
			words += "; now " + show(settings[at].Value)
		case arg.Required:
			words += "; required"
		case arg.Default != nil:
			words += "; default " + show(arg.Default)
		}
		fmt.Fprintf(w, "    %s=\t%s\n", arg.Name, words)
	}
}

// show writes a value of the API.
func show(value any) string {
	if x, ok := value.(float64); ok {
		return fmt.Sprintf("%.6g", x)
	}
	return fmt.Sprint(value)
}
