package exporter

import (
	"strconv"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/exporter/series"
	"github.com/firedrill/firedrill/simulator"
)

// simulatorLabels returns the labels of the simulator's own target.
func simulatorLabels() series.Labels {
	return series.Labels{Job: metric.SimulatorJob, Instance: metric.SimulatorJob + simulatorPort}
}

// simulator writes the series about the simulator.
func (t *Table) simulator(u *series.Update, s *simulator.Snapshot, c Clock) {
	u.Target(simulatorLabels(), series.Status{Since: s.Since, Listed: true, Answers: true})
	u.Set(&metric.SimulatedSeconds, float64(s.Tick-s.Since))
	u.Set(&metric.SimulatedTimestamp, float64(s.Time().Unix()))
	u.Set(&metric.SpeedRatio, c.Speed)
	u.Set(&metric.Paused, flag(c.Paused))
	u.Set(&metric.Lag, float64(c.Lag))
	u.Set(&metric.ScenarioInfo, 1, c.Scenario, strconv.FormatUint(uint64(s.Seed), 10))
	u.Set(&metric.BuildInfo, 1, t.build.Version, t.build.Revision, t.build.GoVersion)
}
