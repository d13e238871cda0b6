package web

import (
	"fmt"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/queueing"
	"github.com/firedrill/firedrill/simulator/schema"
	"github.com/firedrill/firedrill/simulator/unit"
)

var _ simulator.Model = (*Service)(nil)

// Service is a simulated web service.
type Service struct {
	name   string
	setup  simulator.Setup
	start  int // seconds from midnight to tick 0
	config Config
	now    simulator.Tick // seconds simulated so far

	surges  []surge
	cache   cache
	build   build
	scaler  scaler
	trouble trouble
	account account
	fleet   fleet
	counts  counts
	traffic traffic

	minute Minute            // as it was last evaluated
	queue  queueing.Solution // of that minute
	root   float64           // answered rate of that minute: where the next search starts
	tail   unit.Seconds      // p99 of that minute, where known
	known  bool              // tail is known

	past *Snapshot // what the snapshots go on from; nil without a history
}

// surge is a multiple of the traffic that rises, holds and falls.
type surge struct {
	start            int // minute
	factor           float64
	rise, hold, fall float64 // minutes
}

// cache is the state of the cache and of the job that warms it up.
type cache struct {
	warm   float64 // share that is filled
	warmUp int     // minutes that the warm-up job still runs
}

// build is what is deployed and on its way.
type build struct {
	good     int // number of the last good build
	bad      int // number of the bad build that is going out, 0 where none is
	newest   int // highest number given so far
	since    int // minute in which the bad build went out
	rollback int // minutes until the rollback switches
}

// scaler is the memory of the autoscaler.
type scaler struct {
	desired int
	quiet   int // minutes in a row in which fewer instances were wanted
}

// trouble are the faults that last for a while.
type trouble struct {
	slow      float64 // factor on the time of a query
	slowUntil int     // minute
	gapUntil  int     // minute
	blip      bool    // this minute has 1 % errors
}

// account is what accumulates over the minutes.
type account struct {
	budget   float64
	cost     float64
	hour     [60]float64 // error ratios of the last 60 minutes
	minutes  int         // so far
	featured int         // of them with the recommendations on
}

// New makes a service that has simulated nothing yet. It fails on a
// configuration that Validate rejects.
func New(setup simulator.Setup, config Config) (*Service, error) {
	if err := config.Validate().Err(); err != nil {
		return nil, err
	}
	return open(setup, config, setup.Name), nil
}

// open makes a service at its opening that draws its traffic and errors from
// streams under the given name.
func open(setup simulator.Setup, config Config, streams string) *Service {
	clock := setup.Start
	s := &Service{
		name:    setup.Name,
		setup:   setup,
		start:   clock.Hour()*3600 + clock.Minute()*60 + clock.Second(),
		config:  config,
		cache:   cache{warm: float64(config.Warm)},
		build:   build{good: 1, newest: 1},
		scaler:  scaler{desired: config.Serving},
		account: account{budget: config.Budget},
		fleet:   newFleet(setup.Name, setup.Seed, config.MaxInstances),
		counts:  newCounts(streams, setup.Seed),
		traffic: newTraffic(streams, setup.Seed),
	}
	for range config.Serving {
		s.fleet.add(pod{Pod: Pod{Version: version(s.build.good), State: Serving, opened: true}})
	}
	s.fleet.share(0, 0)
	s.evaluate(s.meanRate(0))
	return s
}

// version names a build.
func version(number int) string { return fmt.Sprintf("v%d", number) }

// minuteOf returns the minute that tick t lies in.
func minuteOf(t simulator.Tick) int { return int(t / simulator.Minute) }

// Check says when a command would apply: at the next beginning of a minute,
// since configuration and truth change only there.
func (s *Service) Check(cmd simulator.Command, args schema.Values) (simulator.Tick, error) {
	if cmd.Do == doSet && args.Given("floor") {
		changed := s.config
		changed.Floor = args.Get("floor").Int()
		if err := changed.Validate().Under("args").Err(); err != nil {
			return 0, err
		}
	}
	return cmd.At.NextMinute(), nil
}
