package admin

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
)

// Truth is what really goes on in a run.
type Truth struct {
	Clock
	Scenario  string     `json:"scenario" example:"bad-deploy"`
	Seed      uint32     `json:"seed"`
	Events    []Planned  `json:"events" nullable:"false" doc:"the scenario's events, with what the seed has chosen"`
	Incidents []Incident `json:"incidents" nullable:"false"`
}

// Planned is an event of a scenario in one run.
type Planned struct {
	ID      string         `json:"id,omitempty"`
	Applies Moment         `json:"applies" doc:"when the service applies it"`
	Service string         `json:"service" example:"shop"`
	Do      string         `json:"do" example:"deploy_bad_build"`
	Args    map[string]any `json:"args,omitempty"`
}

// Incident is an incident in one run.
type Incident struct {
	ID      string  `json:"id"`
	Title   string  `json:"title"`
	Service string  `json:"service" example:"shop"`
	Kind    string  `json:"kind" example:"errors"`
	Start   Moment  `json:"start"`
	Harm    *Moment `json:"harm" doc:"first minute in which users suffered; null where there was none yet"`
	End     *Moment `json:"end" doc:"null while it is open"`
	Answer  *Moment `json:"answer" doc:"when an operator gave the first command since the start, to any service; null where nobody has during the drill"`
	Summary string  `json:"summary" doc:"what really happened"`
}

func (s *Server) registerTruth() {
	register(s, huma.Operation{
		OperationID: "get-truth", Method: http.MethodGet, Path: Base + "/truth", Tags: []string{"drill"},
		Summary:     "Tell what really goes on",
		Description: "Refused with 403 until the drill has ended, unless the program was started with --reveal.",
	}, s.getTruth)
}

func (s *Server) getTruth(ctx context.Context, _ *nothing) (*reply[Truth], error) {
	var out Truth
	told := false
	err := s.config.Driver.Inspect(ctx, func(v view) {
		if told = s.tells(v); told {
			out = truthOf(v)
		}
	})
	switch {
	case err != nil:
		return nil, err
	case !told:
		return nil, problem(secret, "the truth is told when the drill has ended (firedrill scenario stop), or to a firedrill up --reveal")
	}
	return &reply[Truth]{out}, nil
}

// tells reports whether the truth of a run may be told.
func (s *Server) tells(v view) bool { return s.config.Reveal || v.Run.Ended() }

func truthOf(v view) Truth {
	truth := v.Run.Truth()
	out := Truth{
		Clock: clockOf(v.Status), Scenario: v.Run.Scenario().Name, Seed: v.Run.Seed(),
		Events: make([]Planned, len(truth.Events)), Incidents: make([]Incident, len(truth.Incidents)),
	}
	at := func(t simulator.Tick) Moment { return moment(t, v.Status.Start) }
	for i, e := range truth.Events {
		out.Events[i] = Planned{ID: e.ID, Applies: at(e.Applies), Service: e.Service, Do: e.Do, Args: e.Args}
	}
	happened := func(t simulator.Tick) *Moment {
		if t == scenario.Never {
			return nil
		}
		m := at(t)
		return &m
	}
	for i, in := range truth.Incidents {
		out.Incidents[i] = Incident{
			ID: in.ID, Title: in.Title, Service: in.Service, Kind: string(in.Kind), Summary: in.Summary,
			Start: at(in.Start), Harm: happened(in.Harm), End: happened(in.End), Answer: happened(answer(v.Run, in.Start)),
		}
	}
	return out
}

// answer returns when an operator gave the first command of the drill since a
// tick, scenario.Never where nobody has.
func answer(run *scenario.Run, since simulator.Tick) simulator.Tick {
	for _, cmd := range run.Log() {
		if cmd.At >= since && cmd.At < run.End() {
			return cmd.At
		}
	}
	return scenario.Never
}
