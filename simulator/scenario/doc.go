// Package scenario turns YAML into a drill: services that run, things that
// happen to them, the truth about what went wrong, and a score.
//
// Parse reads a file into a Scenario; a Scenario makes a Run; a Run steps like
// an engine and says besides when incidents start and end, when the drill is
// over and how its goals stand. Everything is pure: the bytes of a file come
// in, events and values go out.
//
// # The file
//
//	name: bad-deploy            # lower-case letters, digits, dashes
//	title: Monday morning       # default: the name
//	date: 2026-01-05            # default
//	briefing: |                 # what the operator knows
//	  It is Monday, 09:00 …
//	seed: 1                     # default 1
//	start: "09:00"              # time of day, also "09:00:30"
//	duration: 2h                # whole minutes
//	speed: 60                   # a hint: simulated seconds a second
//	services:
//	  - {name: shop, model: web, config: {base_rate: 900, floor: 10}}
//	events:
//	  - {id: deploy, at: 10m, service: shop, do: deploy_bad_build}
//	incidents:
//	  - {id: bad-build, title: A bad build, service: shop, kind: errors,
//	     starts: {event: deploy}, ends: recovered, summary: what really happened}
//	goals:
//	  - {id: budget, title: Keep the budget, service: shop,
//	     measure: budget_remaining_ratio, of: end, at_least: 0.15}
//	operator:
//	  - {id: roll-back, at: 24m, service: shop, do: rollback}
//
// A file is read strictly: every unknown key, wrong kind, value out of range
// and name of nothing is a problem with its line, all of them at once. Anchors
// and merge keys work; a second document does not. Where there is one service
// only, service may be left out.
//
// # Times and draws
//
// A time is an offset from the start (10m), an offset that the seed draws
// ({between: [20m, 60m]}), or one from the moment at which another event
// applies ({after: deploy, plus: 10m}, plus may be drawn). Every number and
// span among arguments and configuration values can be drawn the same way:
// {between: [3, 5]}, both bounds included. Spans are drawn in whole seconds,
// or in the coarser or finer step of their spec; integers are whole; other
// numbers have six significant digits.
//
// Each draw has a stream of its own, named after where it stands
// (scenario/events/deploy/at, scenario/services/shop/config/floor), so that
// editing one shifts no other. An event without an id is named by its index:
// give ids to events whose draws should outlive an insertion before them.
//
// An event must apply before the end of the drill, at the upper bound of its
// draws too.
//
// # Incidents
//
// An incident starts with an event, and ends with an event, with a step of the
// scripted operator (both with an optional plus), or when the service has
// recovered, which is the default. Recovered means healthy, as the model says
// it, for five minutes in a row; the incident ends where that stretch began. It
// must begin a minute or more after the incident's start and after the service
// was unhealthy: what has not hurt yet is not over, and an incident that never
// hurts stays open to the end of the drill. So does one whose scripted operator
// does not act.
//
// # Goals
//
// A goal bounds one column of a service's rows (at_least or at_most, in the
// column's unit): its value in the last minute (end), its max, min or mean,
// over the whole drill or over the minutes that begin at or after from and
// before by.
//
// # The scripted operator
//
// Its steps look like events and can wait for events or for each other. They
// act open-loop, whatever they see, as commands of an operator named script,
// and only where Options.Scripted asks for it.
package scenario
