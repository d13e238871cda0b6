package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/firedrill/firedrill/simulator/schema"
)

// cli is the command line: a field is a subcommand.
type cli struct {
	Up       upCmd       `cmd:"" help:"Run a scenario in accelerated time, with its metrics and its API."`
	Do       doCmd       `cmd:"" help:"Act on a service of a running firedrill, or list what can be done."`
	Page     pageCmd     `cmd:"" help:"List, acknowledge and resolve the pages of a running firedrill."`
	Clock    clockCmd    `cmd:"" help:"Pause, resume, speed up or advance the time of a running firedrill."`
	Simulate simulateCmd `cmd:"" help:"Run a scenario as fast as the machine goes and print every minute."`
	Rehearse rehearseCmd `cmd:"" help:"Run your own alert rules over simulated incidents and judge them."`
	Scenario scenarioCmd `cmd:"" help:"List, show and check scenarios."`
	Generate generateCmd `cmd:"" help:"Write the files of the repository that are generated."`

	Version kong.VersionFlag `help:"Print the version and exit."`
}

// streams are the standard streams of a run of the program.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// Exit codes.
const (
	codeOK     = 0
	codeFailed = 1
	codeUsage  = 2
)

// run runs the program in the process and returns its exit code.
func run(ctx context.Context, args []string, s streams) int {
	exit := -1 // set by --help and --version
	parser, err := kong.New(&cli{},
		kong.Name("firedrill"),
		kong.Description("A fake production system that you can page yourself with."),
		kong.Vars{"version": version()},
		kong.Writers(s.out, s.err),
		kong.Exit(func(code int) { exit = code }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 80}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(s),
	)
	if err != nil {
		panic("firedrill: the command line is badly declared: " + err.Error())
	}
	parsed, err := parser.Parse(longFlags(args))
	switch {
	case exit >= 0:
		return exit
	case err != nil:
		return report(s.err, usageError{explain(err)})
	}
	return report(s.err, parsed.Run())
}

// longFlags accepts -check for --check, which is how Go's own tools spell it.
func longFlags(args []string) []string {
	out := slices.Clone(args)
	for i, arg := range out {
		if arg == "-check" {
			out[i] = "--check"
		}
	}
	return out
}

// version describes the build.
func version() string {
	v := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v = info.Main.Version
	}
	return fmt.Sprintf("firedrill %s %s %s/%s", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// usageError is a command line that cannot be right: exit code 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// report writes an error and returns the exit code that belongs to it. Whoever
// reads our output may stop when he has seen enough: that is no failure.
func report(w io.Writer, err error) int {
	if err == nil || errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		return codeOK
	}
	var problems schema.Problems
	if errors.As(err, &problems) && problems[0].File != "" {
		fmt.Fprintln(w, problems)
	} else {
		fmt.Fprintln(w, "firedrill:", strings.ReplaceAll(err.Error(), "\n", "\nfiredrill: "))
	}
	if errors.As(err, new(usageError)) {
		return codeUsage
	}
	return codeFailed
}

// explain adds to what the command-line parser says the names that would be
// valid at that place.
func explain(err error) error {
	var parse *kong.ParseError
	if !errors.As(err, &parse) {
		return err
	}
	node := selected(parse.Context)
	message, _, _ := strings.Cut(err.Error(), ", did you mean")
	if name, ok := strings.CutPrefix(message, "unknown flag "); ok {
		return schema.Unknown("", "flag of "+node.FullPath(), name, flags(node))
	}
	if what, ok := strings.CutPrefix(message, "expected "); ok {
		return missing(node, what)
	}
	if name, ok := strings.CutPrefix(message, "unexpected argument "); ok {
		p := schema.Unknown("", "command of "+node.FullPath(), name, commands(node))
		if p.Allowed == "" {
			p.Message, p.Allowed = "is one argument too many for "+node.FullPath(), node.Summary()
		}
		return p
	}
	return err
}

// missing says what a command line breaks off before.
func missing(node *kong.Node, what string) error {
	p := schema.Problem{Message: what + " is missing after " + node.FullPath()}
	if names := commands(node); len(names) > 0 {
		p.Message, p.Allowed = "a command is missing after "+node.FullPath(), strings.Join(names, ", ")
	}
	return p
}

// selected returns the command that was named; one that is only the default of
// another is not.
func selected(c *kong.Context) *kong.Node {
	node := c.Selected()
	switch {
	case node == nil:
		return c.Model.Node
	case node.Parent != nil && node.Parent.DefaultCmd == node && !slices.Contains(c.Args, node.Name):
		return node.Parent
	}
	return node
}

func flags(node *kong.Node) []string {
	var names []string
	for _, group := range node.AllFlags(true) {
		for _, f := range group {
			names = append(names, "--"+f.Name)
		}
	}
	slices.Sort(names)
	return names
}

func commands(node *kong.Node) []string {
	var names []string
	for _, child := range node.Children {
		names = append(names, child.Name)
	}
	return names
}
