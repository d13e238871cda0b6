package web

import (
	"math"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
	"github.com/firedrill/firedrill/simulator/unit"
)

// Minutes that the two jobs of an operator take.
const (
	warmUpMinutes   = 6
	rollbackMinutes = 5
)

// apply carries out a command at the beginning of the minute that starts at
// now.
func (s *Service) apply(now simulator.Tick, due simulator.Due, events []simulator.Event) []simulator.Event {
	m, args := minuteOf(now), due.Values
	switch due.Do {
	case doSet:
		events = s.set(now, args, events)
	case doWarmCache:
		s.cache.warmUp = warmUpMinutes
		events = append(events, s.event(now, "cache_warm_up_started"))
	case doRollback:
		s.build.rollback = rollbackMinutes
		events = append(events, s.event(now, "rollback_started", simulator.Field{Name: "version", Value: version(s.build.good)}))
	case doDeployBad:
		events = s.deploy(now, events)
	case doFlushCache:
		s.cache.warm = 0
	case doSurge:
		s.surges = append(s.surges, surge{start: m, factor: args.Get("factor").Float(),
			rise: minutesOf(args, "rise"), hold: minutesOf(args, "hold"), fall: minutesOf(args, "fall")})
	case doBootDelay:
		s.config.BootDelay = args.Get("delay").Int() / minute
	case doKill:
		events = s.kill(now, args.Get("count").Int(), events)
	case doRestart:
		n := s.fleet.restart(args.Get("count").Int(), now, &s.counts)
		events = append(events, s.event(now, "pods_restarted", simulator.Field{Name: "count", Value: n}))
	case doBreakPod:
		s.fleet.breakOne(args.Get("error_ratio").Float(), m+args.Get("for").Int()/minute)
	case doSlowDatabase:
		s.trouble.slow, s.trouble.slowUntil = args.Get("factor").Float(), m+args.Get("for").Int()/minute
	case doCapacity:
		s.config.DatabaseCapacity = unit.PerSecond(args.Get("rate").Float())
	case doBaseline:
		s.config.BaselineErrors = unit.Ratio(args.Get("ratio").Float())
	case doGap:
		s.trouble.gapUntil = m + args.Get("for").Int()/minute
	}
	return events
}

func minutesOf(args schema.Values, name string) float64 { return args.Get(name).Float() / minute }

// set moves the levers that are given. A raised floor boots what is missing at
// once.
func (s *Service) set(now simulator.Tick, args schema.Values, events []simulator.Event) []simulator.Event {
	for _, o := range options() {
		if o.live && args.Given(o.Name) {
			o.put(&s.config, args.Get(o.Name))
		}
	}
	if args.Given("floor") {
		missing := s.config.Floor - s.fleet.serving() - s.fleet.booting()
		events = s.boot(now, missing, minuteOf(now)+s.config.BootDelay, "floor", events)
	}
	return events
}

// deploy sends out a bad build; a second one starts the ramp again.
func (s *Service) deploy(now simulator.Tick, events []simulator.Event) []simulator.Event {
	s.build.newest++
	s.build.bad, s.build.since = s.build.newest, minuteOf(now)
	return append(events, s.event(now, "deploy_started", simulator.Field{Name: "version", Value: version(s.build.bad)}))
}

// kill ends serving pods at once. The requests that they hold, their part of
// the busy workers of the last minute, are lost.
func (s *Service) kill(now simulator.Tick, count int, events []simulator.Event) []simulator.Event {
	serving := s.fleet.serving()
	killed := s.fleet.kill(min(count, serving), now, s.config.Noise, &s.counts)
	if killed == 0 {
		return events
	}
	s.counts.lose(int64(math.Round(s.minute.Busy * float64(killed) / float64(max(serving, s.minute.Serving)))))
	return append(events, s.event(now, "pods_down", simulator.Field{Name: "count", Value: killed}))
}

// boot orders count instances that serve from the given minute on.
func (s *Service) boot(now simulator.Tick, count, ready int, reason string, events []simulator.Event) []simulator.Event {
	if count <= 0 {
		return events
	}
	for range count {
		s.fleet.add(pod{Pod: Pod{Version: version(s.build.good), State: Booting, Created: now}, ready: ready})
	}
	return append(events, s.event(now, "pods_ordered",
		simulator.Field{Name: "count", Value: count}, simulator.Field{Name: "reason", Value: reason}))
}

func (s *Service) event(at simulator.Tick, kind string, fields ...simulator.Field) simulator.Event {
	return simulator.Event{At: at, Service: s.name, Kind: kind, Fields: fields}
}
