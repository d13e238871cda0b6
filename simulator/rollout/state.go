package rollout

import (
	"fmt"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/rng"
	"github.com/firedrill/firedrill/simulator/schema"
)

var _ simulator.Historian = (*Service)(nil)

// repairTime is how many seconds a server does not listen when its containers
// are restarted, by a watchdog or by hand.
const repairTime = 10

// Service is a simulated group of servers that is deployed to.
type Service struct {
	name   string
	setup  simulator.Setup
	config Config
	now    simulator.Tick // seconds simulated so far

	servers [Servers]server
	deploy  job
	newest  int  // highest number given to a version so far
	badNext bool // the next deploy has an image that does not start
	paused  bool // the watchdogs do not check
	broken  int  // relations that the timings break

	traffic traffic
	jobs    jobs
	starts  *rng.Stream // of start times

	codes    [Codes]int64
	finished [Outcomes]int64 // deploys by outcome
	last     Report          // of the last deploy that has ended
	account  account
	minute   Minute

	past *Snapshot // what the snapshots go on from; nil without a history
}

// server is one server with its place in the load balancer's target group.
type server struct {
	number     int
	containers [Containers]container
	file       file // the compose file on its disk
	copied     file // the watchdog's copy of it
	good       file // the last file of a deploy whose image starts
	version    string

	draining   bool // the health endpoint answers 503
	closesAt   simulator.Tick
	stopped    bool           // by a deploy: from the first second of writing to the end of start
	repairEnds simulator.Tick // of the running repair
	lock       Holder
	waited     int64 // seconds that deploys have waited for the lock

	nextCheck simulator.Tick // of the watchdog
	strikes   int
	repairs   int64
	skipped   int64 // checks that fell to the lock

	target target
	load   load
	jobs   serverJobs
}

// container is one of a server's containers.
type container struct {
	state ContainerState
	ready simulator.Tick // from which it runs, while it starts
}

// file is a compose file.
type file struct {
	version string
	gateway bool // it names the gateway container
	bad     bool // it names an image that does not start
}

// New makes a service that has simulated nothing yet.
func New(setup simulator.Setup, config Config) *Service {
	return open(setup, config, setup.Name, 0)
}

// open makes a service at its opening, at the tick from, that draws what comes
// and goes from streams under the given name.
func open(setup simulator.Setup, config Config, streams string, from simulator.Tick) *Service {
	s := &Service{
		name: setup.Name, setup: setup, config: config, newest: 1, now: from,
		traffic: newTraffic(streams, setup.Seed),
		jobs:    newJobs(streams, setup.Seed, from),
		starts:  rng.Named(setup.Seed, streams+"/start"),
		account: account{budget: config.Budget},
		broken:  config.broken(),
	}
	opening := file{version: version(1), gateway: true}
	for i := range s.servers {
		v := &s.servers[i]
		v.number = i + 1
		v.file, v.copied, v.good, v.version = opening, opening, opening, opening.version
		for c := range v.containers {
			v.containers[c].state = Running
		}
		v.target = target{healthy: true, registered: true, phase: s.phase(i, "probe", config.ProbePhase)}
		v.load = newLoad()
		v.repairEnds = from
	}
	s.scheduleProbes(from)
	s.scheduleChecks(from)
	s.jobs.fill(s)
	s.balance(Servers)
	s.minute = s.picture60()
	return s
}

// phase returns where in its interval the checks of a kind fall on a server, as
// a share of it.
func (s *Service) phase(i int, kind string, second int) phase {
	if second == drawn {
		return phase{share: rng.Named(s.setup.Seed, fmt.Sprintf("%s/phase/%s/%d", s.name, kind, i+1)).Float64(), second: drawn}
	}
	return phase{second: second, third: i}
}

// phase says at which seconds something periodic happens.
type phase struct {
	share  float64 // of the interval, where second is drawn
	second int     // of the interval
	third  int     // thirds of the interval that come on top
}

// next returns the first second at or after t of something that happens every
// interval seconds.
func (p phase) next(t simulator.Tick, interval int) simulator.Tick {
	period := simulator.Tick(interval)
	offset := simulator.Tick(p.share * float64(interval))
	if p.second != drawn {
		offset = simulator.Tick(p.second + p.third*interval/Servers)
	}
	return t + ((offset-t)%period+period)%period
}

// version names a build.
func version(number int) string { return fmt.Sprintf("v%d", number) }

// serverName returns the name of a server, which is the pod label of its
// target.
func serverName(service string, number int) string { return fmt.Sprintf("%s-%d", service, number) }

// Check says when a command would apply: in the second that comes. It refuses
// what breaks a relation without force, and a deploy while another runs.
func (s *Service) Check(cmd simulator.Command, args schema.Values) (simulator.Tick, error) {
	return cmd.At, s.refuses(cmd, args).Err()
}
