package rollout

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

// Names of the actions.
const (
	doDeploy   = "deploy"
	doAbort    = "abort_deploy"
	doSet      = "set"
	doPreset   = "preset"
	doBreak    = "break_container"
	doRestart  = "restart_container"
	doFix      = "fix_compose"
	doPause    = "pause_watchdog"
	doResume   = "resume_watchdog"
	doBadImage = "bad_image"
	doDrift    = "drift"
)

const longestVersion = 64 // letters

// actionSpecs lists what can be done to a rollout service.
func actionSpecs() []schema.Action {
	at := schema.Spec{Name: "server", Kind: schema.Integer, Min: 1, Max: Servers, Required: true, Help: "number of the server"}
	which := schema.Spec{Name: "container", Kind: schema.Enum, Options: containerNames(), Required: true, Help: "name of the container"}
	return []schema.Action{
		{Name: doDeploy, Help: "update the servers, one at a time", Args: schema.Specs{
			{Name: "version", Kind: schema.Text, Default: schema.OfText(""), Help: "name of what is deployed; the next number where not given"}}},
		{Name: doAbort, Help: "end the deploy when the server that it is at has started"},
		{Name: doSet, Help: "change a timing, a repair or the traffic; a timing that breaks a relation is refused unless forced", Args: setSpecs(), AtLeastOne: true},
		{Name: doPreset, Help: "put timings and repairs into a known state", Args: schema.Specs{
			{Name: "name", Kind: schema.Enum, Options: presetNames(), Required: true, Help: "the state: unrepaired, without the fight of deploy and watchdog, or as shipped"}}},
		{Name: doRestart, Help: "restart a container, 10 seconds; a missing gateway gets its place in the compose file back", Args: schema.Specs{at, which}},
		{Name: doFix, Help: "write the compose file anew as the last good deploy had it, and start what it names and does not run", Args: schema.Specs{at}},
		{Name: doPause, Help: "let the watchdogs not check any more, for a maintenance"},
		{Name: doResume, Help: "let the watchdogs check again"},
		{Name: doBreak, Fault: true, Help: "let a container die", Args: schema.Specs{at, which}},
		{Name: doBadImage, Fault: true, Help: "let the containers of the next deploy not start"},
		{Name: doDrift, Fault: true, Help: "change one number: 1 interval to 30s, 2 unhealthy_threshold to 4, 3 drain_serve to 5s, 4 stop_grace to 120s", Args: schema.Specs{
			{Name: "number", Kind: schema.Integer, Min: 1, Max: drifts, Required: true, Help: "which"}}},
	}
}

// setSpecs are the arguments of set: the keys that an operator may change, and
// force.
func setSpecs() schema.Specs {
	var specs schema.Specs
	for _, o := range options() {
		if o.live {
			specs = append(specs, o.Spec)
		}
	}
	return append(specs, schema.Spec{Name: "force", Kind: schema.Bool, Default: schema.OfBool(false), Help: "change it even where that breaks a relation of the timings"})
}

// Settings returns the levers of set as they stand.
func (s *Service) Settings() []simulator.Setting {
	var settings []simulator.Setting
	for _, o := range options() {
		if o.live {
			settings = append(settings, simulator.Setting{Name: o.Name, Value: o.get(&s.config)})
		}
	}
	return settings
}

// refuses says why a command cannot be taken; what only the present forbids is
// allowed for later.
func (s *Service) refuses(cmd simulator.Command, args schema.Values) schema.Problems {
	now := cmd.At <= s.now
	switch cmd.Do {
	case doSet:
		if cmd.Source == simulator.Operator {
			return s.breaks(args)
		}
	case doDeploy:
		if problem, ok := badVersion(args.Get("version").Text()); ok {
			return schema.Problems{problem}
		}
		if now && s.deploy.running() {
			return schema.Problems{{Message: "cannot begin while the deploy of " + s.deploy.version + " runs", Allowed: "wait for its end, or abort_deploy"}}
		}
	case doAbort:
		if now && !s.deploy.running() {
			return schema.Problems{{Message: "finds no deploy that runs"}}
		}
	case doFix, doRestart:
		if v := s.server(args); now && v.stopped {
			return schema.Problems{{Field: "args.server", Value: fmt.Sprint(v.number), Message: "is being updated by the deploy", Allowed: "wait until it has started"}}
		}
	}
	return nil
}

// breaks reports the relations that a set would break, nothing where it is
// forced.
func (s *Service) breaks(args schema.Values) schema.Problems {
	if args.Get("force").Bool() {
		return nil
	}
	return s.config.breaks(s.config.changed(args).Timings).Under("args")
}

// changed returns the configuration with what a set changes.
func (c Config) changed(args schema.Values) Config {
	for _, o := range options() {
		if o.live && args.Given(o.Name) {
			o.put(&c, args.Get(o.Name))
		}
	}
	return c
}

