package rollout

import "github.com/firedrill/firedrill/simulator"

// Code is an answer code of the load balancer to a request.
type Code uint8

// The answer codes that occur.
const (
	OK         Code   = iota // 200, by a server
	BadGateway               // 502: the server's listener was closed, or nothing was behind it, or it was killed with the request
	TooBusy                  // 503, by a server that is asked for more than it can serve
	Codes      = iota        // number of codes
)

// Status returns the HTTP status code.
func (c Code) Status() int { return [...]int{200, 502, 503}[c] }

// tally is what a deploy's account takes differences of.
type tally struct {
	Requests [Codes]int64
	Probes   [Answers]int64
	Repairs  int64
}

// tally returns what the service has counted so far.
func (s *Service) tally() tally {
	t := tally{Requests: s.codes}
	for i := range s.servers {
		v := &s.servers[i]
		t.Repairs += v.repairs
		for a, n := range v.target.probes {
			t.Probes[a] += n
		}
	}
	return t
}

// less returns what t has more than an earlier tally.
func (t tally) less(earlier tally) tally {
	for c, n := range earlier.Requests {
		t.Requests[c] -= n
	}
	for a, n := range earlier.Probes {
		t.Probes[a] -= n
	}
	t.Repairs -= earlier.Repairs
	return t
}

// Report is the account of a deploy, from the start of its first server's drain
// to its end.
type Report struct {
	tally
	Version           string
	Outcome           Outcome
	Began             simulator.Tick // when it was asked for
	Ended             simulator.Tick
	MissingContainers int // that neither ran nor started at its end, on all servers
}

// Seconds is how long the deploy took, from the second in which it was asked
// for.
func (r *Report) Seconds() int64 { return int64(r.Ended - r.Began) }

// BadGateways is how many requests nothing answered.
func (r *Report) BadGateways() int64 { return r.Requests[BadGateway] }

// NaiveBrokenRatio counts every answer that is not 200, probes included, over
// all answers, probes included:
//
//	naive = (requests not 200 + probe answers not 200)/(requests + probe answers)
//
// It makes a clean deploy look broken: a 503 of the health endpoint in a drain
// is the drain doing its job. 0 where there was no answer. Test:
// TestCleanDeployLooksBrokenToTheNaive.
func (r *Report) NaiveBrokenRatio() float64 {
	var all, good int64
	for _, n := range r.Requests {
		all += n
	}
	for _, n := range r.Probes {
		all += n
	}
	good = r.Requests[OK] + r.Probes[OK200]
	return share(all-good, all)
}

// BrokenRatio is what users felt: the share of the requests that nothing
// answered.
//
//	broken = 502/requests
//
// 0 where nobody came.
func (r *Report) BrokenRatio() float64 {
	var all int64
	for _, n := range r.Requests {
		all += n
	}
	return share(r.Requests[BadGateway], all)
}

// share returns n/of, 0 where of is 0.
func share(n, of int64) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// fields are the details of the event that the deploy has ended.
func (r *Report) fields() []simulator.Field {
	return []simulator.Field{
		{Name: "outcome", Value: r.Outcome.String()},
		{Name: "duration_seconds", Value: int(r.Seconds())},
		{Name: "bad_gateways", Value: int(r.BadGateways())},
		{Name: "naive_broken_ratio", Value: r.NaiveBrokenRatio()},
		{Name: "broken_ratio", Value: r.BrokenRatio()},
		{Name: "repairs", Value: int(r.Repairs)},
		{Name: "missing_containers", Value: r.MissingContainers},
		{Name: "version", Value: r.Version},
	}
}
