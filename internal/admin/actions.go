package admin

import (
	"context"
	"fmt"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/firedrill/firedrill/internal/driver"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

// Actions lists what can be done to a service.
type Actions struct {
	Service string   `json:"service" example:"shop"`
	Kind    string   `json:"kind" doc:"kind of model" example:"web"`
	Actions []Action `json:"actions" nullable:"false" doc:"in the order in which people read them"`
}

// Action describes something that can be done to a service.
type Action struct {
	Name       string     `json:"name" example:"set"`
	Fault      bool       `json:"fault" doc:"a fault or an outside event for a trainer to inject, not a lever of the operator"`
	Help       string     `json:"help"`
	Args       []Argument `json:"args" nullable:"false" doc:"its arguments"`
	AtLeastOne bool       `json:"at_least_one" doc:"every argument is optional, but one at least must be given"`
}

// Argument describes an argument of an action.
type Argument struct {
	Name         string   `json:"name" example:"floor"`
	Kind         string   `json:"kind" enum:"bool,integer,number,ratio,duration,enum,text" doc:"a duration is a text such as 90s or 5m"`
	Unit         string   `json:"unit,omitempty" example:"instances"`
	Min          *float64 `json:"min,omitempty" doc:"inclusive lower bound; of a duration in seconds"`
	Max          *float64 `json:"max,omitempty" doc:"inclusive upper bound; of a duration in seconds"`
	ExclusiveMin bool     `json:"exclusive_min,omitempty" doc:"min itself is not allowed"`
	Grain        float64  `json:"grain,omitempty" doc:"every value is a multiple of it; of a duration in seconds"`
	Options      []string `json:"options,omitempty" nullable:"false" doc:"what an enum may be"`
	Default      any      `json:"default,omitempty" doc:"the value where none is given"`
	Required     bool     `json:"required"`
	Allowed      string   `json:"allowed" doc:"what is accepted, in words" example:"a whole number from 1 to 40 instances"`
	Help         string   `json:"help"`
}

// Acceptance says what an accepted action will do and when.
type Acceptance struct {
	Service     string         `json:"service" example:"shop"`
	Action      string         `json:"action" example:"set"`
	Args        map[string]any `json:"args" doc:"as they were given"`
	Actor       string         `json:"actor,omitempty"`
	Run         int            `json:"run" doc:"number of the run that it concerns"`
	Accepted    Moment         `json:"accepted" doc:"when it was accepted"`
	Applies     Moment         `json:"applies" doc:"when it applies"`
	InSeconds   simulator.Tick `json:"in_seconds" doc:"simulated seconds until it applies"`
	WallSeconds *float64       `json:"in_wall_seconds" doc:"about how many real seconds that takes; null while simulated time stands still"`
	Words       string         `json:"words" doc:"the same in words" example:"applies at 09:14:00, in 42s of simulated time, about 0.7s"`
}

// ActionPath is the input of an operation on one action.
type ActionPath struct {
	ServicePath
	Action string `path:"action" doc:"name of the action" example:"set"`
}

type actInput struct {
	ActionPath
	Body *actBody
}

// actBody is what an action is asked for with: its arguments and who asks.
type actBody struct{ body }

// Schema documents the body.
func (*actBody) Schema(huma.Registry) *huma.Schema {
	out := schemaOf(actorSpecs())
	out.Properties["args"] = &huma.Schema{
		Type: huma.TypeObject, Description: "the arguments, by the names that the action has",
		AdditionalProperties: &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeBoolean}, {Type: huma.TypeNumber}, {Type: huma.TypeString}}},
	}
	return out
}

const maxActor = 100

func actorSpecs() schema.Specs {
	return schema.Specs{{Name: "actor", Kind: schema.Text, Help: fmt.Sprintf("who asks, for the records; at most %d letters", maxActor)}}
}

func (s *Server) registerActions() {
	register(s, huma.Operation{
		OperationID: "list-actions", Method: http.MethodGet, Path: Base + "/services/{service}/actions", Tags: []string{"services"},
		Summary: "List what can be done to a service",
	}, s.listActions)
	register(s, huma.Operation{
		OperationID: "get-action", Method: http.MethodGet, Path: Base + "/services/{service}/actions/{action}", Tags: []string{"services"},
		Summary: "Show one action with its arguments",
	}, s.getAction)
	register(s, huma.Operation{
		OperationID: "act", Method: http.MethodPost, Path: Base + "/services/{service}/actions/{action}", Tags: []string{"services"},
		Summary:       "Do something to a service",
		Description:   "The action is accepted now and applies when the model takes commands next; the answer says when.",
		DefaultStatus: http.StatusAccepted,
	}, s.act)
}

func (s *Server) listActions(ctx context.Context, in *ServicePath) (*reply[Actions], error) {
	service, err := s.service(ctx, in.Service)
	if err != nil {
		return nil, err
	}
	out := Actions{Service: service.Name, Kind: service.Kind.Name, Actions: make([]Action, len(service.Kind.Actions))}
	for i, action := range service.Kind.Actions {
		out.Actions[i] = actionOf(action)
	}
	return &reply[Actions]{out}, nil
}

