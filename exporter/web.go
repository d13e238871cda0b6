package exporter

import (
	"time"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/exporter/series"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/web"
)

// sharedLabels returns the labels of the target of what a service's pods
// share: load balancer, cache, database and fleet.
func sharedLabels(service string) series.Labels {
	return series.Labels{Job: service, Instance: service + podPort, Service: service}
}

// podLabels returns the labels of a pod's target.
func podLabels(service, pod string) series.Labels {
	return series.Labels{Job: service, Instance: pod + podPort, Service: service, Pod: pod}
}

// web writes the series of a web service, and shows nothing of what only the
// simulation can know.
func (t *Table) web(u *series.Update, l listing, run *simulator.Snapshot, service string, s *web.Snapshot) {
	down := 0
	for i := range s.Pods {
		p := &s.Pods[i]
		labels := podLabels(service, p.Name)
		status, ok := l.status(p, s.MonitoringGap, u.Known(labels))
		if !ok {
			continue
		}
		if p.State == web.Down {
			down++
		}
		u.Target(labels, status)
		t.webPod(u, run.Start, s.Config.LateSeries, p)
	}
	u.Target(sharedLabels(service), series.Status{Since: run.Since, Listed: true, Answers: !s.MonitoringGap})
	t.webLoadBalancer(u, s)
	webCache(u, s)
	webDatabase(u, s)
	webFleet(u, s, down)
	webWorkers(u, s)
	webReleases(u, s)
	webPromises(u, s)
}

func (t *Table) webPod(u *series.Update, start time.Time, late bool, p *web.Pod) {
	for priority := range web.Priorities {
		for code, n := range p.Requests[priority] {
			if n > 0 || !late {
				u.Set(&metric.HTTPRequests, float64(n), p.Version, priority.String(), t.codes[code])
			}
		}
	}
	u.SetHistogram(&metric.HTTPRequestDuration, p.Latency)
	u.Set(&metric.PodInfo, 1, p.Version)
	u.Set(&metric.PodStartTime, unixSeconds(p.Started, start))
}

func (t *Table) webLoadBalancer(u *series.Update, s *web.Snapshot) {
	for code, n := range s.Codes {
		if n > 0 || !s.Config.LateSeries {
			u.Set(&metric.LoadBalancerRequests, float64(n), t.codes[code])
		}
	}
	u.SetHistogram(&metric.LoadBalancerRequestDuration, s.Latency)
	u.Set(&metric.LoadSheddingRatio, float64(s.Config.Shed))
}

func webCache(u *series.Update, s *web.Snapshot) {
	u.Set(&metric.CacheRequests, float64(s.CacheHits), metric.Hit)
	u.Set(&metric.CacheRequests, float64(s.CacheMisses), metric.Miss)
	u.Set(&metric.CacheFillRatio, float64(s.Minute.Warm))
	u.Set(&metric.CacheAnswerAge, float64(s.Minute.AnswerAge))
	u.Set(&metric.CacheTTL, float64(s.Config.TTL))
	u.Set(&metric.CacheWarmUp, flag(s.WarmUpMinutes > 0))
}

func webDatabase(u *series.Update, s *web.Snapshot) {
	u.Set(&metric.DBQueries, float64(s.Queries))
	u.Set(&metric.DBQueryDurationMean, float64(s.Minute.QueryTime))
	u.Set(&metric.DBUtilizationRatio, s.Minute.DBUtilization)
	u.Set(&metric.DBCapacity, float64(s.Config.DatabaseCapacity))
}

// webFleet writes how many instances there are and ought to be; down are those
// that discovery still lists.
func webFleet(u *series.Update, s *web.Snapshot, down int) {
	u.Set(&metric.FleetInstances, float64(count(s.Pods, web.Booting)), web.Booting.String())
	u.Set(&metric.FleetInstances, float64(count(s.Pods, web.Serving)), web.Serving.String())
	u.Set(&metric.FleetInstances, float64(down), web.Down.String())
	u.Set(&metric.FleetDesiredInstances, float64(s.Desired))
	u.Set(&metric.FleetMinInstances, float64(s.Config.Floor))
	u.Set(&metric.FleetMaxInstances, float64(s.Config.MaxInstances))
	u.Set(&metric.FleetBootDelay, float64(s.Config.BootDelay)*float64(simulator.Minute))
	u.Set(&metric.FleetCost, float64(s.Cost))
	u.Set(&metric.AutoscalerEnabled, flag(s.Config.Autoscaler))
	u.Set(&metric.AutoscalerTargetUtilizationRatio, float64(s.Config.TargetUtilization))
}

// webWorkers writes how busy the fleet was in the minute last evaluated, with
// the workers that it had then.
func webWorkers(u *series.Update, s *web.Snapshot) {
	u.Set(&metric.FleetWorkers, float64(s.Minute.Serving*s.Config.Workers))
	u.Set(&metric.FleetBusyWorkers, s.Minute.Busy)
	u.Set(&metric.FleetWorkerUtilizationRatio, float64(s.Minute.Utilization))
	u.Set(&metric.FleetRequestServiceMean, float64(s.Minute.ServiceTime))
	u.Set(&metric.FleetRequestWaitRatio, float64(s.Minute.WaitProbability))
}

func webReleases(u *series.Update, s *web.Snapshot) {
	u.Set(&metric.DeploymentVersionInfo, 1, s.Version, metric.Stable)
	if s.Rollout != "" {
		u.Set(&metric.DeploymentVersionInfo, 1, s.Rollout, metric.Rollout)
	}
	u.Set(&metric.DeploymentRollback, flag(s.RollbackMinutes > 0))
	u.Set(&metric.FeatureEnabled, flag(s.Config.Recommendations), metric.Recommendations)
}

func webPromises(u *series.Update, s *web.Snapshot) {
	u.Set(&metric.SLOObjectiveRatio, float64(s.Config.Objective), metric.Availability)
	u.Set(&metric.SLOErrorBudgetRemainingRatio, s.Minute.Budget, metric.Availability)
}

func count(pods []web.Pod, state web.PodState) int {
	n := 0
	for i := range pods {
		if pods[i].State == state {
			n++
		}
	}
	return n
}

// unixSeconds returns the simulated time at a tick, in seconds since the epoch.
func unixSeconds(t simulator.Tick, start time.Time) float64 { return float64(t.After(start).Unix()) }
