package admin

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/firedrill/firedrill/internal/driver"
	"github.com/firedrill/firedrill/simulator"
	"github.com/firedrill/firedrill/simulator/schema"
)

type speedInput struct{ Body speedBody }

// speedBody is a new speed.
type speedBody struct{ body }

// Schema documents the body.
func (*speedBody) Schema(huma.Registry) *huma.Schema { return schemaOf(speedSpecs()) }

func speedSpecs() schema.Specs {
	speed := driver.SpeedSpec()
	speed.Required = true
	return schema.Specs{speed}
}

type advanceInput struct{ Body *advanceBody }

// advanceBody is how far time shall advance.
type advanceBody struct{ body }

// Schema documents the body.
func (*advanceBody) Schema(huma.Registry) *huma.Schema { return schemaOf(advanceSpecs()) }

// maxAdvance is the longest advance, in seconds: short enough to be answered
// before a client gives up.
const maxAdvance = 86400

func advanceSpecs() schema.Specs {
	return schema.Specs{{Name: "seconds", Kind: schema.Integer, Unit: "simulated seconds", Min: 1, Max: maxAdvance,
		Default: schema.OfInt(1), Help: "how far; one second where nothing is said"}}
}

func (s *Server) registerClock() {
	register(s, huma.Operation{
		OperationID: "get-clock", Method: http.MethodGet, Path: Base + "/clock", Tags: []string{"clock"},
		Summary: "Say how simulated time passes",
	}, s.getClock)
	register(s, huma.Operation{
		OperationID: "set-speed", Method: http.MethodPut, Path: Base + "/clock/speed", Tags: []string{"clock"},
		Summary: "Change the speed",
	}, s.setSpeed)
	register(s, huma.Operation{
		OperationID: "pause", Method: http.MethodPost, Path: Base + "/clock/pause", Tags: []string{"clock"},
		Summary: "Make simulated time stand still",
	}, s.pause)
	register(s, huma.Operation{
		OperationID: "resume", Method: http.MethodPost, Path: Base + "/clock/resume", Tags: []string{"clock"},
		Summary: "Let simulated time pass again, or for the first time",
	}, s.resume)
	register(s, huma.Operation{
		OperationID: "advance", Method: http.MethodPost, Path: Base + "/clock/advance", Tags: []string{"clock"},
		Summary:     "Simulate some seconds at once while time stands still",
		Description: "Refused with 409 while simulated time passes. The answer comes when the seconds are simulated.",
	}, s.advance)
}

func (s *Server) getClock(ctx context.Context, _ *nothing) (*reply[Clock], error) {
	return clockReply(s.config.Driver.Status(ctx))
}

func (s *Server) setSpeed(ctx context.Context, in *speedInput) (*reply[Clock], error) {
	values, err := in.Body.read(speedSpecs())
	if err != nil {
		return nil, err
	}
	return clockReply(s.config.Driver.SetSpeed(ctx, values.Get("speed").Float()))
}

func (s *Server) pause(ctx context.Context, in *emptyInput) (*reply[Clock], error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return clockReply(s.config.Driver.Pause(ctx))
}

func (s *Server) resume(ctx context.Context, in *emptyInput) (*reply[Clock], error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return clockReply(s.config.Driver.Resume(ctx))
}

func (s *Server) advance(ctx context.Context, in *advanceInput) (*reply[Clock], error) {
	if in.Body == nil {
		in.Body = new(advanceBody)
	}
	values, err := in.Body.read(advanceSpecs())
	if err != nil {
		return nil, err
	}
	return clockReply(s.config.Driver.Advance(ctx, simulator.Tick(values.Get("seconds").Int())))
}

func clockReply(status driver.Status, err error) (*reply[Clock], error) {
	if err != nil {
		return nil, err
	}
	return &reply[Clock]{clockOf(status)}, nil
}
