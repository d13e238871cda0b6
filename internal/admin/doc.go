// Package admin is the HTTP API through which people run a drill: they look at
// the services, act on them, steer the clock, and start and stop scenarios.
//
// The API is JSON under /api/v1; its OpenAPI 3.1 document is generated from
// the types of this package and stands at /openapi.json and /openapi.yaml. A list
// of its paths in plain text stands at / and /api/v1.
//
// # Refusals
//
// What a person may give is described by tables of schema.Spec, the same that
// scenarios and the command line use, so that a refusal reads the same
// everywhere: which field, which value, what is allowed, and the nearest name.
// A request is refused with everything that is wrong with it, as a problem of
// RFC 9457; a refused request has changed nothing. One table maps kinds of
// errors to statuses; what is not in it is an internal error, is logged, and
// shows the client nothing of its inside.
//
// # Who may come
//
// The handler trusts nobody's browser: requests from other origins, with an
// unexpected Host on a loopback listener, with large bodies or with a body that
// is no JSON are refused before anything looks at them. Authentication is the
// listener's business.
//
// # Pages
//
// The pager belongs to the goroutine of the driver, as the run does: what people
// do with pages, and what an Alertmanager sends, happens there between two
// simulated seconds, and is told in the stream of events. Whoever starts the
// driver's first run resets the pager for it; this package does so for the
// others.
//
// # Truth
//
// What a scenario has in store is hidden until the drill has ended: its events,
// its incidents, and the events that tell of them in the stream.
package admin
