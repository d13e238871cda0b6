package rollout

import (
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

// Kind returns the kind of model that this package implements.
func Kind() *simulator.Kind {
	return &simulator.Kind{
		Name:    "rollout",
		Config:  ConfigSpecs(),
		Actions: actionSpecs(),
		Columns: columns(),
		New: func(setup simulator.Setup, values schema.Values) (simulator.Model, error) {
			return New(setup, NewConfig(values)), nil
		},
	}
}
