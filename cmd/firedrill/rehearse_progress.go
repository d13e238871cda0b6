package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/firedrill/firedrill/alerts/rehearsal"
	"github.com/firedrill/firedrill/simulator"
)

// blink is how often the bar says which rehearsal it hears of.
const blink = 200 * time.Millisecond

// rehearseProgress shows how far all rehearsals are together, and which of them
// was heard of last. The nil pointer shows nothing.
type rehearseProgress struct {
	mu   sync.Mutex
	bar  *progress
	done simulator.Tick // minutes
	told time.Time      // when it last said where it is
}

// newRehearseProgress lets plans tell a bar how far they are.
func newRehearseProgress(s streams, plans []rehearsal.Plan) *rehearseProgress {
	p := &rehearseProgress{bar: newProgress(s, "", total(plans))}
	if p.bar == nil {
		return nil
	}
	for i := range plans {
		plan := &plans[i]
		plan.Progress = func(now simulator.Tick) { p.at(*plan, now) }
	}
	return p
}

func (p *rehearseProgress) at(plan rehearsal.Plan, now simulator.Tick) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if now := time.Now(); now.Before(p.bar.after) || now.Sub(p.told) < blink {
		return
	}
	p.told = time.Now()
	p.bar.bar.Describe(fmt.Sprintf("%s, seed %d, %s", plan.Scenario.Name, *plan.Options.Seed, now.After(plan.Scenario.Start).Format("2006-01-02 15:04")))
	p.bar.at(p.done * simulator.Minute)
}

// close removes the bar.
func (p *rehearseProgress) close() {
	if p != nil {
		p.bar.close()
	}
}
