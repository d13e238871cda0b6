// Package watch is a Prometheus that watches a simulation: it scrapes the
// services every so often, evaluates rules, and lets old samples go.
//
// A Watch has no clock and no goroutine. It says when it wants to look (Next,
// Due), and whoever owns the simulation lets it look then:
//
//	w, err := watch.New(watch.Options{Rules: files, Origin: run.Start()})
//	for {
//		transitions, err := w.Observe(ctx, now.After(run.Start()), source)
//		… simulate up to w.Due(now) …
//	}
//
// # What happens at a moment
//
// Evaluations that were due before the moment come first, then the scrape of
// the moment, then its evaluations: a rule sees the scrape of its own moment, as
// in a Prometheus whose scrapes take no time. Scrapes are at Origin and whole
// intervals from there; evaluations are where Prometheus has them, at whole
// intervals since 1970.
//
// A simulation moves in whole seconds. An evaluation between two of them, of a
// group with an interval of half a second or one that is staggered, is made when
// the next second has come, with its own time and the samples of its own time,
// so that its result is the same.
//
// # One by one or many at once
//
// Observe makes evaluations one by one. Where nobody waits for alerts, Gather
// makes those of a stretch of time at once, in range mode, which gives the same
// much faster; Finish makes those that are left. The three can be mixed.
package watch
