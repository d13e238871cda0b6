package scenario

import (
	"math"

	"github.com/firedrill/firedrill/simulator"
)

// GoalScore is how a goal stands.
type GoalScore struct {
	Goal
	Value    float64 // of the statistic over the minutes so far; not used where there are none
	Minutes  int     // evaluated minutes of the goal's window
	Met      bool    // the value is within the limit; false where no minute counted
	Final    bool    // nothing can change any more
	Complete bool    // its window has passed; a goal that is final without that was cut short by Stop
}

// Score returns how the goals stand, in file order.
func (r *Run) Score() []GoalScore {
	scores := make([]GoalScore, len(r.goals))
	reached := min(r.engine.Now(), r.duration)
	for i, g := range r.goals {
		scores[i] = g.score()
		scores[i].Complete = reached >= g.by
		scores[i].Final = r.ended || scores[i].Complete
	}
	return scores
}

// goal gathers the values of one goal.
type goal struct {
	Goal
	service  int
	from, by simulator.Tick
	minutes  int
	value    float64 // last, largest, smallest or sum
}

// measure takes in the minute that begins at now.
func (r *Run) measure(now simulator.Tick) {
	read := -1 // service whose row is held
	for i := range r.goals {
		g := &r.goals[i]
		if now < g.from || now >= g.by {
			continue
		}
		if read != g.service {
			r.row, read = r.AppendRow(r.row[:0], g.service), g.service
		}
		g.add(r.row[g.column])
	}
}

func (g *goal) add(x float64) {
	switch {
	case g.minutes == 0 || g.Of == End:
		g.value = x
	case g.Of == Max:
		g.value = math.Max(g.value, x)
	case g.Of == Min:
		g.value = math.Min(g.value, x)
	case g.Of == Mean:
		g.value += x
	}
	g.minutes++
}

func (g goal) score() GoalScore {
	s := GoalScore{Goal: g.Goal, Value: g.value, Minutes: g.minutes}
	if g.Of == Mean && g.minutes > 0 {
		s.Value /= float64(g.minutes)
	}
	if g.AtLeast {
		s.Met = g.minutes > 0 && s.Value >= g.Limit
	} else {
		s.Met = g.minutes > 0 && s.Value <= g.Limit
	}
	return s
}
