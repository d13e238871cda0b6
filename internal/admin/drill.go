package admin

import (
	"context"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
	"github.com/firedrill/firedrill/simulator/schema"
)

// Drill says how the drill that runs stands.
type Drill struct {
	Clock
	Scenario  string         `json:"scenario" example:"bad-deploy"`
	Title     string         `json:"title"`
	Briefing  string         `json:"briefing" doc:"what the operator knows at the start"`
	Seed      uint32         `json:"seed"`
	Duration  simulator.Tick `json:"duration_seconds" doc:"of the drill"`
	Remaining simulator.Tick `json:"remaining_seconds" doc:"simulated seconds until the drill ends"`
	Ended     bool           `json:"ended" doc:"the drill is over; the services run on"`
	EndedAt   *Moment        `json:"ended_at" doc:"when the drill ended, by itself or stopped; null while it goes on"`
	Goals     []Standing     `json:"goals" nullable:"false"`
}

// Standing says how a goal stands.
type Standing struct {
	Goal
	Value    *Number `json:"value" doc:"of the statistic over the minutes so far; null where there are none, or where only the truth knows it and may not be told yet"`
	Met      *bool   `json:"met" doc:"the value is within the limit; null where the value may not be told yet"`
	Final    bool    `json:"final" doc:"nothing can change any more"`
	Complete bool    `json:"complete" doc:"every minute that counts has passed; a goal that is final without that is judged on what had happened when the drill was stopped"`
}

type restartInput struct{ Body *restartBody }

// restartBody is how a scenario shall start again.
type restartBody struct{ body }

// Schema documents the body.
func (*restartBody) Schema(huma.Registry) *huma.Schema { return schemaOf(restartSpecs()) }

func restartSpecs() schema.Specs {
	return schema.Specs{
		seedSpec("of what is drawn; the same again where not given"),
		{Name: "paused", Kind: schema.Bool, Help: "simulated time waits for a resume; where not given it does if it stands still now"},
	}
}

func (s *Server) registerDrill() {
	register(s, huma.Operation{
		OperationID: "get-drill", Method: http.MethodGet, Path: Base + "/drill", Tags: []string{"drill"},
		Summary: "Say how the drill that runs stands",
	}, s.getDrill)
	register(s, huma.Operation{
		OperationID: "stop-drill", Method: http.MethodPost, Path: Base + "/drill/stop", Tags: []string{"drill"},
		Summary: "End the drill now; the services run on",
	}, s.stopDrill)
	register(s, huma.Operation{
		OperationID: "restart-drill", Method: http.MethodPost, Path: Base + "/drill/restart", Tags: []string{"drill"},
		Summary:     "Start the same scenario again",
		Description: "The log of commands begins anew, so read it before (get-commands). Simulated time passes, or stands still, as before.",
	}, s.restartDrill)
	register(s, huma.Operation{
		OperationID: "get-commands", Method: http.MethodGet, Path: Base + "/commands", Tags: []string{"drill"},
		Summary:     "List what the operators have done so far",
		Description: "One JSON object a line, as `firedrill simulate --commands` replays them: at (a tick), service, do, args, actor.",
		Responses: map[string]*huma.Response{"200": {Description: "the log of commands", Content: map[string]*huma.MediaType{
			linesType: {Schema: &huma.Schema{Type: huma.TypeString}},
		}}},
	}, s.getCommands)
}

func (s *Server) getDrill(ctx context.Context, _ *nothing) (*reply[Drill], error) {
	return s.drill(ctx)
}

func (s *Server) stopDrill(ctx context.Context, in *emptyInput) (*reply[Drill], error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	stop := func(run *scenario.Run) []simulator.Event { return run.Stop() }
	if err := s.config.Driver.Change(ctx, stop); err != nil {
		return nil, err
	}
	return s.drill(ctx)
}

func (s *Server) restartDrill(ctx context.Context, in *restartInput) (*reply[Drill], error) {
	if in.Body == nil {
		in.Body = new(restartBody)
	}
	values, err := in.Body.read(restartSpecs())
	if err != nil {
		return nil, err
	}
	var name string
	var seed uint32
	var paused bool
	err = s.config.Driver.Inspect(ctx, func(v view) {
		name, seed, paused = v.Run.Scenario().Name, v.Run.Seed(), v.Status.Paused
	})
	if err != nil {
		return nil, err
	}
	playable, err := s.playable(name)
	if err != nil {
		return nil, err
	}
	if given := seedOf(values); given != nil {
		seed = *given
	}
	if values.Given("paused") {
		paused = values.Get("paused").Bool()
	}
	return s.start(ctx, playable, &seed, 0, paused)
}

// drill says how the drill stands.
func (s *Server) drill(ctx context.Context) (*reply[Drill], error) {
	var out Drill
	err := s.config.Driver.Inspect(ctx, func(v view) { out = drillOf(v, s.tells(v)) })
	if err != nil {
		return nil, err
	}
	return &reply[Drill]{out}, nil
}

// drillOf says how a drill stands; told says that the truth may be told.
func drillOf(v view, told bool) Drill {
	what := v.Run.Scenario()
	out := Drill{
		Clock: clockOf(v.Status), Scenario: what.Name, Title: what.Title, Briefing: what.Briefing, Seed: v.Run.Seed(),
		Duration: what.Duration, Ended: v.Run.Ended(),
	}
	if out.Ended {
		at := moment(v.Run.End(), v.Status.Start)
		out.EndedAt = &at
	} else {
		out.Remaining = max(0, what.Duration-v.Run.Now())
	}
	scores := v.Run.Score()
	out.Goals = make([]Standing, len(scores))
	for i, score := range scores {
		out.Goals[i] = standingOf(score, told || !hidden(v, score.Goal))
	}
	return out
}

// standingOf says how a goal stands, its value only where it may be shown.
func standingOf(score scenario.GoalScore, shown bool) Standing {
	out := Standing{Goal: goalOf(score.Goal), Final: score.Final, Complete: score.Complete}
	if shown {
		out.Met = &score.Met
		if score.Minutes > 0 {
			value := Number(score.Value)
			out.Value = &value
		}
	}
	return out
}

// hidden reports whether a goal measures what only the truth knows.
func hidden(v view, goal scenario.Goal) bool {
	for _, service := range v.Run.Services() {
		if service.Name == goal.Service {
			return service.Kind.Truth(goal.Measure)
		}
	}
	return false
}

const linesType = "application/jsonl"

// lines is an answer of one JSON object a line.
type lines struct {
	ContentType string `header:"Content-Type"`
	Body        []byte
}

func (s *Server) getCommands(ctx context.Context, _ *nothing) (*lines, error) {
	var log []simulator.Command
	if err := s.config.Driver.Inspect(ctx, func(v view) { log = v.Run.Log() }); err != nil {
		return nil, err
	}
	out := &lines{ContentType: linesType}
	for _, cmd := range log {
		var err error
		if out.Body, err = scenario.AppendCommand(out.Body, cmd); err != nil {
			return nil, fmt.Errorf("write the log of commands: %w", err)
		}
		out.Body = append(out.Body, '\n')
	}
	return out, nil
}
