package rollout

import (
	"github.com/firedrill/firedrill/simulator"
)

// Container is one of the containers of a server.
type Container uint8

// The containers.
const (
	API Container = iota
	Orchestrator
	Gateway       // holds the listener: without it the server cannot listen
	PublishWorker // runs the jobs
	Containers    = iota
)

// String returns the name of the container as metrics and actions have it.
func (c Container) String() string {
	return [...]string{"api", "orchestrator", "gateway", "publish-worker"}[c]
}

func containerNames() []string {
	names := make([]string, Containers)
	for c := range names {
		names[c] = Container(c).String()
	}
	return names
}

// containerNamed returns the container of that name, which is one of
// containerNames.
func containerNamed(name string) Container {
	for c := range Container(Containers) {
		if c.String() == name {
			return c
		}
	}
	panic("rollout: no container is called " + name)
}

// ContainerState is what a container is doing.
type ContainerState uint8

// The states of a container.
const (
	Running ContainerState = iota
	Draining
	Stopped
	Starting
	Missing         // nothing has created it: the compose file does not name it, or its image does not start
	ContainerStates = iota
)

// String returns the state as metrics name it.
func (s ContainerState) String() string {
	return [...]string{"running", "draining", "stopped", "starting", "missing"}[s]
}

// up reports whether the container does its work.
func (s ContainerState) up() bool { return s == Running || s == Draining }

// up reports whether a container of the server does its work.
func (v *server) up(c Container) bool { return v.containers[c].state.up() }

// health returns what the health endpoint of the server answers. It stands
// behind the gateway, and says 503 where the server drains or a container does
// not run.
func (v *server) health() Answer {
	switch {
	case v.stopped || !v.up(Gateway):
		return Silent
	case v.draining:
		return Unavailable503
	}
	for c := range v.containers {
		if !v.containers[c].state.up() {
			return Unavailable503
		}
	}
	return OK200
}

// listening reports whether connections are accepted in the second at now.
func (v *server) listening(now simulator.Tick) bool {
	return !v.stopped && v.up(Gateway) && (!v.draining || now < v.closesAt)
}

// serving reports whether requests are answered in the second at now: somebody
// listens, and the application is behind it.
func (v *server) serving(now simulator.Tick) bool { return v.listening(now) && v.up(API) }

// settle lets the containers run whose start is over, and ends the repair whose
// time is over.
func (v *server) settle(now simulator.Tick) {
	for c := range v.containers {
		k := &v.containers[c]
		if k.state == Starting && k.ready <= now {
			k.state = Running
			if v.draining {
				k.state = Draining
			}
		}
	}
	if v.lock == HeldByRepair && now >= v.repairEnds {
		v.lock = Free
	}
}

// start begins to start the containers that the compose file names; they run
// from ready on.
func (v *server) start(ready simulator.Tick) {
	for c := range v.containers {
		v.containers[c] = container{state: Starting, ready: ready}
		if v.file.bad || (Container(c) == Gateway && !v.file.gateway) {
			v.containers[c].state = Missing
		}
	}
	v.version = v.file.version
}

// setAll puts the containers that do their work into a state.
func (v *server) setAll(state ContainerState) {
	for c := range v.containers {
		if v.containers[c].state.up() {
			v.containers[c].state = state
		}
	}
}

// absent counts the containers that neither run nor start.
func (v *server) absent() int {
	n := 0
	for c := range v.containers {
		if s := v.containers[c].state; s == Stopped || s == Missing {
			n++
		}
	}
	return n
}

// whole reports whether all containers do their work.
func (v *server) whole() bool {
	for c := range v.containers {
		if !v.containers[c].state.up() {
			return false
		}
	}
	return true
}
