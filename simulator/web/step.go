package web

import (
	"math"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/fmath"
	"github.com/firedrill/firedrill/simulator/unit"
)

// Step simulates one second. At the first second of a minute instances finish
// booting, commands apply and the minute is evaluated; after its last second
// the cache, the jobs and the autoscaler move on.
func (s *Service) Step(now simulator.Tick, due []simulator.Due, events []simulator.Event) []simulator.Event {
	if now%simulator.Minute == 0 {
		events = s.begin(now, due, events)
	}
	s.second(now % simulator.Minute)
	s.now = now + 1
	if s.now%simulator.Minute == 0 {
		events = s.end(events)
	}
	return events
}

// begin opens the minute that starts at now.
func (s *Service) begin(now simulator.Tick, due []simulator.Due, events []simulator.Event) []simulator.Event {
	m := minuteOf(now)
	if n := s.fleet.finishBoots(m, now); n > 0 {
		events = append(events, s.event(now, "pods_started", simulator.Field{Name: "count", Value: n}))
	}
	for _, d := range due {
		events = s.apply(now, d, events)
	}
	if s.trouble.slowUntil <= m {
		s.trouble.slow = 1
	}
	s.fleet.heal(m)
	bad := s.badShare(m)
	s.fleet.roll(bad, version(s.build.good), version(s.build.bad), now, &s.counts)
	s.fleet.share(bad, m)
	s.trouble.blip = s.traffic.blip(s.config)
	s.traffic.begin(s.meanRate(m), s.config.Noise)
	s.evaluate(s.traffic.rate())
	s.charge()
	s.bill()
	s.counts.begin(s)
	return events
}

// meanRate returns the mean traffic of minute m in requests/s:
//
//	λ = base · (1 + A·sin(2π(h − 6)/24)) · Π surge, at most 4 million
//
// where base = BaseRate, A = DailyAmplitude, h = time of day in hours at the
// minute's start. Test: TestVectors.
func (s *Service) meanRate(m int) float64 {
	const day = 24 * 60 * 60
	hours := float64((s.start+m*minute)%day) / 3600
	wave := fmath.Sin(2 * math.Pi * (hours - 6) / 24)
	rate := float64(s.config.BaseRate) * (1 + float64(float64(s.config.DailyAmplitude)*wave))
	for _, g := range s.surges {
		rate *= g.at(m)
	}
	return min(rate, maxRate)
}

// maxRate is the most requests/s that come: callers have links of their own.
// Overlapping surges multiply; without a bound they would overflow any counter.
const maxRate = 4e6

// at returns the multiple of the traffic in minute m: with x the minutes since
// the start plus one, 1 + (f − 1)x/rise while it rises, f while it holds,
// f − (f − 1)(x − rise − hold)/fall while it falls, and 1 after.
func (g surge) at(m int) float64 {
	x := float64(m - g.start + 1)
	switch {
	case x < g.rise:
		return 1 + float64((g.factor-1)*x)/g.rise
	case x <= g.rise+g.hold:
		return g.factor
	case x < g.rise+g.hold+g.fall:
		return g.factor - float64((g.factor-1)*(x-g.rise-g.hold))/g.fall
	}
	return 1
}

// badShare returns the share of the traffic that a bad build has in minute m:
// min(1, (k + 1)/ramp), k minutes after it went out.
func (s *Service) badShare(m int) float64 {
	if s.build.bad == 0 {
		return 0
	}
	return min(1, float64(m-s.build.since+1)/float64(s.config.BadBuildRamp))
}

// charge books the evaluated minute: error budget, burn over an hour, and how
// long the optional feature was on.
//
//	budget −= burn / 43 200 (the minutes of 30 days)
//	burn over 1 h = mean error ratio of the last 60 minutes / (1 − objective)
//
// The hour starts filled with the opening minute.
func (s *Service) charge() {
	const periodMinutes = 30 * 24 * 60
	a, m := &s.account, &s.minute
	if a.minutes == 0 {
		for i := range a.hour {
			a.hour[i] = float64(m.Errors)
		}
	}
	a.hour[a.minutes%len(a.hour)] = float64(m.Errors)
	a.budget -= m.Burn / periodMinutes
	a.minutes++
	if s.config.Recommendations {
		a.featured++
	}
	m.Number = a.minutes - 1
	m.Burn1h = mean(a.hour[:]) / (1 - float64(s.config.Objective))
	m.Budget = a.budget
	m.Recommendations = unit.Ratio(float64(a.featured) / float64(a.minutes))
}

