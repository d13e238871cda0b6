// Package promengine is a Prometheus in the process: its PromQL engine and its
// rule files over a store in memory, on whatever clock the caller has.
//
// # Store
//
// A Store keeps series by their labels, samples in blocks whose timestamps are
// shared between series that were scraped together. A full block keeps whole
// numbers as what each is above the smallest, in as few bytes as that takes, and
// native histograms as columns of such numbers: any sample can still be read
// without those before it. The store is a storage.Queryable, so that any
// promql.Engine can query it while it is written.
//
// A Scraper writes frames of exporter/series into it as Prometheus would scrape
// them: with the labels of the target, `up` and its companions, and stale markers
// where a series, a scrape or a target is missing.
//
// # Rules
//
// An Engine loads rule files and evaluates them at times that the caller names.
// Nothing in it reads a clock.
//
//	engine.Load("rules/*.yml")
//	scraper.Scrape(now, frame)
//	transitions, err := engine.Eval(ctx, now)
//
// Eval evaluates the groups that are due, one rule after another, as Prometheus
// does. EvalRange does the same for all times in a span, over samples that are
// in the store already, and gives the same results, sample by sample, much
// faster: rule by rule, each as one range query. Rules for which the two would
// differ are evaluated step by step there as well: plan.go says which.
//
// Trim forgets what nobody needs any more: samples older than any rule looks
// back. Options.Memory says how much memory there is. A rule that looks back
// farther than that is refused when it is loaded; native histograms that no rule
// reads go before anything else.
//
// # Speed
//
// rate, increase, delta and count_over_time over plain selectors are most of
// the cost of rules. The engine's parser hands the genuine PromQL engine an
// expression in which such a call is a selector of its own, a window, whose
// samples the store works out from the two ends of the range and the counter
// resets in between (window.go). Everything else is the genuine engine's.
//
// # How close it is
//
// The module alerts/oracle compares every sample that rules write and every
// alert with what the storage and the rule manager of Prometheus make of the
// same input. Apart from that, two things are as here on purpose: a query has
// no limit on samples, and where Prometheus leaves an order to chance (alerts
// of one rule), they go by labels.
package promengine
