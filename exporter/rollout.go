package exporter

import (
	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/exporter/series"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/rollout"
)

// rollout writes the series of a rollout service. Its servers are targets of
// their own, whose pages an agent on the host answers: they stay up through a
// deploy. What the load balancer, the deploy job and the relations of the
// timings tell is on the target that they share.
func (t *Table) rollout(u *series.Update, run *simulator.Snapshot, service string, s *rollout.Snapshot) {
	status := series.Status{Since: run.Since, Listed: true, Answers: true}
	for i := range s.Servers {
		v := &s.Servers[i]
		u.Target(podLabels(service, v.Name), status)
		t.rolloutServer(u, s.Config.LateSeries, v)
	}
	u.Target(sharedLabels(service), status)
	t.rolloutBalancer(u, s)
	rolloutDeploy(u, run.Tick, s)
	rolloutLast(u, s)
	for _, m := range s.Margins {
		u.Set(&metric.TimingMargin, float64(m.Seconds), m.Relation)
	}
	u.Set(&metric.WatchdogPaused, flag(s.Paused))
	u.Set(&metric.JobsWaiting, float64(s.Waiting))
	u.Set(&metric.SLOObjectiveRatio, float64(s.Config.Objective), metric.Availability)
	u.Set(&metric.SLOErrorBudgetRemainingRatio, s.Minute.Budget, metric.Availability)
}

func (t *Table) rolloutServer(u *series.Update, late bool, v *rollout.Server) {
	t.rolloutCount(u, &metric.GatewayRequests, late, v.Answered, rollout.OK)
	t.rolloutCount(u, &metric.GatewayRequests, late, v.TurnedAway, rollout.TooBusy)
	u.SetHistogram(&metric.GatewayRequestDuration, v.Latency)
	u.Set(&metric.GatewayListening, flag(v.Listening))
	u.Set(&metric.RefusedConnections, float64(v.Refused))
	u.Set(&metric.PodInfo, 1, v.Version)
	u.Set(&metric.ComposeFile, 1, v.File.Version, v.File.Hash)
	for c, state := range v.Containers {
		name := rollout.Container(c).String()
		for k := range rollout.ContainerState(rollout.ContainerStates) {
			u.Set(&metric.ContainerStates, flag(k == state), name, k.String())
		}
	}
	for h := range rollout.Holder(rollout.Holders) {
		u.Set(&metric.LockHolder, flag(h == v.Lock), h.String())
	}
	u.Set(&metric.LockWait, float64(v.LockWait))
	u.Set(&metric.WatchdogStrikes, float64(v.Strikes))
	u.Set(&metric.WatchdogRepairs, float64(v.Repairs))
	u.Set(&metric.WatchdogSkippedChecks, float64(v.SkippedChecks))
	u.Set(&metric.JobsRunning, float64(v.JobsRunning))
	u.Set(&metric.JobsFinished, float64(v.JobsFinished))
	u.Set(&metric.JobsLost, float64(v.JobsLost))
	u.Set(&metric.JobsHandedOver, float64(v.JobsMoved))
}

// rolloutCount writes a count of answers; with late series, only where there
// are some.
func (t *Table) rolloutCount(u *series.Update, desc *metric.Desc, late bool, n int64, code rollout.Code) {
	if n > 0 || !late {
		u.Set(desc, float64(n), t.rolled[code])
	}
}

// rolloutBalancer writes what the load balancer counts: the answers to requests,
// and apart from them those to its probes.
func (t *Table) rolloutBalancer(u *series.Update, s *rollout.Snapshot) {
	healthy := 0
	for code, n := range s.Codes {
		t.rolloutCount(u, &metric.LoadBalancerRequests, s.Config.LateSeries, n, rollout.Code(code))
	}
	u.SetHistogram(&metric.LoadBalancerRequestDuration, s.Latency)
	for i := range s.Servers {
		v := &s.Servers[i]
		for a, n := range v.Probes {
			u.Set(&metric.LoadBalancerProbes, float64(n), v.Name, rollout.Answer(a).String())
		}
		for k := range rollout.TargetState(rollout.TargetStates) {
			u.Set(&metric.LoadBalancerTargetState, flag(k == v.Target), v.Name, k.String())
		}
		if v.Target == rollout.Healthy {
			healthy++
		}
	}
	u.Set(&metric.LoadBalancerHealthyTargets, float64(healthy))
}

// rolloutDeploy writes what the deploy job is doing.
func rolloutDeploy(u *series.Update, now simulator.Tick, s *rollout.Snapshot) {
	d := &s.Deploy
	for p := range rollout.Phase(rollout.Phases) {
		u.Set(&metric.DeployPhase, flag(p == d.Phase), p.String())
	}
	for i := range s.Servers {
		u.Set(&metric.DeployTarget, flag(s.Servers[i].Number == d.Server), s.Servers[i].Name)
	}
	var age, phase simulator.Tick
	if d.Phase != rollout.Idle {
		age, phase = now-d.Began, now-d.Entered
	}
	u.Set(&metric.DeployAge, float64(age))
	u.Set(&metric.DeployPhaseAge, float64(phase))
	for o, n := range s.Ended {
		u.Set(&metric.Deploys, float64(n), rollout.Outcome(o).String())
	}
}

// rolloutLast writes the account of the last deploy that has ended, nothing
// before the first.
func rolloutLast(u *series.Update, s *rollout.Snapshot) {
	var ended int64
	for _, n := range s.Ended {
		ended += n
	}
	if ended == 0 {
		return
	}
	last := &s.Last
	for o := range rollout.Outcome(rollout.Outcomes) {
		u.Set(&metric.DeployLastOutcome, flag(o == last.Outcome), o.String())
	}
	u.Set(&metric.DeployLastDuration, float64(last.Seconds()))
	u.Set(&metric.DeployLastBadGateways, float64(last.BadGateways()))
	u.Set(&metric.DeployLastBrokenRatio, last.BrokenRatio())
	u.Set(&metric.DeployLastNaiveRatio, last.NaiveBrokenRatio())
	u.Set(&metric.DeployLastRepairs, float64(last.Repairs))
	u.Set(&metric.DeployLastMissingContainers, float64(last.MissingContainers))
}