// bill books what the evaluated minute cost:
//
//	cost += price/60 · (serving + booting) · (2 while a rollback is prepared)
func (s *Service) bill() {
	fleets := 1.0
	if s.build.rollback > 0 {
		fleets = 2
	}
	s.account.cost += float64(float64(s.config.InstancePrice) / 60 * float64(s.minute.Serving+s.minute.Booting) * fleets)
	s.minute.Cost = unit.Dollars(s.account.cost)
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// end closes the minute whose last second has been simulated.
func (s *Service) end(events []simulator.Event) []simulator.Event {
	s.counts.fold(s)
	s.refill()
	events = s.countDown(events)
	events = s.scale(events)
	missing := s.config.Floor - s.fleet.serving() - s.fleet.booting()
	return s.boot(s.now, missing, s.bootReady(), "floor", events)
}

// bootReady is the minute from which an instance serves that is ordered at the
// end of a minute.
func (s *Service) bootReady() int { return minuteOf(s.now) + s.config.BootDelay }

// refill warms the cache by a minute of traffic:
//
//	warm += (1 − warm)(1 − e^(−60 s/τ))·min(1, 1/ρ), + 0.12 from the warm-up job
//
// where τ = RefillTime and ρ = the minute's utilization of the database, which
// slows the filling while it is saturated. At most 1. Test: TestVectors.
func (s *Service) refill() {
	const warmUpPerMinute = 0.12
	slowed := 1.0
	if s.minute.DBUtilization > 1 {
		slowed = 1 / s.minute.DBUtilization
	}
	gain := -fmath.Expm1(-minute / float64(s.config.RefillTime))
	s.cache.warm += float64((1 - s.cache.warm) * gain * slowed)
	if s.cache.warmUp > 0 {
		s.cache.warm += warmUpPerMinute
	}
	s.cache.warm = min(1, s.cache.warm)
}

// countDown moves the warm-up job and the rollback on by a minute.
func (s *Service) countDown(events []simulator.Event) []simulator.Event {
	if s.cache.warmUp > 0 {
		s.cache.warmUp--
		if s.cache.warmUp == 0 {
			events = append(events, s.event(s.now, "cache_warm_up_finished"))
		}
	}
	if s.build.rollback > 0 {
		s.build.rollback--
		if s.build.rollback == 0 {
			s.build.bad = 0
			s.fleet.replace(version(s.build.good), s.now, &s.counts)
			events = append(events, s.event(s.now, "rollback_finished", simulator.Field{Name: "version", Value: version(s.build.good)}))
		}
	}
	return events
}

// scale is the autoscaler's decision at a minute's end (target tracking).
//
//	desired = ⌈serving · utilization/target − 1e-9⌉ within [floor, maximum]
//
// It grows at once where nothing boots yet and shrinks after 10 quiet minutes
// by at most a fifth. Utilization cannot be measured above 1, so a saturated
// fleet grows step by step. Switched off, the fleet is exactly the floor.
func (s *Service) scale(events []simulator.Event) []simulator.Event {
	const quietMinutes, shrinkRatio = 10, 0.2
	serving := s.fleet.serving()
	if !s.config.Autoscaler {
		s.scaler = scaler{desired: s.config.Floor}
		return s.trim(serving+s.fleet.booting()-s.config.Floor, "floor", events)
	}
	want := math.Ceil(float64(float64(serving)*float64(s.minute.Utilization)/float64(s.config.TargetUtilization)) - 1e-9)
	s.scaler.desired = min(max(int(want), s.config.Floor), s.config.MaxInstances)
	switch surplus := serving - s.scaler.desired; {
	case surplus < 0:
		s.scaler.quiet = 0
		if s.fleet.booting() == 0 {
			events = s.boot(s.now, -surplus, s.bootReady(), "autoscaler", events)
		}
	case surplus == 0:
		s.scaler.quiet = 0
	default:
		s.scaler.quiet++
		if s.scaler.quiet == quietMinutes {
			s.scaler.quiet = 0
			most := max(1, int(float64(serving)*shrinkRatio))
			events = s.retire(min(surplus, most), "autoscaler", events)
		}
	}
	return events
}

// trim removes surplus instances: booting ones first, the last ordered first,
// then serving ones.
func (s *Service) trim(surplus int, reason string, events []simulator.Event) []simulator.Event {
	if surplus <= 0 {
		return events
	}
	cancelled := s.fleet.cancelBoots(surplus)
	if cancelled > 0 {
		events = append(events, s.event(s.now, "pods_cancelled",
			simulator.Field{Name: "count", Value: cancelled}, simulator.Field{Name: "reason", Value: reason}))
	}
	return s.retire(surplus-cancelled, reason, events)
}

// retire scales in by count instances, the oldest first.
func (s *Service) retire(count int, reason string, events []simulator.Event) []simulator.Event {
	if count <= 0 {
		return events
	}
	s.fleet.retire(count, s.now, &s.counts)
	return append(events, s.event(s.now, "pods_retired",
		simulator.Field{Name: "count", Value: count}, simulator.Field{Name: "reason", Value: reason}))
}