func badVersion(text string) (schema.Problem, bool) {
	outside := func(r rune) bool { return !unicode.IsPrint(r) || unicode.IsSpace(r) }
	if len(text) <= longestVersion && !strings.ContainsFunc(text, outside) {
		return schema.Problem{}, false
	}
	return schema.Problem{Field: "args.version", Value: text, Message: "is no name of a version", Allowed: fmt.Sprintf("at most %d characters that can be shown, none of them a space", longestVersion)}, true
}

func (s *Service) server(args schema.Values) *server { return &s.servers[args.Get("server").Int()-1] }

// apply carries out a command in the second that starts at now. What cannot be
// done any more changes nothing, and an event says so.
func (s *Service) apply(now simulator.Tick, due simulator.Due, events []simulator.Event) []simulator.Event {
	args := due.Values
	if problems := s.refuses(due.Command, args); len(problems) > 0 {
		return append(events, s.event(now, "command_refused",
			simulator.Field{Name: "do", Value: due.Do}, simulator.Field{Name: "reason", Value: problems.Error()}))
	}
	switch due.Do {
	case doDeploy:
		return s.begin(now, s.nameVersion(args.Get("version").Text()), events)
	case doAbort:
		s.deploy.abort = true
	case doSet:
		s.change(now, s.config.changed(args))
	case doPreset:
		s.change(now, s.config.With(Preset(args.Get("name").Text())))
	case doRestart:
		return s.restart(now, s.server(args), containerNamed(args.Get("container").Text()), events)
	case doFix:
		s.fix(now, s.server(args))
	case doPause, doResume:
		s.pause(due.Do == doPause)
	case doBreak:
		return s.crash(now, s.server(args), containerNamed(args.Get("container").Text()), events)
	case doBadImage:
		s.badNext = true
	case doDrift:
		s.change(now, s.config.drifted(args.Get("number").Int()))
	}
	return events
}

// nameVersion returns the name of what is deployed, the next number where none
// is given.
func (s *Service) nameVersion(given string) string {
	s.newest++
	if given != "" {
		return given
	}
	return version(s.newest)
}

// change puts a configuration in force. Probes and checks keep their place in
// the new interval.
func (s *Service) change(now simulator.Tick, to Config) {
	from := s.config
	s.config, s.broken = to, to.broken()
	if to.Interval != from.Interval {
		s.scheduleProbes(now)
	}
	if to.WatchdogInterval != from.WatchdogInterval {
		s.scheduleChecks(now)
	}
}

// drifts is how many numbers a drift may change.
const drifts = 4

// drifted returns the configuration with one number changed, each with a
// symptom of its own:
//
//	1 interval 30 s: probes are rare, a drained server is noticed half a minute late
//	2 unhealthy threshold 4: a drained server gets four probes before it is out
//	3 drain_serve 5 s: connections are refused five seconds after a drain's start
//	4 stop_grace 120 s: containers are killed before the drain ends, with their jobs
func (c Config) drifted(number int) Config {
	switch number {
	case 1:
		c.Interval = 30
	case 2:
		c.UnhealthyThreshold = 4
	case 3:
		c.DrainServe = 5
	case drifts:
		c.StopGrace = 120
	}
	return c
}

// pause stops the watchdogs' checks or lets them go on; their strikes are
// forgotten.
func (s *Service) pause(paused bool) {
	s.paused = paused
	for i := range s.servers {
		s.servers[i].strikes = 0
	}
}

// crash lets a container die, with what it was doing.
func (s *Service) crash(now simulator.Tick, v *server, c Container, events []simulator.Event) []simulator.Event {
	if !v.up(c) {
		return events
	}
	events = s.halt(now, v, c, "container died", events)
	v.containers[c].state = Stopped
	return append(events, s.event(now, "container_died", s.at(v), simulator.Field{Name: "container", Value: c.String()}))
}

// halt loses what a container was doing that stops without warning.
func (s *Service) halt(now simulator.Tick, v *server, c Container, reason string, events []simulator.Event) []simulator.Event {
	switch {
	case (c == API || c == Gateway) && v.serving(now):
		s.loseRequests(v)
	case c == PublishWorker && v.up(c):
		return s.loseJobs(now, v, reason, events)
	}
	return events
}

// restart restarts a container by hand. An image that does not start does not
// start by hand either.
func (s *Service) restart(now simulator.Tick, v *server, c Container, events []simulator.Event) []simulator.Event {
	if v.file.bad {
		return events
	}
	events = s.halt(now, v, c, "container restarted", events)
	v.containers[c] = container{state: Starting, ready: now + repairTime}
	if c == Gateway && !v.file.gateway {
		v.file.gateway = true
		v.copied = v.file
	}
	return append(events, s.event(now, "container_restarted", s.at(v), simulator.Field{Name: "container", Value: c.String()}))
}

// fix writes the compose file, and the watchdog's copy, as the last good deploy
// of the server had it, and starts the containers that do not run.
func (s *Service) fix(now simulator.Tick, v *server) {
	v.file, v.copied, v.version = v.good, v.good, v.good.version
	for c := range v.containers {
		if k := &v.containers[c]; k.state == Stopped || k.state == Missing {
			*k = container{state: Starting, ready: now + repairTime}
		}
	}
}
