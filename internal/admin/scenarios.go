package admin

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/firedrill/firedrill/internal/driver"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/scenario"
	"github.com/firedrill/firedrill/simulator/schema"
)

// Scenarios lists the scenarios that can be started.
type Scenarios struct {
	Scenarios []Scenario `json:"scenarios" nullable:"false" doc:"in the order in which people should meet them"`
}

// Scenario is what an operator may know about a scenario beforehand.
type Scenario struct {
	Name     string            `json:"name" example:"bad-deploy"`
	Title    string            `json:"title"`
	Briefing string            `json:"briefing" doc:"what the operator knows at the start"`
	Start    time.Time         `json:"start" doc:"simulated time at its start"`
	Duration simulator.Tick    `json:"duration_seconds" doc:"of the drill"`
	Seed     uint32            `json:"seed" doc:"where none is given"`
	Services []ScenarioService `json:"services" nullable:"false"`
	Goals    []Goal            `json:"goals" nullable:"false" doc:"what the operator should reach"`
}

// ScenarioService is a service of a scenario.
type ScenarioService struct {
	Name string `json:"name" example:"shop"`
	Kind string `json:"kind" doc:"kind of model" example:"web"`
}

// Goal is one thing that the operator should reach.
type Goal struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Service string   `json:"service" example:"shop"`
	Measure string   `json:"measure" doc:"what is measured each minute" example:"budget_remaining_ratio"`
	Of      string   `json:"of" enum:"end,max,min,mean" doc:"statistic over the minutes of the goal"`
	AtLeast *float64 `json:"at_least,omitempty"`
	AtMost  *float64 `json:"at_most,omitempty"`
}

// ScenarioPath is the input of an operation on one scenario.
type ScenarioPath struct {
	Name string `path:"scenario" doc:"name of the scenario" example:"bad-deploy"`
}

type startInput struct {
	ScenarioPath
	Body *startBody
}

// startBody is how a scenario shall start.
type startBody struct{ body }

// Schema documents the body.
func (*startBody) Schema(huma.Registry) *huma.Schema { return schemaOf(startSpecs()) }

func seedSpec(help string) schema.Spec {
	return schema.Spec{Name: "seed", Kind: schema.Integer, Min: 0, Max: math.MaxUint32, Help: help}
}

func startSpecs() schema.Specs {
	speed := driver.SpeedSpec()
	speed.Help = "how fast simulated time passes; as before where not given"
	return schema.Specs{
		seedSpec("of what is drawn; the scenario's own where not given"),
		speed,
		{Name: "paused", Kind: schema.Bool, Help: "simulated time waits for a resume"},
	}
}

func (s *Server) registerScenarios() {
	register(s, huma.Operation{
		OperationID: "list-scenarios", Method: http.MethodGet, Path: Base + "/scenarios", Tags: []string{"drill"},
		Summary: "List the scenarios that can be started",
	}, s.listScenarios)
	register(s, huma.Operation{
		OperationID: "get-scenario", Method: http.MethodGet, Path: Base + "/scenarios/{scenario}", Tags: []string{"drill"},
		Summary: "Show what an operator may know about a scenario beforehand",
	}, s.getScenario)
	register(s, huma.Operation{
		OperationID: "start-scenario", Method: http.MethodPost, Path: Base + "/scenarios/{scenario}/start", Tags: []string{"drill"},
		Summary: "Start a scenario in place of what runs now",
	}, s.startScenario)
}

func (s *Server) listScenarios(context.Context, *nothing) (*reply[Scenarios], error) {
	out := Scenarios{Scenarios: make([]Scenario, len(s.config.Scenarios))}
	for i, playable := range s.config.Scenarios {
		out.Scenarios[i] = scenarioOf(playable.Scenario)
	}
	return &reply[Scenarios]{out}, nil
}

func (s *Server) getScenario(_ context.Context, in *ScenarioPath) (*reply[Scenario], error) {
	playable, err := s.playable(in.Name)
	if err != nil {
		return nil, err
	}
	return &reply[Scenario]{scenarioOf(playable.Scenario)}, nil
}

func (s *Server) startScenario(ctx context.Context, in *startInput) (*reply[Drill], error) {
	playable, err := s.playable(in.Name)
	if err != nil {
		return nil, err
	}
	if in.Body == nil {
		in.Body = new(startBody)
	}
	values, err := in.Body.read(startSpecs())
	if err != nil {
		return nil, err
	}
	speed := 0.0
	if values.Given("speed") {
		speed = values.Get("speed").Float()
	}
	return s.start(ctx, playable, seedOf(values), speed, values.Get("paused").Bool())
}

// start makes a run and hands it to the driver. The pager forgets the pages of
// the one before.
func (s *Server) start(ctx context.Context, playable Playable, seed *uint32, speed float64, paused bool) (*reply[Drill], error) {
	run, err := playable.NewRun(scenario.Options{Seed: seed, Set: playable.Set})
	if err != nil {
		return nil, fmt.Errorf("start scenario %q: %w", playable.Name, err)
	}
	abandon, err := s.prepare(ctx, run)
	if err != nil {
		return nil, fmt.Errorf("start scenario %q: %w", playable.Name, err)
	}
	var out Drill
	err = s.config.Driver.Load(ctx, run, speed, paused, func(v view) []simulator.Event {
		s.config.Pager.Reset(v.Status.Run, v.Status.Start, time.Now())
		out = drillOf(v, s.tells(v))
		return started(run)
	})
	if err != nil {
		abandon()
		return nil, err
	}
	return &reply[Drill]{out}, nil
}

// prepare makes ready what looks at a run.
func (s *Server) prepare(ctx context.Context, run *scenario.Run) (abandon func(), err error) {
	if s.config.Prepare == nil {
		return func() {}, nil
	}
	return s.config.Prepare(ctx, run)
}

// started tells the followers of the stream that another drill has begun.
func started(run *scenario.Run) []simulator.Event {
	return []simulator.Event{{At: run.Now(), Kind: "drill_started", Fields: []simulator.Field{
		{Name: "scenario", Value: run.Scenario().Name}, {Name: "seed", Value: int(run.Seed())},
	}}}
}

// seedOf returns the seed among the values, nil where none was given.
func seedOf(values schema.Values) *uint32 {
	if !values.Given("seed") {
		return nil
	}
	seed := uint32(values.Get("seed").Float())
	return &seed
}

// playable returns the scenario with that name.
func (s *Server) playable(name string) (Playable, error) {
	names := make([]string, len(s.config.Scenarios))
	for i, playable := range s.config.Scenarios {
		if playable.Name == name {
			return playable, nil
		}
		names[i] = playable.Name
	}
	return Playable{}, missing(schema.Unknown("scenario", "scenario", name, names))
}

func scenarioOf(s *scenario.Scenario) Scenario {
	out := Scenario{
		Name: s.Name, Title: s.Title, Briefing: s.Briefing, Start: s.Start, Duration: s.Duration, Seed: s.Seed,
		Services: make([]ScenarioService, len(s.Services)), Goals: make([]Goal, len(s.Goals)),
	}
	for i, service := range s.Services {
		out.Services[i] = ScenarioService{Name: service.Name, Kind: service.Kind.Name}
	}
	for i, goal := range s.Goals {
		out.Goals[i] = goalOf(goal)
	}
	return out
}

func goalOf(g scenario.Goal) Goal {
	out := Goal{ID: g.ID, Title: g.Title, Service: g.Service, Measure: g.Measure, Of: string(g.Of)}
	if g.AtLeast {
		out.AtLeast = &g.Limit
	} else {
		out.AtMost = &g.Limit
	}
	return out
}
