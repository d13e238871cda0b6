package exporter

import (
	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/exporter/series"
	"github.com/firedrill/firedrill/simulator"
)

// operations writes what operators have done to a service, of any kind, on the
// target of what its pods share.
func operations(u *series.Update, taken []simulator.ActionCount) {
	for _, action := range taken {
		u.Set(&metric.OperatorActions, float64(action.Count), action.Name)
	}
}