func (s *Server) getAction(ctx context.Context, in *ActionPath) (*reply[Action], error) {
	action, err := s.action(ctx, in)
	if err != nil {
		return nil, err
	}
	return &reply[Action]{actionOf(action)}, nil
}

func (s *Server) act(ctx context.Context, in *actInput) (*reply[Acceptance], error) {
	action, err := s.action(ctx, &in.ActionPath)
	if err != nil {
		return nil, err
	}
	cmd := simulator.Command{Service: in.Service, Do: in.Action, Source: simulator.Operator}
	if cmd.Args, cmd.Actor, err = readAct(in.Body, action); err != nil {
		return nil, err
	}
	receipt, status, err := s.config.Driver.Submit(ctx, cmd)
	if err != nil {
		return nil, err
	}
	return &reply[Acceptance]{acceptanceOf(cmd, receipt, status)}, nil
}

// readAct reads the body of a request for an action, with everything that is
// wrong in it.
func readAct(b *actBody, action schema.Action) (schema.Args, string, error) {
	if b == nil {
		b = new(actBody)
	}
	fields, args, err := b.object("args")
	if err != nil {
		return nil, "", err
	}
	given, wrongKind := fields["args"]
	delete(fields, "args")
	specs := append(actorSpecs(), schema.Spec{Name: "args"}) // for whoever mistypes it
	values, problems := specs.Parse(field, fields)
	if wrongKind {
		problems = append(problems, schema.Problem{Field: "args", Value: fmt.Sprint(given), Message: "is no JSON object"})
	} else {
		_, wrong := action.Parse(args)
		problems = append(problems, wrong.Under("args")...)
	}
	actor := values.Get("actor").Text()
	if utf8.RuneCountInString(actor) > maxActor {
		problems = append(problems, schema.Problem{Field: "actor", Value: actor, Message: "is too long", Allowed: fmt.Sprintf("at most %d letters", maxActor)})
	}
	return args, actor, problems.Err()
}

// service returns the service with that name.
func (s *Server) service(ctx context.Context, name string) (simulator.Service, error) {
	services, err := s.services(ctx)
	if err != nil {
		return simulator.Service{}, err
	}
	i, err := find(services, name)
	if err != nil {
		return simulator.Service{}, err
	}
	return services[i], nil
}

// action returns the action with that name of the service with that name.
func (s *Server) action(ctx context.Context, in *ActionPath) (schema.Action, error) {
	service, err := s.service(ctx, in.Service)
	if err != nil {
		return schema.Action{}, err
	}
	names := make([]string, len(service.Kind.Actions))
	for i, action := range service.Kind.Actions {
		if action.Name == in.Action {
			return action, nil
		}
		names[i] = action.Name
	}
	return schema.Action{}, missing(schema.Unknown("action", "action of a "+service.Kind.Name+" service", in.Action, names))
}

func actionOf(action schema.Action) Action {
	out := Action{Name: action.Name, Fault: action.Fault, Help: action.Help, AtLeastOne: action.AtLeastOne, Args: make([]Argument, len(action.Args))}
	for i, spec := range action.Args {
		out.Args[i] = argumentOf(spec)
		if !spec.Required && !action.AtLeastOne {
			out.Args[i].Default = spec.Default.Raw()
		}
	}
	return out
}

func argumentOf(spec schema.Spec) Argument {
	out := Argument{
		Name: spec.Name, Kind: spec.Kind.String(), Unit: spec.Unit, Grain: spec.Grain(), Options: spec.Options,
		Required: spec.Required, Allowed: spec.Allowed(), Help: spec.Help,
	}
	switch spec.Kind {
	case schema.Integer, schema.Number, schema.Ratio, schema.Duration:
		out.Min, out.Max, out.ExclusiveMin = finite(spec.Min), finite(spec.Max), spec.Above
	}
	return out
}

func acceptanceOf(cmd simulator.Command, receipt simulator.Receipt, status driver.Status) Acceptance {
	args := map[string]any(cmd.Args)
	if args == nil {
		args = map[string]any{}
	}
	out := Acceptance{
		Service: cmd.Service, Action: cmd.Do, Args: args, Actor: cmd.Actor, Run: status.Run,
		Accepted:  moment(receipt.Accepted, status.Start),
		Applies:   moment(receipt.Applies, status.Start),
		InSeconds: receipt.Applies - receipt.Accepted,
	}
	if !status.Paused {
		wall := float64(out.InSeconds) / status.Speed
		out.WallSeconds = &wall
	}
	out.Words = out.words()
	return out
}

// words says when the action applies.
func (a Acceptance) words() string {
	at := a.Applies.Time.Format(time.TimeOnly)
	if a.InSeconds == 0 {
		return "applies now, at " + at
	}
	in := fmt.Sprintf("applies at %s, in %s of simulated time", at, schema.FormatSeconds(float64(a.InSeconds)))
	if a.WallSeconds == nil {
		return in + ", which stands still"
	}
	return in + ", about " + about(*a.WallSeconds)
}

// about writes a span of real time as precisely as anybody cares.
func about(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	grain := time.Second
	if d < 10*time.Second {
		grain = 100 * time.Millisecond
	}
	return max(d.Round(grain), 100*time.Millisecond).String()
}
