package admin

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// Health says that the program is well.
type Health struct {
	Status string `json:"status" example:"ok"`
}

// patience is how long a check of readiness waits for the simulation.
const patience = 2 * time.Second

func (s *Server) registerHealth() {
	register(s, huma.Operation{
		OperationID: "healthz", Method: http.MethodGet, Path: "/healthz", Tags: []string{"health"},
		Summary: "Say whether the program answers",
	}, func(context.Context, *nothing) (*reply[Health], error) { return &reply[Health]{Health{"ok"}}, nil })
	register(s, huma.Operation{
		OperationID: "readyz", Method: http.MethodGet, Path: "/readyz", Tags: []string{"health"},
		Summary: "Say whether the simulation answers",
	}, s.ready)
}

func (s *Server) ready(ctx context.Context, _ *nothing) (*reply[Health], error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if _, err := s.config.Driver.Status(ctx); err != nil {
		return nil, problem(unavailable, "the simulation does not answer")
	}
	return &reply[Health]{Health{"ok"}}, nil
}
