package web

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/latency"
	"github.com/firedrill/firedrill/simulator/unit"
)

// Snapshot is the state of a web service after a tick. It is immutable.
//
// Its counts agree: Codes summed up is the number of requests that came; the
// answers of all pods there ever were, plus the load balancer's own (429, 502
// and the 503 of an empty fleet), are Codes; a pod's requests are the total of
// its latency histogram.
type Snapshot struct {
	Name    string
	Config  Config // as it is now
	Minute  Minute // the minute that was last evaluated
	Pods    []Pod  // by ID: booting, serving, and those that have lately gone
	Desired int    // instances that the autoscaler wants
	Version string // of the last good build
	Rollout string // version that is going out, "" where none is

	WarmUpMinutes   int // that the warm-up job still runs
	RollbackMinutes int // until the rollback switches

	Codes         [Codes]int64      // answers at the load balancer
	Latency       latency.Histogram // of what pods answered, as the load balancer saw it
	CacheHits     int64             // look-ups, one a query
	CacheMisses   int64
	Queries       int64        // to the database, the warm-up job's too
	Cost          unit.Dollars // of the fleet since it counts
	MonitoringGap bool         // no target answers scrapes
}

// PodState is what a pod is doing.
type PodState uint8

// The states of a pod.
const (
	Booting PodState = iota
	Serving
	Down    // killed: it is expected to answer and does not
	Retired // scaled in or replaced: it is not expected any more
)

// String returns the state as metrics name it.
func (s PodState) String() string {
	return [...]string{"booting", "serving", "down", "retired"}[s]
}

// Code is an answer code.
type Code uint8

// The answer codes that occur.
const (
	OK             Code   = iota // 200, by a pod
	ServerError                  // 500, by a pod: a bad build, a broken pod, the baseline
	GatewayTimeout               // 504, by a pod: waited longer than the timeout
	TooMany                      // 429, by the load balancer: shed
	BadGateway                   // 502, by the load balancer: the pod died with the request
	Unavailable                  // 503, by the load balancer: no pod serves
	Codes          = iota        // number of codes
	PodCodes       = int(GatewayTimeout) + 1
)

// Status returns the HTTP status code.
func (c Code) Status() int { return [...]int{200, 500, 504, 429, 502, 503}[c] }

// Priority is a request's priority.
type Priority uint8

// The priorities.
const (
	High Priority = iota
	Low           // prefetch, batch, crawlers: may be shed
	Priorities
)

// String returns the priority as metrics name it.
func (p Priority) String() string { return [...]string{"high", "low"}[p] }

// Pod is one instance of the fleet.
type Pod struct {
	ID       int    // in order of creation, from 1
	Name     string // unique in a run
	Version  string // of the build that it runs
	State    PodState
	Created  simulator.Tick // when it was ordered
	Started  simulator.Tick // when its process began to count: serving since, or restarted
	Ended    simulator.Tick // when it went Down or Retired; 0 before
	Requests [Priorities][PodCodes]int64
	Latency  latency.Histogram // of its answers, timeouts included

	opened bool // it has counted since the opening
}

// Minute is what the model worked out for one minute: a row of output. Field
// by field it has the keys of AppendRow.
type Minute struct {
	Number          int // minutes since the start
	Offered         unit.PerSecond
	Admitted        unit.PerSecond // offered less what is shed
	BadTraffic      unit.Ratio     // share of the traffic on a bad build
	Hit             unit.Ratio     // of the cache
	Warm            unit.Ratio     // share of the cache that is filled
	QueryRate       unit.PerSecond // load of the database
	DBUtilization   float64        // load over capacity; above 1 where saturated
	QueryTime       unit.Seconds
	ServiceTime     unit.Seconds // mean time that a request holds a worker
	Serving         int
	Booting         int
	Busy            float64 // workers
	Utilization     unit.Ratio
	WaitProbability unit.Ratio
	Failed          unit.Ratio // timed out
	Errors          unit.Ratio // of the availability SLI
	Burn            float64    // errors over the budgeted share
	Burn1h          float64    // mean of the last 60 minutes
	Budget          float64    // error budget left, 1 = all; may be negative
	Cost            unit.Dollars
	AnswerAge       unit.Seconds // mean age of a cached answer
	Recommendations unit.Ratio   // share of the minutes so far with the feature on
}

// Snapshot returns a *Snapshot of the state after the last Step.
func (s *Service) Snapshot() any { return s.picture() }

func (s *Service) picture() *Snapshot {
	shared := s.counts.sharedNow(s)
	pods := s.podsNow()
	shot := &Snapshot{
		Name:            s.name,
		Config:          s.config,
		Minute:          s.minute,
		Desired:         s.scaler.desired,
		Version:         version(s.build.good),
		WarmUpMinutes:   s.cache.warmUp,
		RollbackMinutes: s.build.rollback,
		Codes:           s.counts.codes(pods),
		Latency:         s.counts.latency(pods),
		CacheHits:       shared.hits.count,
		CacheMisses:     shared.misses(),
		Queries:         shared.queries(),
		Cost:            s.minute.Cost,
		MonitoringGap:   s.trouble.gapUntil > minuteOf(s.now-1) && s.now > 0,
	}
	if s.build.bad != 0 {
		shot.Rollout = version(s.build.bad)
	}
	shot.Pods = append(pods, s.fleet.gone...)
	slices.SortFunc(shot.Pods, func(a, b Pod) int { return a.ID - b.ID })
	if s.past != nil {
		shot.follow(s.past)
	}
	return shot
}

// podsNow returns the booting and serving pods with what they have counted up
// to this second.
func (s *Service) podsNow() []Pod {
	pods := make([]Pod, len(s.fleet.pods), len(s.fleet.pods)+len(s.fleet.gone))
	for i := range s.fleet.pods {
		pods[i] = s.fleet.pods[i].Pod
		pods[i].Latency.Count = slices.Clone(pods[i].Latency.Count)
	}
	if s.counts.seconds == 0 {
		return pods
	}
	mix := &s.counts.mix
	mix.split(s)
	for _, at := range mix.places {
		mix.part(&s.fleet.pods[at], s)
		mix.addTo(&pods[at])
	}
	return pods
}

// AppendTrace appends one line: the minute as it was evaluated and every count.
func (s *Service) AppendTrace(dst []byte) []byte {
	shared := s.counts.sharedNow(s)
	pods := s.podsNow()
	dst = append(dst, s.name...)
	for _, x := range s.AppendRow(nil) {
		dst = strconv.AppendFloat(append(dst, ' '), x, 'g', 9, 64)
	}
	for _, n := range s.counts.codes(pods) {
		dst = strconv.AppendInt(append(dst, ' '), n, 10)
	}
	for _, n := range [...]int64{shared.hits.count, shared.misses(), shared.queries()} {
		dst = strconv.AppendInt(append(dst, ' '), n, 10)
	}
	return fmt.Appendf(dst, " pods=%d/%d %016x", len(pods), len(s.fleet.gone), digest(pods))
}
